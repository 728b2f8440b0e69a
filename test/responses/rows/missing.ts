import type { ResponseRow } from "../row.js";
import { anything, bare, endpoint, json, list, object, text } from "../snippets.js";

const container = object({ Id: text });
const pathIsFine = [/base.URL/i, /no such (?:path|route|endpoint)/i];

/** A 404 whose message is all that is known. */
const row = (
  name: string,
  line: string,
  input: Readonly<Record<string, unknown>>,
  body: unknown,
  says: readonly (string | RegExp)[],
  more: Partial<ResponseRow> = {},
): ResponseRow => ({
  name,
  endpoint: endpoint(
    line,
    { 200: json(container), 404: json(object({ message: text }), "Not found") },
    {
      ...(/^(?:POST|PUT|PATCH)/.test(line) && {
        body: object(
          Object.fromEntries(
            Object.keys(input)
              .filter((key) => !line.includes(`{${key}}`))
              .map((key) => [key, text]),
          ),
        ),
        bodyRequired: false,
      }),
    },
  ),
  input,
  response: { status: 404, body },
  fails: true,
  says,
  never: pathIsFine,
  ...more,
});

/** Things that do not exist: the value that the message names is the one that is wrong. */
export const missing: readonly ResponseRow[] = [
  row(
    "Docker: the container of the path",
    "GET /containers/{id}/json",
    { id: "none" },
    { message: "No such container: none" },
    ["No such container: none", "id"],
  ),
  row(
    "Docker: the image of the body",
    "POST /containers/create",
    { Image: "nope:9" },
    { message: "No such image: nope:9" },
    ["No such image: nope:9", "Image"],
    { never: [...pathIsFine, /No ID in it is wrong/i] },
  ),
  row(
    "Docker: the container of the body, not the network of the path",
    "POST /networks/{id}/connect",
    { id: "net-1", Container: "web" },
    { message: "No such container: web" },
    ["No such container: web", "Container"],
    { never: [...pathIsFine, /finds nothing with id/i] },
  ),
  row(
    "Docker: a file inside of a container",
    "GET /containers/{id}/archive",
    { id: "one" },
    { message: "Could not find the file /nope in container one" },
    ["Could not find the file /nope in container one"],
  ),
  row(
    "Docker: a volume",
    "GET /volumes/{name}",
    { name: "none" },
    { message: "get none: no such volume" },
    ["get none: no such volume"],
  ),
  row(
    "etcd: the lease of the body",
    "POST /v3/kv/put",
    { key: "YQ==", lease: "999" },
    {
      error: "etcdserver: requested lease not found",
      message: "etcdserver: requested lease not found",
      code: 5,
    },
    ["etcdserver: requested lease not found", "lease"],
  ),
  row(
    "etcd: a member of the body",
    "POST /v3/cluster/member/remove",
    { ID: "12" },
    { error: "etcdserver: member not found", message: "etcdserver: member not found", code: 5 },
    ["etcdserver: member not found", "ID"],
    { never: [...pathIsFine, /No ID in it is wrong/i] },
  ),
  row(
    "Unleash: the environment, not the flag",
    "POST /features/{featureName}/environments/{environment}/on",
    { featureName: "beta-search", environment: "moon" },
    {
      id: "0476cf1d",
      name: "NotFoundError",
      message: "Could not find environment moon for feature: beta-search",
      details: [{ message: "Could not find environment moon for feature: beta-search" }],
    },
    ["Could not find environment moon for feature: beta-search", "environment"],
  ),
  row(
    "Unleash: a segment",
    "GET /segments/{id}",
    { id: "99" },
    { id: "63c4cd12", name: "NotFoundError", message: 'No segment exists with ID "99"' },
    ['No segment exists with ID "99"'],
  ),
  row(
    "Unleash: an archived flag",
    "POST /archive/revive/{featureName}",
    { featureName: "dark-2" },
    { name: "NotFoundError", message: "No feature flag found" },
    ["No feature flag found"],
  ),
  row(
    "n8n: the tags of the body, not the workflow",
    "PUT /workflows/{id}/tags",
    { id: "w1", tags: "t9" },
    { message: "Some tags not found" },
    ["Some tags not found", "tags"],
  ),
  row(
    "PowerDNS: a zone, in plain text",
    "DELETE /zones/{zone_id}",
    { zone_id: "nowhere.example." },
    "Not Found",
    ["404", "zone_id"],
    { never: [/No ID in it is wrong/i] },
  ),
  row(
    "Alertmanager: a silence, without a body",
    "GET /silence/{silenceID}",
    { silenceID: "00000000-0000-0000-0000-000000000000" },
    undefined,
    ["404", "silenceID"],
    { never: [/No ID in it is wrong/i] },
  ),
  row(
    "Directus: a route that the server does not have",
    "GET /auth/oauth",
    {},
    {
      errors: [
        {
          message: "Route /auth/oauth doesn't exist.",
          extensions: { path: "/auth/oauth", code: "ROUTE_NOT_FOUND" },
        },
      ],
    },
    ["Route /auth/oauth doesn't exist."],
    { never: [] },
  ),
  {
    name: "Etherpad: a failure inside of a 200",
    endpoint: endpoint(
      "GET /getText",
      { 200: json(object({ code: { type: "integer" }, message: text, data: object({ text }) })) },
      { query: { padID: text } },
    ),
    input: { padID: "none" },
    response: { status: 200, body: { code: 1, message: "padID does not exist", data: null } },
    fails: true,
    says: ["padID does not exist"],
  },
  {
    name: "Subsonic: a failure inside of the only field of a 200",
    endpoint: endpoint(
      "GET /rest/getAlbum",
      {
        200: json(
          object({
            "subsonic-response": {
              oneOf: [
                object({ status: { const: "ok" }, version: text, album: object({ id: text }) }),
                object({ status: { const: "failed" }, version: text, error: anything }),
              ],
            },
          }),
        ),
      },
      { query: { id: text } },
    ),
    input: { id: "none" },
    response: {
      status: 200,
      body: {
        "subsonic-response": {
          error: { code: 70, message: "Album not found" },
          status: "failed",
          version: "1.10.2",
        },
      },
    },
    fails: true,
    says: ["Album not found"],
  },
  {
    name: "Docker: the list of the parent is named",
    endpoint: endpoint("DELETE /containers/{id}", { 204: bare("no error") }),
    others: [
      endpoint(
        "GET /containers",
        { 200: json(list(container)) },
        { operationId: "listContainers" },
      ),
      endpoint(
        "GET /images/search",
        { 200: json(list(object({ id: text, name: text }))) },
        { query: { term: text }, operationId: "searchImages" },
      ),
    ],
    input: { id: "quick" },
    response: { status: 404, body: { message: "No such container: quick" } },
    fails: true,
    says: ["No such container: quick", "list_containers"],
    never: [/search_images/],
  },
];
