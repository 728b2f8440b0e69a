import type { ResponseRow } from "../row.js";
import { bare, endpoint, json, object, text } from "../snippets.js";

const forbidden = {
  errors: [
    { message: "You don't have permission to access this.", extensions: { code: "FORBIDDEN" } },
  ],
};
const licence =
  "Your license does not allow for feat:variables. To enable feat:variables, please upgrade to a license that supports this feature.";

const refusal = (
  name: string,
  line: string,
  input: Readonly<Record<string, unknown>>,
  [status, body]: readonly [number, unknown],
  says: readonly (string | RegExp)[],
  never: readonly RegExp[] = [],
): ResponseRow => ({
  name,
  endpoint: endpoint(
    line,
    { 200: json(object({ data: object({ id: text }) })) },
    {
      ...(line.startsWith("POST") && {
        body: object(
          Object.fromEntries(
            Object.keys(input)
              .filter((key) => !line.includes(`{${key}}`))
              .map((key) => [key, text]),
          ),
        ),
      }),
    },
  ),
  input,
  response: { status, body },
  fails: true,
  says,
  never,
});

/** Refusals for other reasons than the credentials. */
export const refusals: readonly ResponseRow[] = [
  refusal(
    "Directus: 403 of an item that does not exist",
    "GET /items/stores/{id}",
    { id: "9999" },
    [403, forbidden],
    ["You don't have permission to access this.", /there is no such|does not exist/i],
  ),
  refusal(
    "Directus: 403 of a collection that does not exist",
    "GET /collections/{id}",
    { id: "nope" },
    [403, forbidden],
    ["You don't have permission to access this.", /there is no such|does not exist/i],
  ),
  refusal(
    "Directus: 403 that says itself that it may not exist",
    "GET /items/{collection}",
    { collection: "nope" },
    [
      403,
      {
        errors: [
          {
            message:
              'You don\'t have permission to access collection "nope" or it does not exist. Queried in root.',
          },
        ],
      },
    ],
    ["or it does not exist"],
  ),
  refusal(
    "n8n: 403 of a licence",
    "POST /variables",
    { key: "a", value: "b" },
    [403, { message: licence }],
    [licence],
    [/check the permissions|lack permission|check .*KEY/i],
  ),
  refusal(
    "n8n: 401 of a licence",
    "GET /audit/{kind}",
    { kind: "nodes" },
    [401, { message: "Your plan does not include audits. Please upgrade." }],
    ["Your plan does not include audits. Please upgrade."],
    [/credentials (?:were|are) rejected|check .*KEY/i],
  ),
  refusal(
    "Docker: 403 of a predefined network",
    "DELETE /networks/{id}",
    { id: "none" },
    [403, { message: "none is a pre-defined network and cannot be removed" }],
    ["none is a pre-defined network and cannot be removed"],
    [/check the permissions/i],
  ),
  refusal(
    "Docker: 403 of a name that is reserved",
    "POST /networks/create",
    { Name: "host" },
    [403, { message: "operation is not permitted on predefined host network " }],
    ["operation is not permitted on predefined host network"],
  ),
  refusal(
    "Unleash: 403 of a parent that does not exist",
    "POST /features/{child}/dependencies",
    { child: "flag-12", feature: "nope" },
    [403, { name: "InvalidOperationError", message: "No active feature nope exists" }],
    ["No active feature nope exists"],
    [/lack permission\./i],
  ),
  refusal(
    "Directus: 401 of the credentials in the body",
    "POST /auth/login",
    { email: "admin@example.com", password: "bad" },
    [
      401,
      {
        errors: [
          { message: "Invalid user credentials.", extensions: { code: "INVALID_CREDENTIALS" } },
        ],
      },
    ],
    ["Invalid user credentials."],
  ),
  refusal(
    "Directus: 400 of a value that is not unique",
    "POST /users",
    { email: "a@example.com" },
    [
      400,
      {
        errors: [
          {
            message:
              'Value "[a@example.com]" for field "email" in collection "directus_users" has to be unique.',
            extensions: { code: "RECORD_NOT_UNIQUE" },
          },
        ],
      },
    ],
    ["has to be unique"],
  ),
  refusal(
    "etcd: 400 of a password",
    "POST /v3/auth/authenticate",
    { name: "root", password: "wrong" },
    [
      400,
      {
        error: "etcdserver: authentication failed, invalid user ID or password",
        message: "etcdserver: authentication failed, invalid user ID or password",
        code: 3,
      },
    ],
    ["authentication failed, invalid user ID or password"],
  ),
  refusal(
    "a quota",
    "POST /runs",
    { name: "a" },
    [403, { message: "Quota exceeded: 5 of 5 runs used this month." }],
    ["Quota exceeded: 5 of 5 runs used this month."],
    [/lack permission|check the permissions/i],
  ),
  {
    name: "Unleash: 404 of an edition",
    endpoint: endpoint(
      "POST /projects",
      { 201: bare("Created") },
      { body: object({ name: text }) },
    ),
    input: { name: "payments" },
    response: {
      status: 404,
      body: {
        name: "NotFoundError",
        message: "The path you were looking for (/api/admin/projects) is not available.",
      },
    },
    fails: true,
    says: ["The path you were looking for (/api/admin/projects) is not available."],
    never: [],
  },
];
