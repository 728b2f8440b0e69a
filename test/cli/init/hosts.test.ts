import { parseEnv } from "node:util";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import type { HostedServer } from "../../../src/cli/init/host-entries.js";
import {
  describeUnwritable,
  type Host,
  hosts,
  mergeHostFile,
  setVariables,
} from "../../../src/cli/init/hosts.js";
import { hostSchemas } from "./host-schemas.js";

const server: HostedServer = {
  name: "clinic",
  folder: "/srv",
  tokenVariable: "CLINIC_HTTP_TOKEN",
  secrets: [],
  list: { tools: 12, tokens: 20_000 },
  modeVariable: "CLINIC_MODE",
};
const url = "https://mcp.example.com/mcp";
const host = (id: string): Host => hosts.find((known) => known.id === id) as Host;
const entry = { command: "node", args: ["/srv/dist/server.js"] };
const apiKey = { name: "CLINIC_API_KEY", description: "API key." };

/** A new file, parsed. */
function newFile(id: string, fields: Partial<HostedServer> = {}): Record<string, unknown> {
  const merged = mergeHostFile(host(id), { ...server, ...fields }, undefined, false);
  const content = merged.kind === "changed" ? merged.content : "";
  return host(id).format === "json" ? JSON.parse(content) : parseTable(content);
}

/** TOML of one table, as far as these files have it. */
function parseTable(content: string): Record<string, unknown> {
  const [, key = "", name = ""] = /^\[(\w+)\.(\w+)\]$/m.exec(content) ?? [];
  const values = [...content.matchAll(/^(\w+) = (.*)$/gm)].map(
    ([, option = "", value = ""]) => [option, JSON.parse(value)] as const,
  );
  return { [key]: { [name]: Object.fromEntries(values) } };
}

const forms: readonly (readonly [string, Partial<HostedServer>])[] = [
  ["started", {}],
  ["started from the current folder", { folder: "server" }],
  ["started with a short list", { list: { tools: 5, tokens: 900 } }],
  ["started with many tools", { list: { tools: 200, tokens: 90_000 } }],
  ["started without its secret", { secrets: [apiKey] }],
  ["connected to", { url }],
];

describe.each(hosts.map(({ id }) => id))("the entry for %s has the documented form", (id) => {
  test.each(forms)("of a server that is %s", (_, fields) => {
    if (id === "claude-desktop" && fields.url !== undefined) return;
    const { valid, errors } = new Validator(hostSchemas[id]!).validate(newFile(id, fields));
    expect([valid, errors]).toEqual([true, []]);
  });
});

const inFolder = (base: string): object => ({
  command: "node",
  args: [`${base}/server/dist/server.js`],
});

test.each([
  ["claude-code", { type: "stdio", ...inFolder("${CLAUDE_PROJECT_DIR:-.}") }],
  ["cursor", inFolder("${workspaceFolder}")],
  ["vscode", { type: "stdio", ...inFolder("${workspaceFolder}") }],
  ["gemini", inFolder(".")],
  ["claude-desktop", inFolder(process.cwd())],
  ["codex", inFolder(process.cwd())],
])("%s starts a server in this folder", (id, want) => {
  expect(newFile(id, { folder: "server" })).toEqual({ [host(id).key]: { clinic: want } });
});

test.each([
  ["claude-code", { type: "http", url, headers: { Authorization: "Bearer ${CLINIC_HTTP_TOKEN}" } }],
  ["cursor", { url, headers: { Authorization: "Bearer ${env:CLINIC_HTTP_TOKEN}" } }],
  [
    "vscode",
    { type: "http", url, headers: { Authorization: "Bearer ${input:CLINIC_HTTP_TOKEN}" } },
  ],
  ["codex", { url, bearer_token_env_var: "CLINIC_HTTP_TOKEN" }],
  ["gemini", { httpUrl: url, headers: { Authorization: "Bearer ${CLINIC_HTTP_TOKEN}" } }],
])("%s connects to an endpoint", (id, want) => {
  expect(newFile(id, { url })).toMatchObject({ [host(id).key]: { clinic: want } });
});

