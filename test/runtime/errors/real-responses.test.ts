/**
 * Error responses as servers of many kinds send them, and the whole text that an agent reads. No
 * sentence of a text may be false, contradict the API's message, or advise the same call again.
 */
import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { call, textOf, toolOf, type CallSketch, type ToolSketch } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

const text = { type: "string" };

/** A tool that sends its inputs in the path, the query and the body. */
function tool(
  name: string,
  line: `${string} /${string}`,
  { query = [], body = [], whole, ...rest }: Inputs = {},
): ToolDefinition {
  const [method = "", path = ""] = line.split(" ");
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one = ""]) => one);
  const same = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((one) => [one, one]));
  const fields = { contentType: "application/json", fields: same(body) };
  const names = [...inPath, ...query, ...body, ...(whole === undefined ? [] : [whole])];
  return toolOf({
    name,
    properties: Object.fromEntries(
      names.map((one) => [one, inPath.includes(one) || query.includes(one) ? text : {}]),
    ),
    send: {
      method,
      path,
      pathParams: same(inPath),
      query: same(query),
      ...(body.length > 0 && { body: fields }),
      ...(whole !== undefined && { body: { contentType: "application/json", from: whole } }),
      security: [{ token: [] }],
    },
    ...rest,
  });
}

interface Inputs extends ToolSketch {
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  /** Input that is the whole body. */
  readonly whole?: string;
}

interface Row extends CallSketch {
  readonly tool: ToolDefinition;
  readonly input?: object;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  /** Lines of the text after the first one. */
  readonly want: readonly string[];
  /** End of the first line: the effect. */
  readonly effect?: string;
}

const xml = { "content-type": "application/xml" };
/** An error document of a storage service. */
const azure = (code: string, message: string, more = ""): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;
const html = { "content-type": "text/html" };
const lists = ["/containers", "/images", "/networks", "/workflows", "/pets"].map((path) =>
  toolOf({ name: `list_${path.slice(1)}`, send: { path } }),
);

const createContainer = tool("create_container", "POST /containers/create", {
  query: ["name"],
  body: ["Image", "Cmd", "HostConfig"],
});
const execContainer = tool("exec_container", "POST /containers/{name}/exec", { body: ["Cmd"] });
const pauseContainer = tool("pause_container", "POST /containers/{id}/pause");
const copyFiles = tool("copy_files", "GET /containers/{id}/archive", {
  query: ["path"],
  producers: { id: ["list_containers"] },
});
const connect = tool("connect_network", "POST /networks/{id}/connect", { body: ["Container"] });
const inspect = tool("get_container", "GET /containers/{id}/json", {
  producers: { id: ["search_images", "list_containers"] },
});
const startContainer = tool("start_container", "POST /containers/{id}/start");
const revokeLease = tool("revoke_lease", "POST /v3/lease/revoke", { body: ["ID"] });
const putKey = tool("put_key", "POST /v3/kv/put", { body: ["key", "value", "lease"] });
const getWorkflow = tool("get_workflow", "GET /workflows/{id}", {
  producers: { id: ["list_workflows"] },
});
const setTags = tool("update_workflow_tags", "PUT /workflows/{id}/tags", { whole: "tags" });
const createUser = tool("create_users", "POST /users", { whole: "users" });
const getItems = tool("get_items", "GET /items/{collection}", { query: ["limit"] });
const createItem = tool("create_item", "POST /items/{collection}", { whole: "item" });
const getPet = tool("get_pet", "GET /pets/{petId}", { producers: { petId: ["list_pets"] } });
const listPets = tool("list_pets", "GET /pets", { query: ["limit", "status", "owner_id"] });
const createPet = tool("create_pet", "POST /pets", { body: ["name", "age", "owner_id"] });
const deletePod = tool("delete_pod", "DELETE /namespaces/{namespace}/pods/{name}");
const deleteRole = tool("delete_role", "DELETE /roles/{role_id}");
const token = { CLINIC_TOKEN: "hunter22" };

