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
