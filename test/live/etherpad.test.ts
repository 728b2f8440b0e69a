import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testServer } from "./live-test.js";
import type { Launch, LaunchSite, LiveCall, Variant } from "./types.js";

const key = "live-test-key";

/** Etherpad runs from a folder `src` to which its package in `node_modules` is a link. */
async function arrange(installation: string): Promise<void> {
  await rename(join(installation, "node_modules/ep_etherpad-lite"), join(installation, "src"));
  await symlink("../src", join(installation, "node_modules/ep_etherpad-lite"));
}

async function start({ installation, data, port }: LaunchSite): Promise<Launch> {
  const settings = {
    ip: "127.0.0.1",
    port,
    dbType: "dirty",
    dbSettings: { filename: join(data, "pads.db") },
    minify: false,
  };
  await writeFile(join(data, "settings.json"), JSON.stringify(settings));
  await writeFile(join(data, "key.txt"), key);
  const files = { settings: "settings.json", apikey: "key.txt", sessionkey: "session.txt" };
  const options = Object.entries(files).flatMap(([name, file]) => [`--${name}`, join(data, file)]);
  return {
    command: process.execPath,
    args: [join(installation, "src/node/server.js"), ...options],
    env: { NODE_ENV: "production" },
  };
}

const failing = (kind: LiveCall["kind"], tool: string, input: object, say: string): LiveCall => ({
  kind,
  tool,
  arguments: { ...input },
  expect: "error",
  says: [say],
});

const notes = { padID: "notes" };
const copy = { sourceID: "notes", destinationID: "copy" };

const plain: Variant = {
  name: "plain",
  calls: [
    { kind: "other", tool: "check_token", says: ['"code":0'] },
    { kind: "list", tool: "list_all_pads", says: ['"padIDs":[]'] },
    { kind: "create", tool: "create_pad", arguments: { ...notes, text: "one" } },
    failing("conflict", "create_pad", notes, "padID does already exist"),
    failing("wrong input", "create_pad", {}, "padID is not a string"),
    failing("wrong input", "create_pad", { padId: "x" }, "did you mean padID?"),
    { kind: "find", tool: "get_text", arguments: notes, says: ['"text":"one\\n"'] },
    failing("wrong ID", "get_text", { padID: "none" }, "padID does not exist"),
    failing("wrong input", "get_text", { ...notes, rev: 99 }, "higher than the head revision"),
    { kind: "change", tool: "append_text", arguments: { ...notes, text: "two" } },
    { kind: "change", tool: "set_html", arguments: { ...notes, html: "<p>three</p>" } },
    { kind: "download", tool: "get_html", arguments: notes, says: ["three"] },
    { kind: "find", tool: "get_revisions_count", arguments: notes, says: ['"revisions":'] },
    { kind: "create", tool: "copy_pad", arguments: copy },
    failing("conflict", "copy_pad", copy, "destinationID already exists"),
    { kind: "change", tool: "copy_pad", arguments: { ...copy, force: true } },
    {
      kind: "create",
      tool: "copy_pad_without_history",
      arguments: { ...copy, destinationID: "second" },
    },
    {
      kind: "change",
      tool: "move_pad",
      arguments: { sourceID: "second", destinationID: "third" },
    },
    { kind: "delete", tool: "delete_pad", arguments: { padID: "copy" } },
    failing("wrong ID", "delete_pad", { padID: "copy" }, "padID does not exist"),
    { kind: "list", tool: "list_all_pads", says: ["notes", "third"] },
    { kind: "create", tool: "create_group", save: { group: "/data/groupID" } },
    {
      kind: "create",
      tool: "create_group_pad",
      arguments: { groupID: "$group", padName: "minutes" },
    },
    { kind: "list", tool: "list_pads", arguments: { groupID: "$group" }, says: ["minutes"] },
    failing("wrong ID", "list_pads", { groupID: "g.none" }, "groupID does not exist"),
    failing("wrong input", "get_public_status", notes, "belong to a group"),
    {
      kind: "create",
      tool: "create_author",
      arguments: { name: "Ann" },
      save: { author: "/data/authorID" },
    },
    { kind: "find", tool: "get_author_name", arguments: { authorID: "$author" }, says: ["Ann"] },
    { kind: "create", tool: "append_chat_message", arguments: { ...notes, text: "Hello" } },
    { kind: "list", tool: "get_chat_history", arguments: notes, says: ["Hello"] },
    { kind: "create", tool: "save_revision", arguments: notes },
    failing("wrong input", "restore_revision", { ...notes, rev: "x" }, "rev is not a number"),
    { kind: "delete", tool: "delete_group", arguments: { groupID: "$group" } },
    failing("wrong ID", "get_session_info", { sessionID: "s.none" }, "sessionID does not exist"),
    {
      ...failing("no credentials", "list_all_pads", {}, "ETHERPAD_API_KEY"),
      credentials: "none",
    },
    {
      ...failing("no credentials", "list_all_pads", {}, "no or wrong API Key"),
      credentials: "wrong",
    },
    { kind: "server stopped", tool: "get_text", arguments: notes },
    { kind: "server stopped", tool: "delete_pad", arguments: notes },
  ],
};