test("Claude Desktop connects to an endpoint as a connector", () => {
  expect(mergeHostFile(host("claude-desktop"), { ...server, url }, undefined, false)).toEqual({
    kind: "elsewhere",
    advice: `Claude Desktop connects to a URL as a connector: Settings, Connectors, Add custom connector, ${url}`,
  });
});

test("VS Code asks for secrets, and keeps the inputs that it has", () => {
  const input = {
    type: "promptString",
    id: "CLINIC_API_KEY",
    description: "API key.",
    password: true,
  };
  const env = { CLINIC_API_KEY: "${input:CLINIC_API_KEY}" };
  const servers = { clinic: { type: "stdio", ...entry, env } };
  const withSecret = { ...server, secrets: [apiKey] };
  expect(newFile("vscode", { secrets: [apiKey] })).toEqual({ inputs: [input], servers });
  const other = { id: "other", type: "promptString", description: "Other." };
  const before = JSON.stringify({ inputs: [other] });
  const merged = mergeHostFile(host("vscode"), withSecret, before, false);
  const content = merged.kind === "changed" ? merged.content : "";
  expect(JSON.parse(content)).toEqual({ inputs: [other, input], servers });
  expect(mergeHostFile(host("vscode"), withSecret, content, false)).toEqual({ kind: "unchanged" });
});

test.each([
  ["claude-code", { tools: 12, tokens: 10_000 }, { alwaysLoad: true }],
  ["claude-code", { tools: 12, tokens: 10_001 }, {}],
  ["cursor", { tools: 80, tokens: 1 }, {}],
  ["cursor", { tools: 81, tokens: 1 }, { env: { CLINIC_MODE: "hybrid" } }],
  ["vscode", { tools: 128, tokens: 1 }, {}],
  ["vscode", { tools: 129, tokens: 1 }, { env: { CLINIC_MODE: "hybrid" } }],
])("%s with %j", (id, list, want) => {
  const type = host(id).id === "cursor" ? {} : { type: "stdio" };
  expect(newFile(id, { list })).toEqual({
    [host(id).key]: { clinic: { ...type, ...entry, ...want } },
  });
});

const lines = '{ "command": "node", "args": ["/srv/dist/server.js"] }';
/** The entry with each line break and indentation as in the other lines. */
const written = (indent: string, step = "  ", newline = "\n"): string =>
  JSON.stringify(JSON.parse(lines), null, step).replaceAll("\n", newline + indent);

test.each([
  ["numbers", '{"a": 12345678901234567890, "b": 1.0, "c": 1e400, "mcpServers": {}}', false],
  ["escapes", '{"a": "\\u00e9\\/", "mcpServers": {"x": {"url": "}\\\\\\""}}}', false],
  ["duplicate names", '{"a": 1, "a": 2, "mcpServers": {"b": {}, "b": {}}}', false],
  ["no servers", '{"mcpServersOld": {"a": [{}, [1]]}, "n": 9007199254740993}', false],
  ["an empty object", "{}", false],
  ["tabs", '{\n\t"n": 9007199254740993,\n\t"mcpServers": {\n\t\t"b": {}\n\t}\n}\n', false],
  ["a replaced entry", '{"mcpServers": {"clinic": {"a": [1, "}"]}, "b": 9007199254740993}}', true],
])("the rest of a file with %s is kept", (_, text, replace) => {
  const merged = mergeHostFile(host("cursor"), server, text, replace);
  const content = merged.kind === "changed" ? merged.content : "";
  expect(JSON.parse(content)).toEqual({
    ...JSON.parse(text),
    mcpServers: { ...JSON.parse(text).mcpServers, clinic: entry },
  });
  const without = (json: string): string => json.replace(/\s+|,|"mcpServers":|[{}]/g, "");
  const added = `"clinic":${without(lines)}`;
  const former = replace ? '"clinic":"a":[1"}"]'.replace("}", "") : "";
  expect(without(content).replace(added, "")).toBe(without(text).replace(former, ""));
});

