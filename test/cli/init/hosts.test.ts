import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import {
  describeUnwritable,
  type Host,
  hosts,
  mergeHostFile,
  setVariables,
} from "../../../src/cli/init/hosts.js";

const server = { name: "clinic", command: "node", args: ["/srv/dist/server.js"] };
const host = (id: string): Host => hosts.find((known) => known.id === id) as Host;
const entry = { command: "node", args: ["/srv/dist/server.js"] };

test.each([
  ["claude-desktop", undefined, { mcpServers: { clinic: entry } }],
  ["claude-code", "", { mcpServers: { clinic: { type: "stdio", ...entry } } }],
  ["vscode", '{"inputs": []}', { inputs: [], servers: { clinic: { type: "stdio", ...entry } } }],
  [
    "cursor",
    '{"mcpServers": {"other": {"command": "x"}}, "theme": "dark"}',
    { mcpServers: { other: { command: "x" }, clinic: entry }, theme: "dark" },
  ],
])("%s with %j", (id, text, want) => {
  const merged = mergeHostFile(host(id), server, text, false);
  expect(merged.kind).toBe("changed");
  expect(JSON.parse(merged.kind === "changed" ? merged.content : "")).toEqual(want);
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