const workflows = `arazzo: 1.0.1
info: {title: Tasks of pads, version: 1.0.0}
sourceDescriptions: [{name: pads, type: openapi, url: "{url}/api/openapi.json"}]
workflows:
  - workflowId: copy-and-read
    summary: Copy a pad and read the copy.
    inputs:
      type: object
      required: [pad, copy]
      properties:
        pad: {type: string, description: ID of the pad.}
        copy: {type: string, description: ID of the copy.}
    steps:
      - stepId: copy
        description: Copy the pad.
        operationId: copyPadUsingPOST
        parameters:
          - {name: sourceID, in: query, value: $inputs.pad}
          - {name: destinationID, in: query, value: $inputs.copy}
        successCriteria: [{condition: "$response.body#/code == 0"}]
      - stepId: read
        description: Read the copy.
        operationId: getTextUsingGET
        parameters: [{name: padID, in: query, value: $inputs.copy}]
        successCriteria: [{condition: "$response.body#/code == 0"}]
        outputs: {text: $response.body#/data/text}
    outputs: {text: $steps.read.outputs.text}
`;

const configured: Variant = {
  name: "configured",
  workflows,
  configuration: `version: 1
workflows: [./tasks.arazzo.yaml]
select:
  default: exclude
  rules: [{match: {path: "/*Pad*"}, include: true}, {match: {path: "/*Text"}, include: true}]
tools:
  copy_and_read: {workflow: copy-and-read}
  create_pad: {inputs: {padID: {name: pad}}}
`,
  calls: [
    { kind: "create", tool: "create_pad", arguments: { pad: "notes", text: "one" } },
    {
      kind: "workflow",
      tool: "copy_and_read",
      arguments: { pad: "notes", copy: "copy" },
      says: ['"text":"one\\n"'],
    },
    failing("workflow", "copy_and_read", { pad: "notes", copy: "copy" }, "already exists"),
    failing("workflow", "copy_and_read", { pad: "none", copy: "other" }, "does not exist"),
    failing("conflict", "create_pad", { pad: "notes" }, "padID does already exist"),
    { kind: "server stopped", tool: "copy_and_read", arguments: { pad: "notes", copy: "third" } },
  ],
};

testServer({
  name: "etherpad",
  packages: ["ep_etherpad-lite@1.8.14"],
  arrange,
  start,
  ready: "/api/openapi.json",
  document: "/api/openapi.json",
  credentials: { ETHERPAD_API_KEY: key },
  // The API has neither pages nor files.
  lacks: ["page", "upload"],
  variants: [plain, configured],
});
