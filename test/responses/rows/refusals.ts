import type { ResponseRow } from "../row.js";
import { bare, endpoint, json, object, text } from "../snippets.js";

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
    "Docker: 403 of a name that is reserved",
    "POST /networks/create",
    { Name: "host" },
    [403, { message: "operation is not permitted on predefined host network " }],
    ["operation is not permitted on predefined host network"],
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