/** Errors of things that do not exist. */
const missing: Readonly<Record<string, Row>> = {
  "Alertmanager: the silence, not a matcher inside of the new one": {
    tool: tool("create_silence", "POST /silences", { body: ["id", "matchers", "comment"] }),
    input: { id: "s9", matchers: [{ name: "alertname", value: "Disk" }], comment: "c" },
    status: 404,
    headers: { "content-type": "application/json" },
    body: '"silence not found"\n',
    want: [
      'The API says: "silence not found"',
      'Next: the API finds nothing with id "s9". Do not call create_silence again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "an item of a list in the body that does not exist": {
    tool: tool("create_order", "POST /orders", { body: ["name", "lines"] }),
    input: { name: "x", lines: [{ id: "l7", amount: 2 }] },
    status: 404,
    body: { message: "Line not found" },
    want: [
      'The API says: "Line not found"',
      'Next: the API finds nothing with lines.0.id "l7". Do not call create_order again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Signal K: the value before the words": {
    tool: tool("set_default", "POST /_providers/_default/{id}", {
      producers: { id: ["list_pets"] },
    }),
    input: { id: "nope" },
    status: 400,
    body: { statusCode: 400, state: "FAILED", message: "Provider nope not found!" },
    want: [
      'The API says: "Provider nope not found!"',
      'Next: the API finds nothing with id "nope". Get a valid id from list_pets; if the user gave the value, ask them to check it.',
    ],
  },
  "Signal K: another noun than that of the only input": {
    tool: tool("acknowledge", "POST /notifications/{id}/acknowledge"),
    input: { id: "n9" },
    status: 400,
    body: { state: "FAILED", statusCode: 400, message: "Alarm not found!" },
    want: [
      'The API says: "Alarm not found!"',
      'Next: the API may have nothing with id "n9". Do not call acknowledge again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Subsonic: the playlist that an input names, not its new name": {
    tool: tool("rename_playlist", "POST /rest/updatePlaylist", { body: ["playlistId", "name"] }),
    input: { playlistId: "p9", name: "x" },
    status: 404,
    body: { message: "Playlist not found" },
    want: [
      'The API says: "Playlist not found"',
      'Next: the API finds nothing with playlistId "p9". Do not call rename_playlist again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Placement: the parent that is missing, not the name of the thing that is created": {
    tool: tool("create_provider", "POST /providers", {
      body: ["name", "parent_provider_uuid"],
    }),
    input: { name: "rp3", parent_provider_uuid: "9999" },
    status: 400,
    body: {
      message:
        'Unable to create provider "rp3", ac2655e6: Object action create failed because: parent provider UUID does not exist.',
    },
    want: [
      'The API says: "Unable to create provider \\"rp3\\", ac2655e6: Object action create failed because: parent provider UUID does not exist."',
      'Next: the API finds nothing with parent_provider_uuid "9999". Do not call create_provider again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Placement: the class that the last clause names, not the provider of the first": {
    tool: tool("update_inventory", "PUT /providers/{uuid}/inventories/{resource_class}", {
      body: ["total"],
    }),
    input: { uuid: "1111-5555", resource_class: "DISK_GB", total: 16 },
    status: 400,
    body: {
      message:
        "No inventory record with resource class for resource provider 1111-5555: No inventory of class DISK_GB found.",
    },
    want: [
      'The API says: "No inventory record with resource class for resource provider 1111-5555: No inventory of class DISK_GB found."',
      'Next: the API finds nothing with resource_class "DISK_GB". Do not call update_inventory again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Subsonic: a method that the server does not have": {
    tool: tool("get_video_info", "GET /rest/getVideoInfo", { query: ["id"] }),
    input: { id: "92e63f52" },
    status: 404,
    body: { "subsonic-response": { status: "failed", error: { message: "Unknown method" } } },
    want: [
      'The API says: "Unknown method"',
      "Next: the server has no such path: it may not offer this operation. Do not call get_video_info again.",
    ],
  },
  "rclone: a method that the server does not have, by its path": {
    tool: tool("stop_serve", "POST /serve/stop", { body: ["id"] }),
    input: { id: "x" },
    status: 404,
    body: { error: 'couldn\'t find method "serve/stop"', path: "serve/stop", status: 404 },
    want: [
      'The API says: "couldn\'t find method \\"serve/stop\\""',
      "Next: the server has no such path: it may not offer this operation. Do not call stop_serve again.",
    ],
  },
  "Podman: a file in a container": {
    tool: copyFiles,
    input: { id: "web", path: "/nope" },
    status: 404,
    body: {
      cause: "no such file or directory",
      message: "no such file or directory",
      response: 404,
    },
    want: [
      'The API says: "no such file or directory"',
      'Next: the API finds nothing with path "/nope". Do not call copy_files again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Podman: an image that is not known, as 500": {
    tool: createContainer,
    input: { name: "web", Image: "nope:1" },
    status: 500,
    body: { cause: "image not known", message: "nope:1: image not known", response: 500 },
    want: [
      'The API says: "nope:1: image not known"',
      'Next: the API finds nothing with Image "nope:1". Do not call create_container again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Signal K: something else is missing in what the message names": {
    tool: tool("set_provider", "POST /resources/{resourceType}/_default/{pluginId}"),
    input: { resourceType: "routes", pluginId: "nope" },
    status: 400,
    body: { state: "FAILED", message: "Resource provider not found for routes!" },
    want: [
      'The API says: "Resource provider not found for routes!"',
      'Next: the API finds nothing with resourceType "routes" and pluginId "nope". Do not call set_provider again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Soul: a column of a table": {
    tool: tool("list_rows", "GET /tables/{name}/rows", { query: ["_schema"] }),
    input: { name: "pets", _schema: "bogus" },
    status: 400,
    body: { message: "no such column: pets.bogus" },
    want: [
      'The API says: "no such column: pets.bogus"',
      'Next: the API finds nothing with _schema "bogus". Do not call list_rows again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "a file of which an input has a part": {
    tool: tool("get_file", "GET /files/{folder}/{file}"),
    input: { folder: "a", file: "a.txt" },
    status: 404,
    body: { message: "a.txt not found" },
    want: [
      'The API says: "a.txt not found"',
      'Next: the API finds nothing with file "a.txt". Do not call get_file again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "the item itself is missing for its ID": {
    tool: deletePod,
    input: { namespace: "web", name: "p-1" },
    status: 404,
    body: { message: "pod not found for p-1" },
    want: [
      'The API says: "pod not found for p-1"',
      'Next: the API finds nothing with name "p-1". Do not call delete_pod again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Docker: the path's ID": {
    tool: inspect,
    input: { id: "web" },
    status: 404,
    body: { message: "No such container: web" },
    want: [
      'The API says: "No such container: web"',
      'Next: the API finds nothing with id "web". Get a valid id from list_containers; if the user gave the value, ask them to check it.',
    ],
  },
  "Docker: an image in the body": {
    tool: createContainer,
    input: { name: "web", Image: "nope:latest", Cmd: ["sh"] },
    status: 404,
    body: { message: "No such image: nope:latest" },
    want: [
      'The API says: "No such image: nope:latest"',
      'Next: the API finds nothing with Image "nope:latest". Do not call create_container again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Docker: a container in the body, not the network in the path": {
    tool: connect,
    input: { id: "net-1", Container: "web" },
    status: 404,
    body: { message: "No such container: web" },
    want: [
      'The API says: "No such container: web"',
      'Next: the API finds nothing with Container "web". Do not call connect_network again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Docker: a private image": {
    tool: tool("create_image", "POST /images/create", { query: ["fromImage", "tag"] }),
    input: { fromImage: "foo", tag: "bar" },
    status: 404,
    body: {
      message:
        "pull access denied for foo, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    },
    want: [
      `The API says: "pull access denied for foo, repository does not exist or may require 'docker login': denied: requested access to the resource is denied"`,
      'Next: the API finds nothing with fromImage "foo", or refuses access to it. Do not call create_image again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Docker: nested in the body": {
    tool: createContainer,
    input: { Image: "alpine", HostConfig: { NetworkMode: "net-x" } },
    status: 404,
    body: { message: "network net-x not found" },
    want: [
      'The API says: "network net-x not found"',
      'Next: the API finds nothing with HostConfig.NetworkMode "net-x". Do not call create_container again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "etcd: the noun of the path, an ID in the body": {
    tool: revokeLease,
    input: { ID: "7587" },
    status: 404,
    body: {
      error: "etcdserver: requested lease not found",
      code: 5,
      message: "etcdserver: requested lease not found",
    },
    want: [
      'The API says: "etcdserver: requested lease not found (code 5)"',
      'Next: the API finds nothing with ID "7587". Do not call revoke_lease again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "etcd: the noun of one input of several": {
    tool: putKey,
    input: { key: "YQ==", value: "Yg==", lease: "99" },
    status: 404,
    body: {
      error: "etcdserver: requested lease not found",
      code: 5,
      message: "etcdserver: requested lease not found",
    },
    want: [
      'The API says: "etcdserver: requested lease not found (code 5)"',
      'Next: the API finds nothing with lease "99". Do not call put_key again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Jupyter: the ID that the message opens with, behind the value that it quotes": {
    tool: tool("delete_checkpoint", "DELETE /contents/{path}/checkpoints/{checkpoint_id}"),
    input: { path: "d/b.txt", checkpoint_id: "checkpoint" },
    status: 404,
    body: { message: "Checkpoint does not exist: d/b.txt@checkpoint" },
    want: [
      'The API says: "Checkpoint does not exist: d/b.txt@checkpoint"',
      'Next: the API finds nothing with path "d/b.txt" and checkpoint_id "checkpoint". Do not call delete_checkpoint again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Backstage: a reference of several values of the path": {
    tool: tool("get_ancestry", "GET /entities/by-name/{kind}/{namespace}/{name}/ancestry"),
    input: { kind: "component", namespace: "default", name: "nope" },
    status: 404,
    body: { error: { name: "NotFoundError", message: "No such entity component:default/nope" } },
    want: [
      'The API says: "No such entity component:default/nope (NotFoundError)"',
      'Next: the API finds nothing with kind "component" and namespace "default" and name "nope". Do not call get_ancestry again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "postgres-meta: another thing of a table that the message quotes by its name": {
    tool: tool("update_table", "PATCH /tables/{id}", { body: ["replica_identity"] }),
    input: { id: 16393, replica_identity: "INDEX" },
    status: 400,
    body: { error: 'index "undefined" for table "people" does not exist' },
    want: [
      String.raw`The API says: "index \"undefined\" for table \"people\" does not exist"`,
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "Backstage: a value that begins with another one": {
    tool: tool("get_entity", "GET /entities/by-name/{kind}/{namespace}/{name}"),
    input: { kind: "component", namespace: "default", name: "component:default/cart" },
    status: 404,
    body: {
      message:
        "No entity named 'component:default/cart' found, with kind 'component' in namespace 'default'",
    },
    want: [
      `The API says: "No entity named 'component:default/cart' found, with kind 'component' in namespace 'default'"`,
      'Next: the API finds nothing with name "component:default/cart". Do not call get_entity again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "postgres-meta: two values of the path without a mark between them": {
    tool: tool("get_column", "GET /columns/{tableId}{ordinalPosition}"),
    input: { tableId: "16393", ordinalPosition: ".99" },
    status: 404,
    body: { error: "Cannot find a column with ID 16393.99" },
    want: [
      'The API says: "Cannot find a column with ID 16393.99"',
      'Next: the API finds nothing with tableId "16393" and ordinalPosition ".99". Do not call get_column again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Jupyter: a page that says something without scripts": {
    tool: getWorkflow,
    input: { id: "nope" },
    status: 404,
    headers: html,
    body: "<html><body><noscript><b>Jupyter requires JavaScript.</b> Please enable it to proceed.</noscript><h1>404 : Not Found</h1><p>You are requesting a page that does not exist!</p></body></html>",
    want: [
      'The API says: "404 : Not Found You are requesting a page that does not exist!"',
      'Next: the API may have nothing with id "nope". Get a valid id from list_workflows; if the user gave the value, ask them to check it. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).',
    ],
  },
  "n8n: tags in the body": {
    tool: setTags,
    input: { id: "wf1", tags: [{ id: "t9" }] },
    status: 404,
    body: { message: "Some tags not found" },
    want: [
      'The API says: "Some tags not found"',
      'Next: the API finds nothing with tags.0.id "t9". Do not call update_workflow_tags again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "n8n: only the status": {
    tool: getWorkflow,
    input: { id: "nope" },
    status: 404,
    body: { message: "Not Found" },
    want: [
      'Next: the API finds nothing with id "nope". Get a valid id from list_workflows; if the user gave the value, ask them to check it.',
    ],
  },
  "Alertmanager: the ID in the body of a fixed path": {
    tool: tool("post_silences", "POST /silences", { body: ["id", "matchers", "comment"] }),
    input: { id: "3f1c", matchers: [], comment: "x" },
    status: 404,
    body: '"silence not found"',
    headers: { "content-type": "application/json" },
    want: [
      'The API says: "silence not found"',
      'Next: the API finds nothing with id "3f1c". Do not call post_silences again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Alertmanager: 500 for an item": {
    tool: tool("delete_silence", "DELETE /silence/{silenceID}"),
    input: { silenceID: "3f1c" },
    status: 500,
    body: '"silence 3f1c not found"',
    headers: { "content-type": "application/json" },
    want: [
      'The API says: "silence 3f1c not found"',
      'Next: the API finds nothing with silenceID "3f1c". Do not call delete_silence again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Kubernetes: the name, not the namespace": {
    tool: deletePod,
    input: { namespace: "default", name: "web" },
    status: 404,
    body: {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: 'pods "web" not found',
      reason: "NotFound",
      details: { name: "web", kind: "pods" },
      code: 404,
    },
    want: [
      'The API says: "pods \\"web\\" not found; name: web; kind: pods"',
      'The response also has: {"kind":"Status","apiVersion":"v1"}',
      'Next: the API finds nothing with name "web". Do not call delete_pod again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Kubernetes: the namespace, not the name": {
    tool: deletePod,
    input: { namespace: "shop", name: "web" },
    status: 404,
    body: { kind: "Status", status: "Failure", message: 'namespaces "shop" not found', code: 404 },
    want: [
      'The API says: "namespaces \\"shop\\" not found"',
      'The response also has: {"kind":"Status"}',
      'Next: the API finds nothing with namespace "shop". Do not call delete_pod again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Elasticsearch: an index": {
    tool: tool("search_index", "POST /{index}/_search", { whole: "body" }),
    input: { index: "logs", body: { query: { term: { user: "x" } } } },
    status: 404,
    body: {
      error: {
        root_cause: [{ type: "index_not_found_exception", reason: "no such index [logs]" }],
        type: "index_not_found_exception",
        reason: "no such index [logs]",
        index: "logs",
      },
      status: 404,
    },
    want: [
      'The API says: "no such index [logs] (index_not_found_exception)"',
      'Next: the API finds nothing with index "logs". Do not call search_index again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Laravel: a model": {
    tool: getPet,
    input: { petId: "42" },
    status: 404,
    body: { message: "No query results for model [App\\Models\\Pet] 42" },
    want: [
      'The API says: "No query results for model [App\\\\Models\\\\Pet] 42"',
      'Next: the API finds nothing with petId "42". Get a valid petId from list_pets; if the user gave the value, ask them to check it.',
    ],
  },
  "Rails: the owner of a new record": {
    tool: createPet,
    input: { name: "Rex", owner_id: "o1" },
    status: 404,
    body: { status: 404, error: "Couldn't find Owner with 'id'=o1" },
    want: [
      `The API says: "Couldn't find Owner with 'id'=o1"`,
      'Next: the API finds nothing with owner_id "o1". Do not call create_pet again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Spring: nothing but the status, a body with an ID": {
    tool: createPet,
    input: { name: "Rex", owner_id: "o1" },
    status: 404,
    body: { timestamp: "2026-01-01T00:00:00Z", status: 404, error: "Not Found", path: "/pets" },
    want: [
      'The response also has: {"timestamp":"2026-01-01T00:00:00Z"}',
      'Next: the API may have nothing with owner_id "o1". Do not call create_pet again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "FastAPI: nothing but the status, a body without IDs": {
    tool: createPet,
    input: { name: "Rex", age: 3 },
    status: 404,
    body: { detail: "Not Found" },
    want: [
      "Next: the API does not say what it did not find. Do not call create_pet again with the same input.",
    ],
  },
  "FastAPI: a thing that no input stands for": {
    tool: createPet,
    input: { name: "Rex", age: 3 },
    status: 404,
    body: { detail: "Clinic settings not found" },
    want: [
      'The API says: "Clinic settings not found"',
      "Next: do not call create_pet again with the same input.",
    ],
  },
  "Nest: several fields that the document calls optional": {
    tool: createContainer,
    input: { Cmd: "ls" },
    status: 400,
    body: {
      message: ["name should not be null or undefined", "Image should not be null or undefined"],
      error: "Bad Request",
      statusCode: 400,
    },
    want: [
      'The API says: "name should not be null or undefined; Image should not be null or undefined"',
      "Next: add name and Image as far as the API asks for them, then call create_container again.",
    ],
  },
  "Nest: no such route": {
    tool: listPets,
    status: 404,
    body: { message: "Cannot GET /pets", error: "Not Found", statusCode: 404 },
    want: [
      'The API says: "Cannot GET /pets"',
      "Next: the server has no such path: it may not offer this operation. Do not call list_pets again. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).",
    ],
  },
  "Express: no such route for an ID": {
    tool: getPet,
    input: { petId: "42" },
    status: 404,
    body: "<html><body><pre>Cannot GET /pets/42</pre></body></html>",
    headers: html,
    want: [
      'The API says: "Cannot GET /pets/42"',
      'Next: the server has no such path: it may not offer this operation, or has nothing with petId "42". Get a valid petId from list_pets; if the user gave the value, ask them to check it. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).',
    ],
  },
  "Fastify: no such route for a write": {
    tool: createPet,
    input: { name: "Rex", age: 3 },
    status: 404,
    body: { message: "Route POST:/pets not found", error: "Not Found", statusCode: 404 },
    want: [
      'The API says: "Route POST:/pets not found"',
      "Next: the server has no such path: it may not offer this operation. Do not call create_pet again. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).",
    ],
  },
  "nginx: a page": {
    tool: getPet,
    input: { petId: "42" },
    status: 404,
    body: "<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1><hr>nginx</body></html>",
    headers: html,
    want: [
      'The API says: "404 Not Found nginx"',
      'Next: the API finds nothing with petId "42". Get a valid petId from list_pets; if the user gave the value, ask them to check it. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).',
    ],
  },
  "Azurite: a snapshot of a blob that was read": {
    tool: tool("download_blob", "GET /{container}/{blob}", { query: ["snapshot"] }),
    input: { container: "box", blob: "a.txt", snapshot: "2026-11-30" },
    status: 404,
    body: azure("BlobNotFound", "The specified blob does not exist."),
    headers: xml,
    want: [
      'The API says: "The specified blob does not exist. (BlobNotFound)"',
      'Next: the API finds nothing with blob "a.txt". Do not call download_blob again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Azurite: the source of a copy": {
    tool: tool("copy_blob", "PUT /{container}/{blob}", { query: ["copy_source"] }),
    input: { container: "box", blob: "copy.txt", copy_source: "http://127.0.0.1/box/none" },
    status: 404,
    body: azure("BlobNotFound", "The specified blob does not exist."),
    headers: xml,
    want: [
      'The API says: "The specified blob does not exist. (BlobNotFound)"',
      'Next: the API may have nothing with copy_source "http://127.0.0.1/box/none" or blob "copy.txt". Do not call copy_blob again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "S3: XML with the key": {
    tool: tool("get_object", "GET /{bucket}/{key}"),
    input: { bucket: "photos", key: "a.png" },
    status: 404,
    body: "<?xml version='1.0'?><Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message><BucketName>photos</BucketName></Error>",
    headers: { "content-type": "application/xml" },
    want: [
      'The API says: "The specified bucket does not exist (NoSuchBucket)"',
      'The response also has: {"BucketName":"photos"}',
      'Next: the API finds nothing with bucket "photos". Do not call get_object again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Stripe: the parameter that the body names": {
    tool: tool("create_charge", "POST /charges", { body: ["customer", "amount"] }),
    input: { customer: "cus_1", amount: 5 },
    status: 404,
    body: {
      error: {
        code: "resource_missing",
        message: "No such customer: 'cus_1'",
        param: "customer",
        type: "invalid_request_error",
      },
    },
    want: [
      "The API says:",
      `- customer: "No such customer: 'cus_1' (resource_missing)"`,
      'The response also has: {"error":{"type":"invalid_request_error"}}',
      'Next: the API finds nothing with customer "cus_1". Do not call create_charge again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "GraphQL-like: a path's ID, but the message names another thing": {
    tool: tool("set_pet_template", "PUT /pets/{petId}/template", { body: ["color"] }),
    input: { petId: "p1", color: "red" },
    status: 404,
    body: { error: "Subscription not found" },
    want: [
      'The API says: "Subscription not found"',
      `Next: the API may have nothing with petId "p1". Do not call set_pet_template again with the same input; if the user gave the value, ask them to check it.`,
    ],
  },
  "PowerDNS: nothing but a status": {
    tool: tool("get_setting", "GET /servers/{server_id}/config/{name}", {
      producers: { server_id: ["list_pets"], name: ["list_workflows"] },
    }),
    input: { server_id: "localhost", name: "carbon-server" },
    status: 404,
    body: "",
    headers: {},
    want: [
      'Next: the API finds nothing with server_id "localhost" and name "carbon-server", or does not offer this. Get a valid server_id from list_pets. Get a valid name from list_workflows; if the user gave the value, ask them to check it.',
    ],
  },
  "GitHub: what a list reads below an item": {
    tool: tool("list_topics", "GET /repos/{owner}/{repo}/topics"),
    input: { owner: "a", repo: "b" },
    status: 404,
    body: {
      message: "Not Found",
      documentation_url: "https://docs.github.com/rest",
      status: "404",
    },
    want: [
      'The response also has: {"documentation_url":"https://docs.github.com/rest"}',
      'Next: the API finds nothing with owner "a" and repo "b", or no topics for them, or does not offer this. Do not call list_topics again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Unleash: the first of two names": {
    tool: tool("get_feature", "GET /projects/{projectId}/features/{featureName}"),
    input: { projectId: "default", featureName: "none" },
    status: 404,
    body: { message: 'There\'s no feature named "none" in project "default".' },
    want: [
      `The API says: "There's no feature named \\"none\\" in project \\"default\\"."`,
      'Next: the API finds nothing with featureName "none". Do not call get_feature again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Unleash: a name after its noun": {
    tool: tool("switch_on", "POST /features/{featureName}/environments/{environment}/on"),
    input: { featureName: "dark-mode", environment: "moon" },
    status: 404,
    body: { message: "Could not find environment moon for feature: dark-mode" },
    want: [
      'The API says: "Could not find environment moon for feature: dark-mode"',
      'Next: the API finds nothing with environment "moon". Do not call switch_on again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "PowerDNS: a noun of two words": {
    tool: tool("get_tsig_key", "GET /servers/{server_id}/tsigkeys/{tsigkey_id}"),
    input: { server_id: "localhost", tsigkey_id: "key." },
    status: 404,
    body: { error: "TSIG key with name 'key' not found" },
    want: [
      `The API says: "TSIG key with name 'key' not found"`,
      'Next: the API finds nothing with tsigkey_id "key.". Do not call get_tsig_key again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "the part below an item": {
    tool: tool("get_part_manual", "GET /parts/{partId}/manual", {
      producers: { partId: ["list_pets"] },
    }),
    input: { partId: "part_2" },
    status: 404,
    body: { message: "There is no manual of part_2" },
    want: [
      'The API says: "There is no manual of part_2"',
      'Next: the API finds no manual for partId "part_2". Do not call get_part_manual again with the same input.',
    ],
  },
  "Etherpad: the name of the input, in a success": {
    tool: tool("get_text", "GET /getText", { query: ["padID", "rev"] }),
    input: { padID: "none" },
    status: 200,
    body: { code: 1, message: "padID does not exist", data: null },
    want: [
      'The API says: "padID does not exist (code 1)"',
      'Next: the API finds nothing with padID "none". Do not call get_text again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "the message says what to do": {
    tool: getPet,
    input: { petId: "42" },
    status: 404,
    body: { message: "Pet 42 was moved. Use GET /v2/animals/42 instead." },
    want: ['The API says: "Pet 42 was moved. Use GET /v2/animals/42 instead."'],
  },
};

/** Errors of credentials, permissions, licences and quotas. */
const refused: Readonly<Record<string, Row>> = {
  "Subsonic: the password of this server, not that of the user that is created": {
    tool: tool("create_user", "POST /users", { body: ["username", "password"] }),
    input: { username: "ann", password: "secret" },
    status: 200,
    body: { status: "failed", error: { message: "Wrong username or password." } },
    want: [
      'The API says: "Wrong username or password."',
      "Next: the API rejected username and password, or the credentials. Correct username and password, or ask the user for the right values, then call create_user again. If they are right, tell the user to check CLINIC_TOKEN.",
    ],
  },
  "Subsonic: a user that may not do this": {
    tool: tool("start_scan", "POST /scans"),
    status: 200,
    body: {
      status: "failed",
      error: { message: "User is not authorized for the given operation." },
    },
    want: [
      'The API says: "User is not authorized for the given operation."',
      "Next: these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
    ],
  },
  "n8n: 403 for what does not exist": {
    tool: getWorkflow,
    input: { id: "nope" },
    status: 403,
    body: { message: "Forbidden" },
    want: [
      'Next: these credentials lack permission, or there is no such ID: id "nope". Get a valid id from list_workflows. Do not call get_workflow again with the same input; if the value is right, tell the user to check the permissions of CLINIC_TOKEN.',
    ],
  },
  "n8n: a licence": {
    tool: createUser,
    input: { users: [{ email: "a@b.c" }] },
    status: 403,
    body: {
      message:
        "Your license does not allow for feat:advancedPermissions. To enable feat:advancedPermissions, please upgrade to a license that supports this feature.",
    },
    want: [
      'The API says: "Your license does not allow for feat:advancedPermissions. To enable feat:advancedPermissions, please upgrade to a license that supports this feature."',
      "Next: the API says that its licence, its plan or its settings do not allow this. Tell the user what it says; do not call create_users again until that has changed.",
    ],
  },
  "Directus: a collection that is absent or forbidden": {
    tool: getItems,
    input: { collection: "dogs" },
    status: 403,
    body: {
      errors: [
        {
          message: "You don't have permission to access this.",
          extensions: { code: "FORBIDDEN" },
        },
      ],
    },
    want: [
      `The API says: "You don't have permission to access this. (FORBIDDEN)"`,
      'Next: these credentials lack permission, or there is no such ID: collection "dogs". Do not call get_items again with the same input; if the value is right, tell the user to check the permissions of CLINIC_TOKEN.',
    ],
  },
  "Directus: an expired token": {
    tool: getItems,
    input: { collection: "dogs" },
    status: 401,
    body: { errors: [{ message: "Token expired.", extensions: { code: "TOKEN_EXPIRED" } }] },
    want: [
      'The API says: "Token expired. (TOKEN_EXPIRED)"',
      "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
    ],
  },
  "Laravel: 401": {
    tool: listPets,
    status: 401,
    body: { message: "Unauthenticated." },
    want: [
      'The API says: "Unauthenticated."',
      "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
    ],
  },
  "401 that asks for another key": {
    tool: listPets,
    status: 401,
    body: { message: "Please provide a valid API key." },
    want: [
      'The API says: "Please provide a valid API key."',
      "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
    ],
  },
  "401 that asks for something else": {
    tool: listPets,
    status: 401,
    body: { message: "Please verify your e-mail address first." },
    want: ['The API says: "Please verify your e-mail address first."'],
  },
  "Kubernetes: a role": {
    tool: tool("list_pods", "GET /pods"),
    status: 403,
    body: {
      kind: "Status",
      status: "Failure",
      message: 'pods is forbidden: User "dev" cannot list resource "pods" in API group ""',
      reason: "Forbidden",
      code: 403,
    },
    want: [
      'The API says: "pods is forbidden: User \\"dev\\" cannot list resource \\"pods\\" in API group \\"\\""',
      'The response also has: {"kind":"Status"}',
      "Next: these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
    ],
  },
  "403 for a reason of its own": {
    tool: listPets,
    status: 403,
    body: { message: "The clinic is closed on Sundays" },
    want: [
      'The API says: "The clinic is closed on Sundays"',
      "Next: the API refuses this call for the reason that it gives. Tell the user; do not retry.",
    ],
  },
  "GNS3: 403 for a reason whose subject is in the path": {
    tool: deleteRole,
    input: { role_id: "r1" },
    status: 403,
    body: { message: "Built-in role 'r1' cannot be deleted" },
    want: [
      "The API says: \"Built-in role 'r1' cannot be deleted\"",
      "Next: the API refuses this call for the reason that it gives. Tell the user; do not retry.",
    ],
  },
  "Chroma: a form that one of several IDs lacks": {
    tool: deletePod,
    input: { namespace: "default", name: "p1" },
    status: 422,
    body: { message: "The pod is protected" },
    want: [
      'The API says: "The pod is protected"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "a key without a prefix: 403": {
    tool: listPets,
    status: 403,
    body: { message: "Access denied" },
    schemes: {
      token: { kind: "apiKey", in: "header", name: "Authorization", env: "CLINIC_TOKEN" },
    },
    want: [
      'The API says: "Access denied"',
      "Next: these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry. CLINIC_TOKEN is the whole Authorization header: the API may expect a prefix such as Bearer in it.",
    ],
  },
  "a key with a prefix": {
    tool: listPets,
    status: 401,
    body: { message: "unauthorized" },
    env: { CLINIC_TOKEN: "Token hunter22" },
    schemes: {
      token: { kind: "apiKey", in: "header", name: "Authorization", env: "CLINIC_TOKEN" },
    },
    want: [
      "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
    ],
  },
  "S3: a signature": {
    tool: tool("list_objects", "GET /bucket"),
    status: 403,
    body: "<?xml version='1.0'?><Error><Code>InvalidAccessKeyId</Code><Message>The AWS Access Key Id you provided does not exist in our records.</Message></Error>",
    headers: { "content-type": "application/xml" },
    want: [
      'The API says: "The AWS Access Key Id you provided does not exist in our records. (InvalidAccessKeyId)"',
      "Next: these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
    ],
  },
  "a feature that is switched off": {
    tool: createPet,
    input: { name: "Rex" },
    status: 403,
    body: { message: "This feature is not enabled for your organization" },
    want: [
      'The API says: "This feature is not enabled for your organization"',
      "Next: the API says that its licence, its plan or its settings do not allow this. Tell the user what it says; do not call create_pet again until that has changed.",
    ],
  },
  "a plan, as 402": {
    tool: createPet,
    input: { name: "Rex" },
    status: 402,
    body: { error: { message: "Upgrade your plan to create more than 3 pets." } },
    want: [
      'The API says: "Upgrade your plan to create more than 3 pets."',
      "Next: the API says that its licence, its plan or its settings do not allow this. Tell the user what it says; do not call create_pet again until that has changed.",
    ],
  },
  "OpenAI: a quota, as 429": {
    tool: createPet,
    input: { name: "Rex" },
    status: 429,
    body: {
      error: {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    },
    want: [
      'The API says: "You exceeded your current quota, please check your plan and billing details. (insufficient_quota)"',
      "Next: the API says that a quota or a balance is used up. Tell the user what it says; do not call create_pet again until that has changed.",
    ],
  },
  "a rate limit with its time in the message": {
    tool: listPets,
    status: 429,
    body: { error: "Rate limit reached. Please try again in 20s." },
    headers: { "retry-after": "20" },
    env: { CLINIC_MAX_RETRIES: "0" },
    want: ['The API says: "Rate limit reached. Please try again in 20s."'],
  },
  "a rate limit with its time in a header": {
    tool: listPets,
    status: 429,
    body: { message: "Too Many Attempts." },
    headers: { "retry-after": "20" },
    env: { CLINIC_MAX_RETRIES: "0" },
    want: [
      'The API says: "Too Many Attempts."',
      "Next: too many calls: wait 20 s, then call list_pets again. If it fails again, tell the user.",
    ],
  },
  "403 that says what to do": {
    tool: getPet,
    input: { petId: "42" },
    status: 403,
    body: { message: "You must accept the terms of use first." },
    want: ['The API says: "You must accept the terms of use first."'],
  },
};

/** Errors of inputs and of states, with any status. */
const rejected: Readonly<Record<string, Row>> = {
  "a filter that the code of a server does not understand": {
    tool: listPets,
    input: { status: "((" },
    status: 500,
    body: { message: "java.util.regex.PatternSyntaxException: Unclosed group near index 2" },
    want: [
      'The API says: "java.util.regex.PatternSyntaxException: Unclosed group near index 2"',
      "Next: if the reason that the API gives can pass by itself, wait a little, then call list_pets again; otherwise tell the user.",
    ],
  },
  "an exception of the code that read a body": {
    tool: createPet,
    input: { name: "Rex", age: "5" },
    status: 500,
    body: { message: "Traceback (most recent call last): KeyError: 'weight'" },
    want: [
      "The API says: \"Traceback (most recent call last): KeyError: 'weight'\"",
      "Next: create_pet may or may not have taken effect. Call list_pets to see whether it took effect before you call create_pet again. If it fails again, tell the user.",
    ],
  },
  "Jupyter: the field that a message names behind the part of the request": {
    tool: tool("create_session", "POST /api/sessions", { body: ["path", "type", "name"] }),
    input: { path: "x.ipynb" },
    status: 400,
    body: { message: "Missing field in JSON data: type", reason: null },
    want: [
      'The API says: "Missing field in JSON data: type"',
      "Next: add type, then call create_session again.",
    ],
  },
  "a field that the document lacks, behind the part of the request": {
    tool: tool("create_session", "POST /api/sessions", { body: ["path"] }),
    input: { path: "x.ipynb" },
    status: 400,
    body: { message: "Missing required field in the request body: kind" },
    want: [
      'The API says: "Missing required field in the request body: kind"',
      "Next: pass kind like an input, then call create_session again: the API needs that, although its documentation lacks it.",
    ],
  },
  "Signal K: a message that names nothing, for an ID": {
    tool: tool("get_state", "GET /autopilots/{id}/state", { producers: { id: ["list_pets"] } }),
    input: { id: "nope" },
    status: 500,
    body: { state: "FAILED", statusCode: 400, message: "Invalid Data supplied." },
    want: [
      'The API says: "Invalid Data supplied."',
      'The response also has: {"statusCode":400}',
      'Next: the API does not say what it rejects, and may have nothing with id "nope". Get a valid id from list_pets; if the user gave the value, ask them to check it.',
    ],
  },
  "Signal K: a message that names nothing, for a body": {
    tool: tool("set_index", "PUT /course/activeRoute/pointIndex", { body: ["value"] }),
    input: { value: 0 },
    status: 400,
    body: { state: "FAILED", statusCode: 400, message: "Invalid Data supplied." },
    want: [
      'The API says: "Invalid Data supplied."',
      "Next: the API does not say what it rejects. Compare the input with the description of set_index; if it is right, tell the user. The same input may fail again.",
    ],
  },
  "rclone: a job, named in one word with its ID": {
    tool: tool("get_job_status", "POST /job/status", { body: ["jobid"] }),
    input: { jobid: 99999 },
    status: 500,
    body: { error: "job not found", path: "job/status", status: 500 },
    want: [
      'The API says: "job not found"',
      'The response also has: {"path":"job/status"}',
      "Next: the API finds nothing with jobid 99999. Do not call get_job_status again with the same input; if the user gave the value, ask them to check it.",
    ],
  },
  "rclone: what the storage cannot do": {
    tool: tool("clean_up", "POST /operations/cleanup", { body: ["fs"] }),
    input: { fs: "loc:" },
    status: 500,
    body: { error: "Local file system at /tmp/remote doesn't support cleanup" },
    want: [
      `The API says: "Local file system at /tmp/remote doesn't support cleanup"`,
      "Next: the API does not support this operation here; do not call clean_up again.",
    ],
  },
  "rclone: a folder with contents": {
    tool: tool("remove_folder", "POST /operations/rmdir", { body: ["remote"] }),
    input: { remote: "d" },
    status: 500,
    body: { error: "remove /tmp/remote/d: directory not empty" },
    want: [
      'The API says: "remove /tmp/remote/d: directory not empty"',
      "Next: the API refuses this for the reason that it gives. The same input may fail again.",
    ],
  },
  "rclone: a folder in place of a file": {
    tool: tool("delete_file", "POST /operations/deletefile", { body: ["remote"] }),
    input: { remote: "d" },
    status: 500,
    body: { error: "is a directory not a file" },
    effect: " delete_file may or may not have taken effect.",
    want: [
      'The API says: "is a directory not a file"',
      "Next: find out from another tool or the user whether it took effect. If not, correct the input of delete_file as the API says, then call it again; the same input fails again.",
    ],
  },
  "rclone: a key of one word that the request lacks": {
    tool: tool("create_config", "POST /config/create", { body: ["name", "type", "parameters"] }),
    input: { type: "memory" },
    status: 400,
    body: { error: 'Didn\'t find key "name" in input', input: { type: "memory" }, status: 400 },
    want: [
      'The API says: "Didn\'t find key \\"name\\" in input"',
      'The response also has: {"input":{"type":"memory"}}',
      "Next: add name, then call create_config again.",
    ],
  },
  "Placement: the name in the path, in a request without its optional body": {
    tool: tool("update_class", "PUT /classes/{name}", { whole: "body" }),
    input: { name: "VCPU-1" },
    status: 400,
    body: { message: "JSON does not validate: 'VCPU-1' does not match '^CUSTOM_'" },
    want: [
      "The API says: \"JSON does not validate: 'VCPU-1' does not match '^CUSTOM_'\"",
      "Next: correct the input of update_class as the API says, then call it again; the same input fails again.",
    ],
  },
  "Jupyter: a value that is quoted, and another input that is named": {
    tool: tool("get_content", "GET /contents/{path}", { query: ["type", "format"] }),
    input: { path: "a.txt", type: "directory" },
    status: 400,
    body: { message: "a.txt is not a directory", reason: "bad type" },
    want: [
      'The API says: "a.txt is not a directory; bad type"',
      "Next: correct path or type, then call get_content again; the same input fails again.",
    ],
  },
  "etcd: an input that is required, as 503": {
    tool: putKey,
    input: { value: "Yg==" },
    status: 503,
    body: {
      error: "etcdserver: key is not provided",
      code: 3,
      message: "etcdserver: key is not provided",
    },
    want: [
      'The API says: "etcdserver: key is not provided (code 3)"',
      "Next: add key, then call put_key again.",
    ],
  },
  "grpc-gateway 2: an argument, as 500": {
    tool: listPets,
    input: { limit: "-1" },
    status: 500,
    body: { code: 3, message: "limit -1 is negative", details: [] },
    want: [
      'The API says: "limit -1 is negative (code 3)"',
      "Next: correct limit, then call list_pets again; the same input fails again.",
    ],
  },
  "grpc-gateway: a state, as 500": {
    tool: revokeLease,
    input: { ID: "7" },
    status: 500,
    body: { code: 9, message: "etcdserver: authentication is not enabled", details: [] },
    want: [
      'The API says: "etcdserver: authentication is not enabled (code 9)"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "Zod: its issues as JSON in the message": {
    tool: tool("create_pet", "POST /pets", { body: ["name", "age"] }),
    input: { age: 3 },
    status: 400,
    body: {
      statusCode: 400,
      error: "Bad Request",
      message: JSON.stringify([
        { code: "invalid_type", expected: "string", path: ["name"], message: "Required" },
      ]),
    },
    want: [
      "The API says:",
      '- name: "Required (invalid_type)"',
      'The response also has: {"message":[{"expected":"string"}]}',
      "Next: correct name, then call create_pet again; the same input fails again.",
    ],
  },
  "a gateway: the error of another server as JSON in the message": {
    tool: listPets,
    status: 502,
    body: {
      error: JSON.stringify({ error: { message: "no space left", code: "ENOSPC", volume: "v7" } }),
    },
    want: [
      'The API says: "no space left (ENOSPC)"',
      'The response also has: {"error":{"error":{"volume":"v7"}}}',
      "Next: if the reason that the API gives can pass by itself, wait a little, then call list_pets again; otherwise tell the user.",
    ],
  },
  "a body without any text": {
    tool: listPets,
    status: 400,
    body: { code: 5, ok: false },
    want: [
      'The API says: {"code":5,"ok":false}',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "a body with a code and the ID of a trace": {
    tool: listPets,
    status: 400,
    body: { code: "INVALID_NAME", ok: false, trace: 'a"b' },
    want: [
      `The API says: {"code":"INVALID_NAME","ok":false,"trace":"a\\"b"}`,
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "a text in braces that is not JSON": {
    tool: listPets,
    status: 400,
    body: { error: "{name} is not a filter" },
    want: [
      'The API says: "{name} is not a filter"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "a list without a message in the message": {
    tool: listPets,
    status: 400,
    body: { message: "[1,2]" },
    want: [
      'The API says: "[1,2]"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "Docker: a body that was not sent": {
    tool: tool("start_exec", "POST /exec/{id}/start", { body: ["Detach", "Tty"] }),
    input: { id: "7" },
    status: 400,
    body: { message: "got EOF while reading request body" },
    want: [
      'The API says: "got EOF while reading request body"',
      "Next: the request had an empty body, because no input of it was given (Detach, Tty). If the API needs a body, give at least one of them, and call start_exec again.",
    ],
  },
  "grpc-gateway: permission, as 500": {
    tool: listPets,
    status: 500,
    body: { error: "permission denied", code: 7, message: "permission denied" },
    want: [
      'The API says: "permission denied (code 7)"',
      "Next: these credentials lack permission. Tell the user to check the permissions of CLINIC_TOKEN; do not retry.",
    ],
  },
  "Google: a name of a code, as 503": {
    tool: listPets,
    input: { limit: "x" },
    status: 503,
    body: { error: { code: 503, message: "Invalid page size.", status: "INVALID_ARGUMENT" } },
    want: [
      'The API says: "Invalid page size. (INVALID_ARGUMENT)"',
      "Next: correct the input of list_pets as the API says, then call it again; the same input fails again.",
    ],
  },
  "numbers that are no gRPC codes": {
    tool: listPets,
    status: 500,
    body: { code: 7, message: "Database is down" },
    want: [
      'The API says: "Database is down (code 7)"',
      "Next: the fault is on the API's side. A retry can help: wait a little, then call list_pets again. If it fails again, tell the user.",
    ],
  },
  "Docker: a filter, as 500": {
    tool: listPets,
    input: { status: "foo" },
    status: 500,
    body: { message: "invalid filter 'foo'" },
    want: [
      `The API says: "invalid filter 'foo'"`,
      "Next: correct status, then call list_pets again; the same input fails again.",
    ],
  },
  "Express: a list of one item, read as a text": {
    tool: toolOf({
      name: "search_features",
      properties: { status: { type: "array", items: text } },
      send: { method: "GET", path: "/features", query: { status: "status" } },
    }),
    input: { status: ["on"] },
    status: 400,
    body: {
      message: "Invalid data.",
      details: [
        {
          message: 'The `/query/status` property must be array. You sent "on".',
          path: "/query/status",
        },
      ],
    },
    want: [
      'The API says: "Invalid data."',
      '- status: "The `/query/status` property must be array. You sent \\"on\\"."',
      "Next: status has one item, which is sent like a text, and the API wants a list. Call search_features again with more items, or with the same item twice in status.",
    ],
  },
  "Docker: a port that is taken, as 500": {
    tool: startContainer,
    input: { id: "web" },
    status: 500,
    body: { message: "Bind for 0.0.0.0:80 failed: port is already allocated" },
    want: [
      'The API says: "Bind for 0.0.0.0:80 failed: port is already allocated"',
      "Next: the API refuses this for the reason that it gives. Call list_containers to see the current state. Do not call start_container again while it lasts.",
    ],
  },
  "Podman: a state, as 500": {
    tool: pauseContainer,
    input: { id: "web" },
    status: 500,
    body: { message: '"05c58849d2c3" is already paused: container state improper' },
    want: [
      'The API says: "\\"05c58849d2c3\\" is already paused: container state improper"',
      "Next: the API refuses this for the reason that it gives. Call list_containers to see the current state. Do not call pause_container again while it lasts.",
    ],
  },
  "Podman: the state of a session, as 500": {
    tool: tool("start_exec", "POST /exec/{id}/start", { body: ["Detach"] }),
    input: { id: "33cbb2e63adf", Detach: false },
    status: 500,
    body: {
      message:
        'can only start created exec sessions, while container 05c5 session 33cbb2e63adf state is "stopped": exec session state improper',
    },
    want: [
      'The API says: "can only start created exec sessions, while container 05c5 session 33cbb2e63adf state is \\"stopped\\": exec session state improper"',
      "Next: the API refuses this for the reason that it gives. The same input may fail again.",
    ],
  },
  "Docker: no swarm, as 503": {
    tool: tool("create_service", "POST /services/create", { body: ["Name"] }),
    input: { Name: "web" },
    status: 503,
    env: { CLINIC_MAX_RETRIES: "0" },
    body: {
      message:
        'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
    },
    effect: " create_service may or may not have taken effect.",
    want: [
      'The API says: "This node is not a swarm manager. Use \\"docker swarm init\\" or \\"docker swarm join\\" to connect this node to swarm and try again."',
    ],
  },
  "Docker: a running container": {
    tool: tool("delete_container", "DELETE /containers/{id}", { query: ["force"] }),
    input: { id: "web" },
    status: 409,
    body: {
      message:
        'cannot remove container "/web": container is running: stop the container before removing or force remove',
    },
    want: [
      'The API says: "cannot remove container \\"/web\\": container is running: stop the container before removing or force remove"',
    ],
  },
  "Docker: a container that does not run": {
    tool: tool("exec_container", "POST /containers/{id}/exec", { body: ["Cmd"] }),
    input: { id: "web", Cmd: ["ls"] },
    status: 409,
    body: { message: "container web is not running" },
    want: [
      'The API says: "container web is not running"',
      "Next: the API refuses this for the reason that it gives. Call list_containers to see the current state. The same input may fail again.",
    ],
  },
  "go-openapi: a required field": {
    tool: createPet,
    input: { age: 3 },
    status: 422,
    body: { code: 602, message: "name in body is required" },
    want: [
      'The API says: "name in body is required (code 602)"',
      "Next: add name, then call create_pet again.",
    ],
  },
  "n8n: a required property": {
    tool: tool("create_workflow", "POST /workflows", { body: ["name", "settings"] }),
    input: { name: "x" },
    status: 400,
    body: { message: "request/body must have required property 'settings'" },
    want: [
      `The API says: "request/body must have required property 'settings'"`,
      "Next: add settings, then call create_workflow again.",
    ],
  },
  "Directus: the field in the extensions": {
    tool: createItem,
    input: { collection: "dogs", item: { title: "" } },
    status: 400,
    body: {
      errors: [
        {
          message: 'Validation failed for field "title". Value is required.',
          extensions: { code: "FAILED_VALIDATION", field: "title", type: "required" },
        },
      ],
    },
    want: [
      'The API says: "Validation failed for field \\"title\\". Value is required. (FAILED_VALIDATION)"',
      "Next: correct the input of create_item as the API says, then call it again; the same input fails again.",
    ],
  },
  "Directus: a service, as 503": {
    tool: createItem,
    input: { collection: "dogs", item: {} },
    status: 503,
    env: { CLINIC_MAX_RETRIES: "0" },
    body: {
      errors: [
        {
          message: 'Invalid payload. "collection" is required.',
          extensions: { code: "INVALID_PAYLOAD" },
        },
      ],
    },
    effect: " create_item may or may not have taken effect.",
    want: [
      'The API says: "Invalid payload. \\"collection\\" is required. (INVALID_PAYLOAD)"',
      "Next: find out from another tool or the user whether it took effect. If not, correct the input of create_item as the API says, then call it again; the same input fails again.",
    ],
  },
  "Directus: a fault of the program that speaks of an argument, after an effect": {
    tool: tool("delete_file", "DELETE /files/{id}"),
    input: { id: "67c2" },
    status: 500,
    body: {
      errors: [{ message: 'The "path" argument must be of type string. Received null' }],
    },
    want: [
      'The API says: "The \\"path\\" argument must be of type string. Received null"',
      "Next: delete_file may or may not have taken effect. Find out from another tool or the user whether it took effect before you call delete_file again. If it fails again, tell the user.",
    ],
  },
  "Unleash: a message that its details repeat": {
    tool: tool("create_api_token", "POST /tokens", { body: ["environment"] }),
    input: { environment: "moon" },
    status: 400,
    body: {
      message: "Your request body contains invalid data: Environment=moon does not exist",
      details: [{ message: "Environment=moon does not exist" }],
    },
    want: [
      'The API says: "Your request body contains invalid data: Environment=moon does not exist"',
      'Next: the API finds nothing with environment "moon". Do not call create_api_token again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "PowerDNS: a list that is absent": {
    tool: tool("update_zone", "PATCH /zones/{zone_id}", { body: ["kind", "rrsets"] }),
    input: { zone_id: "example.org.", kind: "Master" },
    status: 422,
    body: { error: "No rrsets given in update request" },
    want: [
      'The API says: "No rrsets given in update request"',
      "Next: add rrsets, then call update_zone again.",
    ],
  },
  "Unleash: a value that the message quotes": {
    tool: createPet,
    input: { name: "dark mode" },
    status: 400,
    body: { message: '"name" must be URL friendly. You provided "dark mode".' },
    want: [
      'The API says: "\\"name\\" must be URL friendly. You provided \\"dark mode\\"."',
      "Next: correct name, then call create_pet again; the same input fails again.",
    ],
  },
  "a state that no input can change": {
    tool: tool("order_part", "POST /orders", { body: ["partId", "quantity"] }),
    input: { partId: "p1", quantity: 9 },
    status: 422,
    body: { message: "Only 2 in the store" },
    want: [
      'The API says: "Only 2 in the store"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "Laravel: a list": {
    tool: createPet,
    input: { name: "", age: 3 },
    status: 422,
    body: {
      message: "The given data was invalid.",
      errors: { name: ["The name field is required."] },
    },
    want: [
      'The API says: "The given data was invalid."',
      '- name: "The name field is required."',
      "Next: correct name, then call create_pet again; the same input fails again.",
    ],
  },
  "FastAPI: values that are allowed": {
    tool: createPet,
    input: { name: "x", age: 3 },
    status: 422,
    body: { detail: [{ loc: ["body", "name"], msg: "Input should be one of 'Rex', 'Rover'" }] },
    want: ["The API says:", `- name: "Input should be one of 'Rex', 'Rover'"`],
  },
  "Spring: a parameter": {
    tool: listPets,
    status: 400,
    body: {
      timestamp: "2026",
      status: 400,
      error: "Bad Request",
      message:
        "Required request parameter 'status' for method parameter type String is not present",
      path: "/pets",
    },
    want: [
      `The API says: "Required request parameter 'status' for method parameter type String is not present"`,
      'The response also has: {"timestamp":"2026"}',
      "Next: add status, then call list_pets again.",
    ],
  },
  "problem details": {
    tool: createPet,
    input: { name: "Rex" },
    status: 409,
    headers: { "content-type": "application/problem+json" },
    body: { type: "about:blank", title: "Conflict", detail: "A pet named Rex exists", status: 409 },
    want: [
      'The API says: "A pet named Rex exists"',
      "Next: the API refuses this for the reason that it gives. Call list_pets to see the current state. The same input may fail again.",
    ],
  },
  "a conflict of one part of the body": {
    tool: tool("create_order", "POST /orders", { body: ["lines", "note"] }),
    input: { lines: [{ sku: "K-17", count: 1 }, { sku: "M-20" }], note: "soon" },
    status: 409,
    body: { message: "M-20 is already reserved" },
    want: [
      'The API says: "M-20 is already reserved"',
      'Next: the API refuses this for the reason that it gives, and the API names lines.1.sku "M-20". The same input may fail again.',
    ],
  },
  "a reason that only the API knows, as 500": {
    tool: listPets,
    status: 500,
    body: { message: "The index has 3 shards on no node" },
    want: [
      'The API says: "The index has 3 shards on no node"',
      "Next: if the reason that the API gives can pass by itself, wait a little, then call list_pets again; otherwise tell the user.",
    ],
  },
  "a panic, which contains the word invalid": {
    tool: listPets,
    status: 500,
    body: "runtime error: invalid memory address or nil pointer dereference",
    want: [
      'The API says: "runtime error: invalid memory address or nil pointer dereference"',
      "Next: the fault is on the API's side. A retry can help: wait a little, then call list_pets again. If it fails again, tell the user.",
    ],
  },
  "Jetty: an exception about a value, as 500": {
    tool: listPets,
    input: { limit: "x" },
    status: 500,
    body: { message: 'java.lang.NumberFormatException: For input string: "x"', status: "500" },
    want: [
      'The API says: "java.lang.NumberFormatException: For input string: \\"x\\""',
      "Next: correct limit, then call list_pets again; the same input fails again.",
    ],
  },
  "Jetty: an exception about a position, as 500": {
    tool: listPets,
    input: { limit: "2" },
    status: 500,
    body: { message: "java.lang.IllegalArgumentException: fromIndex(100) > toIndex(7)" },
    want: [
      'The API says: "java.lang.IllegalArgumentException: fromIndex(100) > toIndex(7)"',
      "Next: correct the input of list_pets as the API says, then call it again; the same input fails again.",
    ],
  },
  "Signal K: a 500 whose body has the status of the call": {
    tool: startContainer,
    input: { id: "x" },
    status: 500,
    body: { state: "FAILED", statusCode: 400, message: "Invalid Data supplied." },
    want: [
      'The API says: "Invalid Data supplied."',
      'The response also has: {"statusCode":400}',
      'Next: the API does not say what it rejects, and may have nothing with id "x". Do not call start_container again with the same input; if the user gave the value, ask them to check it.',
    ],
  },
  "Signal K: a 500 that names nothing as missing": {
    tool: getWorkflow,
    input: { id: "nope" },
    status: 500,
    body: "Unable to check request: not found",
    headers: { "content-type": "text/plain" },
    want: [
      'The API says: "Unable to check request: not found"',
      'Next: the API finds nothing with id "nope". Get a valid id from list_workflows; if the user gave the value, ask them to check it.',
    ],
  },
  "a 500 that names something else as missing": {
    tool: getWorkflow,
    input: { id: "w1" },
    status: 500,
    body: { message: "Template not found: mail" },
    want: [
      'The API says: "Template not found: mail"',
      "Next: if the reason that the API gives can pass by itself, wait a little, then call get_workflow again; otherwise tell the user.",
    ],
  },
  "WireMock: a body that the documentation lacks": {
    tool: tool("import_mappings", "POST /mappings/import"),
    status: 422,
    body: {
      errors: [
        {
          code: 10,
          source: { pointer: "/" },
          title: "Error parsing JSON",
          detail: "No content to map due to end-of-input",
        },
      ],
    },
    want: [
      'The API says: "/: Error parsing JSON; No content to map due to end-of-input (code 10)"',
      "Next: the API reads a body, which its documentation lacks: pass its fields like inputs, then call import_mappings again.",
    ],
  },
  "Ceph: a body that the documentation lacks, in the words of a media type": {
    tool: tool("set_settings", "PUT /settings"),
    status: 415,
    body: { detail: "Expected an entity of content type application/json, text/javascript" },
    want: [
      'The API says: "Expected an entity of content type application/json, text/javascript"',
      "Next: the API reads a body, which its documentation lacks: pass its fields like inputs, then call set_settings again.",
    ],
  },
  "Ceph: two words before a quoted value name no input of the first word": {
    tool: tool("create_pool", "POST /pool", { body: ["pool"] }),
    input: { pool: "p2" },
    status: 400,
    body: { detail: "[errno -22] unknown pool type 'nope'" },
    want: [
      `The API says: "[errno -22] unknown pool type 'nope'"`,
      "Next: correct the input of create_pool as the API says, then call it again; the same input fails again.",
    ],
  },
  "LemonLDAP::NG: a field that does not exist is no missing thing": {
    tool: tool("update_rp", "PATCH /rp/{confKey}", { body: ["options"] }),
    input: { confKey: "rp1", options: { nope: "x" } },
    status: 400,
    body: { error: "Invalid input: Attribute oidcRPMetaDataOptionsNope does not exist." },
    want: [
      'The API says: "Invalid input: Attribute oidcRPMetaDataOptionsNope does not exist."',
      "Next: correct the input of update_rp as the API says, then call it again; the same input fails again.",
    ],
  },
  "Homebridge UI: a fault over an input that was omitted": {
    tool: tool("restore_backup", "POST /restore", { body: ["file", "name"] }),
    input: { name: "b" },
    status: 500,
    body: { message: "Cannot read properties of undefined (reading 'file')" },
    want: [
      `The API says: "Cannot read properties of undefined (reading 'file')"`,
      "Next: restore_backup may or may not have taken effect. Find out from another tool or the user whether it took effect. If not, add file, then call restore_backup again.",
    ],
  },
  "Homebridge UI: a fault of code about its own text asks for no body": {
    tool: tool("create_backup", "POST /backup"),
    status: 500,
    body: { message: "Cannot read properties of undefined (reading 'replace')" },
    want: [
      `The API says: "Cannot read properties of undefined (reading 'replace')"`,
      "Next: create_backup may or may not have taken effect. Find out from another tool or the user whether it took effect before you call create_backup again. If it fails again, tell the user.",
    ],
  },
  "JupyterHub: a body of a deletion that the documentation lacks": {
    tool: tool("remove_group_users", "DELETE /groups/{name}/users"),
    input: { name: "math" },
    status: 400,
    body: { status: 400, message: "Invalid JSON data: None" },
    want: [
      'The API says: "Invalid JSON data: None"',
      "Next: the API reads a body, which its documentation lacks: pass its fields like inputs, then call remove_group_users again.",
    ],
  },
  "postgres-meta: a fault over a body that the documentation lacks": {
    tool: tool("create_policy", "POST /policies"),
    status: 500,
    body: { error: "Cannot destructure property 'name' of 'undefined' as it is undefined." },
    want: [
      `The API says: "Cannot destructure property 'name' of 'undefined' as it is undefined."`,
      "Next: create_policy may or may not have taken effect. Find out from another tool or the user whether it took effect. If not, the API may read a body, which its documentation lacks: pass its fields, such as name, like inputs, then call create_policy again.",
    ],
  },
  "postgres-meta: a fault of a POST that only reads": {
    tool: {
      ...tool("parse_query", "POST /query/parse", { body: ["query"] }),
      annotations: listPets.annotations,
    },
    input: { query: "sel 1" },
    status: 500,
    body: { error: "connect ECONNREFUSED 10.0.0.1:5432" },
    want: [
      'The API says: "connect ECONNREFUSED 10.0.0.1:5432"',
      "Next: if the reason that the API gives can pass by itself, wait a little, then call parse_query again; otherwise tell the user.",
    ],
  },
  "a fault that is about no body": {
    tool: tool("create_policy", "POST /policies"),
    status: 500,
    body: { error: "connect ECONNREFUSED 10.0.0.1:5432" },
    want: [
      'The API says: "connect ECONNREFUSED 10.0.0.1:5432"',
      "Next: create_policy may or may not have taken effect. Find out from another tool or the user whether it took effect before you call create_policy again. If it fails again, tell the user.",
    ],
  },
  "Backstage: the class of an error in place of a field": {
    tool: createPet,
    input: { name: "Rex" },
    status: 400,
    body: {
      errors: [
        {
          name: "TypeError",
          message: "<root> must have required property 'kind' - missingProperty: kind",
        },
      ],
    },
    want: [
      `The API says: "TypeError: <root> must have required property 'kind' - missingProperty: kind"`,
      "Next: correct the input of create_pet as the API says, then call it again; the same input fails again.",
    ],
  },
  "Backstage: a list and its item": {
    tool: tool("list_entities", "POST /entities/find", { body: ["filter"] }),
    input: { filter: ["=x"] },
    status: 400,
    body: { message: "Invalid filter, '=x' is not a valid statement" },
    want: [
      `The API says: "Invalid filter, '=x' is not a valid statement"`,
      "Next: correct filter.0, then call list_entities again; the same input fails again.",
    ],
  },
  "JupyterHub: an input that must be specified": {
    tool: createPet,
    input: { name: "math" },
    status: 400,
    body: { status: 400, message: "Must specify age to add" },
    want: ['The API says: "Must specify age to add"', "Next: add age, then call create_pet again."],
  },
  "JupyterHub: a limit that another deletion resolves": {
    tool: createPet,
    input: { name: "four" },
    status: 400,
    body: {
      message:
        "User emmy already has the maximum of 3 named servers. One must be deleted before a new server can be created",
    },
    want: [
      'The API says: "User emmy already has the maximum of 3 named servers. One must be deleted before a new server can be created"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "two joined names that are required": {
    tool: createPet,
    input: { owner_id: "o1" },
    status: 400,
    body: { message: "name and age are required" },
    want: [
      'The API says: "name and age are required"',
      "Next: add name and age as far as the API asks for them, then call create_pet again.",
    ],
  },
  "two names after missing": {
    tool: createPet,
    input: { owner_id: "o1" },
    status: 400,
    body: { message: "Missing required fields: name, age" },
    want: [
      'The API says: "Missing required fields: name, age"',
      "Next: add name and age as far as the API asks for them, then call create_pet again.",
    ],
  },
  "NestJS: types of names that the call lacks": {
    tool: createPet,
    input: { owner_id: "o1" },
    status: 400,
    body: { statusCode: 400, message: ["name must be a string", "age must be an integer number"] },
    want: [
      'The API says: "name must be a string; age must be an integer number"',
      "Next: add name and age as far as the API asks for them, then call create_pet again.",
    ],
  },
  "two joined names that are empty": {
    tool: createPet,
    input: { name: "", age: "", owner_id: "o1" },
    status: 422,
    body: { message: "Name, age and color must be provided" },
    want: [
      'The API says: "Name, age and color must be provided"',
      "Next: correct name and age, then call create_pet again; the same input fails again.",
    ],
  },
  "two joined names that are invalid": {
    tool: createPet,
    input: { name: "?", age: "?" },
    status: 400,
    body: { message: "Invalid name and age" },
    want: [
      'The API says: "Invalid name and age"',
      "Next: correct name and age, then call create_pet again; the same input fails again.",
    ],
  },
  "Podman: a command that is absent, as 500": {
    tool: createContainer,
    input: { name: "web", Image: "bb:1" },
    status: 500,
    effect: " create_container may or may not have taken effect.",
    body: {
      cause: "no command or entrypoint provided, and no CMD or ENTRYPOINT from image",
      message: "no command or entrypoint provided, and no CMD or ENTRYPOINT from image",
      response: 500,
    },
    want: [
      'The API says: "no command or entrypoint provided, and no CMD or ENTRYPOINT from image"',
      "Next: call list_containers to see whether it took effect. If not, correct the input of create_container as the API says, then call it again; the same input fails again.",
    ],
  },
  "Podman: a body that was left out, as 500": {
    tool: createContainer,
    status: 500,
    effect: " create_container may or may not have taken effect.",
    body: { cause: "EOF", message: "Decode(): EOF", response: 500 },
    want: [
      'The API says: "Decode(): EOF"',
      "Next: call list_containers to see whether it took effect. If not, the request had no body, because no input of it was given (Image, Cmd, HostConfig). If the API needs a body, give at least one of them, and call create_container again.",
    ],
  },
  "Podman: sessions that no one signs in to": {
    tool: execContainer,
    input: { name: "web", Cmd: [] },
    status: 500,
    effect: " exec_container may or may not have taken effect.",
    body: {
      message: "must provide a non-empty command to start an exec session: invalid argument",
    },
    want: [
      'The API says: "must provide a non-empty command to start an exec session: invalid argument"',
      "Next: call list_containers to see whether it took effect. If not, correct the input of exec_container as the API says, then call it again; the same input fails again.",
    ],
  },
  "Signal K: a call without input": {
    tool: tool("reverse_route", "PUT /course/reverse", { query: ["pointIndex"] }),
    status: 400,
    body: { state: "FAILED", statusCode: 400, message: "Invalid Data supplied." },
    want: [
      'The API says: "Invalid Data supplied."',
      "Next: the call had no input. Give pointIndex if the API asks for it; otherwise tell the user.",
    ],
  },
  "Signal K: the target of a reference": {
    tool: tool("set_destination", "PUT /course/destination", { whole: "body" }),
    input: { body: { href: "/resources/waypoints/w9" } },
    status: 400,
    body: { message: "Error retrieving and validating /resources/waypoints/w9" },
    want: [
      'The API says: "Error retrieving and validating /resources/waypoints/w9"',
      'Next: the API refuses this for body.href "/resources/waypoints/w9". Correct what its message names, or tell the user; the same input may fail again.',
    ],
  },
  "Azurite: a query parameter by its name in XML": {
    tool: tool("stage_block", "PUT /{container}/{blob}", { query: ["blockid"] }),
    input: { container: "box", blob: "big", blockid: "***" },
    status: 400,
    body: azure(
      "InvalidQueryParameterValue",
      "Value for one of the query parameters specified in the request URI is invalid.",
      "<QueryParameterName>blockid</QueryParameterName><Reason>Not a valid base64 string.</Reason>",
    ),
    headers: xml,
    want: [
      "The API says:",
      '- blockid: "Value for one of the query parameters specified in the request URI is invalid. (InvalidQueryParameterValue)"',
      'The response also has: {"Reason":"Not a valid base64 string."}',
      "Next: correct blockid, then call stage_block again; the same input fails again.",
    ],
  },
  "Azurite: a tier that is no plan": {
    tool: tool("set_tier", "PUT /{container}/{blob}", { query: ["access_tier"] }),
    input: { container: "box", blob: "a.txt", access_tier: "P4" },
    status: 400,
    body: azure("AccessTier", "The access tier is not supported for this blob type."),
    headers: xml,
    want: [
      'The API says: "The access tier is not supported for this blob type. (AccessTier)"',
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
  },
  "Azurite: a lease ID that is absent, as 412": {
    tool: toolOf({
      name: "delete_blob",
      properties: { blob: text, lease: text },
      send: {
        method: "DELETE",
        path: "/{blob}",
        pathParams: { blob: "blob" },
        headers: { "x-ms-lease-id": "lease" },
      },
    }),
    input: { blob: "c.json" },
    status: 412,
    body: azure("LeaseIdMissing", "There is a lease and no lease ID was specified in the request."),
    headers: xml,
    want: [
      'The API says: "There is a lease and no lease ID was specified in the request. (LeaseIdMissing)"',
      "Next: add lease, then call delete_blob again.",
    ],
  },
  "a joined word that is no input": {
    tool: createPet,
    input: { owner_id: "o1" },
    status: 400,
    body: { message: "Nothing was saved, and name is required" },
    want: [
      'The API says: "Nothing was saved, and name is required"',
      "Next: add name, then call create_pet again.",
    ],
  },
  "a gateway's page": {
    tool: listPets,
    status: 502,
    env: { CLINIC_MAX_RETRIES: "0" },
    body: "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>",
    headers: html,
    want: [
      "Next: the fault is on the API's side. A retry can help: wait a little, then call list_pets again. If it fails again, tell the user.",
    ],
  },
  "a write whose message says what to do, as 500": {
    tool: createPet,
    input: { name: "Rex" },
    status: 500,
    body: { message: "An error occurred. Please try again later." },
    effect: " create_pet may or may not have taken effect.",
    want: ['The API says: "An error occurred. Please try again later."'],
  },
};

describe.each([
  ["missing", missing],
  ["refused", refused],
  ["rejected", rejected],
])("%s", (_, rows) => {
  test.concurrent.each(Object.entries(rows))("%s", async (_name, row) => {
    const { tool: called, input = {}, status, body, headers, want, effect = "", ...sketch } = row;
    const upstream = await startUpstream(reply(status, body, headers));
    const env = {
      ...token,
      CLINIC_BASE_URL: upstream.url,
      CLINIC_MAX_RETRY_WAIT_MS: "0",
      ...sketch.env,
    };
    const others = [...lists, listPets].filter(({ name }) => name !== called.name);
    const names = [...new Map(others.map((one) => [one.name, one])).values()];
    const result = await call(called, input, { ...sketch, env, others: names });
    await upstream.close();
    const [first = "", ...lines] = textOf(result).replaceAll(upstream.url, "API").split("\n");
    expect(lines).toEqual(want);
    expect(first.slice(first.indexOf(").") + 2)).toBe(effect);
    expect(result.structuredContent).toBeUndefined();
  });
});