test.each([
  [
    "two spaces",
    '{\n  "mcpServers": {\n    "b": {}\n  },\n  "n": 1\n}\n',
    `{\n  "mcpServers": {\n    "b": {},\n    "clinic": ${written("    ")}\n  },\n  "n": 1\n}\n`,
  ],
  [
    "tabs",
    '{\n\t"mcpServers": {}\n}',
    `{\n\t"mcpServers": {\n\t\t"clinic": ${written("\t\t", "\t")}\n\t}\n}`,
  ],
  [
    "CRLF",
    '{\r\n  "n": 1\r\n}\r\n',
    `{\r\n  "n": 1,\r\n  "mcpServers": {\r\n    "clinic": ${written("    ", "  ", "\r\n")}\r\n  }\r\n}\r\n`,
  ],
])("a new entry has the layout of the file: %s", (_, text, content) => {
  expect(mergeHostFile(host("cursor"), server, text, false)).toEqual({ kind: "changed", content });
});

test.each([
  ["no file", "", '[mcp_servers.clinic]\ncommand = "node"\nargs = ["/srv/dist/server.js"]\n'],
  [
    "other settings",
    'model = "x"\n',
    'model = "x"\n\n[mcp_servers.clinic]\ncommand = "node"\nargs = ["/srv/dist/server.js"]\n',
  ],
])("TOML: %s", (_, text, content) => {
  expect(mergeHostFile(host("codex"), server, text, false)).toEqual({ kind: "changed", content });
});

test.each([
  ["comments", "gemini", '{// mine\n"mcpServers": {}}', false, "is not plain JSON"],
  ["a list", "gemini", "[]", false, "is not plain JSON"],
  ["servers that are no object", "gemini", '{"mcpServers": []}', false, "is not plain JSON"],
  [
    "another server",
    "cursor",
    '{"mcpServers": {"clinic": {}}}',
    false,
    "has another server clinic",
  ],
  ["a table of this name", "codex", "[mcp_servers.clinic]\n", false, "has [mcp_servers.clinic]"],
])("%s is not overwritten", (_, id, text, replace, problem) => {
  expect(mergeHostFile(host(id), server, text, replace)).toMatchObject({
    kind: "conflict",
    problem,
    entry: expect.stringContaining("/srv/dist/server.js") as string,
  });
});

test("--force replaces an entry of the same name", () => {
  const merged = mergeHostFile(host("cursor"), server, '{"mcpServers": {"clinic": {}}}', true);
  expect(merged).toMatchObject({ kind: "changed" });
});

test.each(hosts.map(({ id }) => id))("a second run changes nothing for %s", (id) => {
  const first = mergeHostFile(host(id), server, undefined, false);
  const content = first.kind === "changed" ? first.content : "";
  expect(mergeHostFile(host(id), server, content, false)).toEqual({ kind: "unchanged" });
});

test.each([
  ["darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"],
  ["linux", "/h/.config/Claude/claude_desktop_config.json"],
])("Claude Desktop on %s", (platform, path) => {
  expect(host("claude-desktop").file({ platform, home: "/h" })).toBe(path);
});

test.each([
  ["a new variable", "", { A: "1" }, "A=1\n"],
  ["an empty assignment", "# Key\nA=\nB=2\n", { A: "1" }, "# Key\nA=1\nB=2\n"],
  ["a commented example", "# A=example\n", { A: "1" }, "A=1\n"],
  ["a file without a last newline", "B=2", { A: "1" }, "B=2\nA=1\n"],
  ["no quotes, which some readers keep", "A=\n", { A: "a b!&=(c)ä" }, "A=a b!&=(c)ä\n"],
  ["quotes around what readers expand or cut", "A=\n", { A: "a$b #c" }, "A='a$b #c'\n"],
  ["nothing to set", "# A=\n", {}, "# A=\n"],
])("%s", (_, text, values, want) => expect(setVariables(text, values)).toBe(want));

test.each(["a b", "a#b", "it's", 'a"b', "a$b", "$&", "a\\n", "=x", "ä", " a", "a "])(
  "%j is read back",
  (value) => expect(parseEnv(setVariables("A=\n", { A: value })).A).toBe(value),
);

test.each([
  ["it's", undefined],
  ["'\"`", /cannot hold this value/],
  ["one\ntwo", /cannot hold this value/],
])("%j can be written, or is explained", (value, want) => {
  const problem = describeUnwritable(value);
  if (want === undefined) expect(problem).toBeUndefined();
  else expect(problem).toMatch(want);
});
