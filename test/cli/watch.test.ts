import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startProgress, Timings } from "../../src/cli/progress.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { plant, scratch } from "../write/tree.js";
import { cli, mcpGen } from "./built.js";

const OPERATION =
  "get: {operationId: listPets, summary: List pets, responses: {'200': {$ref: 'answers.yaml#/Pets'}}}";
const DOCUMENT = `openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\nservers: [{url: 'https://pets.example'}]\npaths:\n  /pets:\n    ${OPERATION}\n`;
const TREE = {
  "api/pets.yaml": DOCUMENT,
  "api/answers.yaml":
    "Pets: {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}\n",
  "api/fix.yaml":
    "overlay: 1.0.0\ninfo: {title: Fix, version: '1'}\nactions: [{target: $.info, update: {version: '2'}}]\n",
  "api/mcp-gen.yaml":
    "version: 1\nspec: ./pets.yaml\noutput: ../server\noverlays: [./fix.yaml]\ntemplates: ./templates\n",
  "api/templates/tsconfig.json.hbs": "{}\n",
};

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

/**
 * A watching process, and what it says: through one pipe, because what comes through two has no
 * order.
 */
function watch(cwd: string, args: readonly string[]) {
  const child = spawn(
    "sh",
    ["-c", 'exec "$0" "$@" 2>&1', process.execPath, cli, ...args, "--watch"],
    { cwd },
  );
  children.push(child);
  let said = "";
  let listening: (() => void) | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    listening?.();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  /** Resolves when a matching text was printed; earlier texts are removed. */
  const says = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      listening = () => {
        const match = pattern.exec(said);
        if (!match) return;
        listening = undefined;
        said = said.slice(match.index + match[0].length);
        resolve(match[0]);
      };
      listening();
    });
  return { child, says, ended };
}

test("every file that was read is watched, also after errors, until Ctrl-C", async () => {
  const root = scratch();
  plant(root, TREE);
  const { child, says, ended } = watch(root, ["-c", "api/mcp-gen.yaml"]);
  await says(/Wrote \d+ files to .*server\.\n/);
  await says(/Watching 4 files; press Ctrl-C to stop\.\n/);

  plant(root, {
    "api/pets.yaml": DOCUMENT.replace("summary: List pets", "summary: List all the pets"),
  });
  await says(/pets\.yaml changed\n1 tool; .*server has 0 new, \d+ changed, 0 deleted\n/);

  plant(root, { "api/answers.yaml": TREE["api/answers.yaml"].replace("name:", "title:") });
  await says(/answers\.yaml changed\n1 tool; .*server has 0 new, \d+ changed/);
  expect(readFileSync(join(root, "server/src/tools/pets/list_pets.ts"), "utf8")).toContain("title");

  plant(root, { "api/pets.yaml": "openapi: 3.1.0\ninfo: {\n" });
  await says(/pets\.yaml changed\nerror: api\/pets\.yaml:\d+/);
  plant(root, {
    "api/pets.yaml": `${DOCUMENT}  /toys:\n    get: {operationId: listToys, responses: {}}\n`,
  });
  await says(/pets\.yaml changed\n[\s\S]*2 tools; .*server has 1 new/);

  plant(root, { "api/templates/tsconfig.json.hbs": "{{nothing}}\n" });
  await says(/templates changed\nerror: .*tsconfig\.json\.hbs:1:3: unknown field nothing/);
  plant(root, { "api/templates/tsconfig.json.hbs": "{ }\n" });
  await says(/templates changed\n2 tools; .*server has 0 new, 2 changed/);
  plant(root, { "api/templates/files/NOTICE.hbs": "n\n" });
  await says(/templates changed\n2 tools; .*server has 1 new, 1 changed/);

  plant(root, { "api/fix.yaml": TREE["api/fix.yaml"].replace("'2'", "'3'") });
  await says(/fix\.yaml changed\n2 tools; .*server has 0 new/);
  plant(root, { "api/mcp-gen.yaml": `${TREE["api/mcp-gen.yaml"]}namespace: zoo\n` });
  await says(/mcp-gen\.yaml changed\n2 tools; /);

  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("files that appear in another folder while it is watched are not used", async () => {
  const root = scratch();
  plant(root, { "repo/pets.yaml": DOCUMENT, "repo/answers.yaml": TREE["api/answers.yaml"] });
  plant(root, { "here/": "", "outside.yaml": TREE["api/answers.yaml"] });
  const { child, says, ended } = watch(join(root, "here"), ["../repo/pets.yaml", "-o", "server"]);
  await says(/Watching 2 files/);
  plant(root, {
    "repo/mcp-gen.yaml": "version: 1\ntemplates: ./templates\n",
    "repo/templates/src/main.ts.hbs": "planted",
    "repo/.env": "PETS_BASE_URL=https://evil.example\n",
    "repo/pets.yaml": DOCUMENT.replace("summary: List pets", "summary: List all the pets"),
  });
  await says(/pets\.yaml changed\n[\s\S]*mcp-gen\.yaml is not used[\s\S]*1 tool; /);
  expect(readFileSync(join(root, "here/server/src/main.ts"), "utf8")).not.toContain("planted");
  const leaving = DOCUMENT.replace("answers.yaml#", "../outside.yaml#");
  plant(root, { "repo/pets.yaml": leaving });
  await says(/pets\.yaml changed\n[\s\S]*outside\.yaml/);
  rmSync(join(root, "repo/answers.yaml"));
  plant(root, { "repo/answers.yaml": "-> ../outside.yaml", "repo/pets.yaml": DOCUMENT });
  await says(/pets\.yaml changed\n[\s\S]*1 tool; /);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  // The result is unknown, because the link leads out of the folder.
  expect(readFileSync(join(root, "here/server/src/tools/pets/list_pets.ts"), "utf8")).not.toContain(
    "outputSchema",
  );
});

test("--dry-run is watched without writing", async () => {
  const root = scratch();
  const shop = DOCUMENT.replaceAll(/pets/gi, "orders").replace("#/orders", "#/Pets");
  const answers = TREE["api/answers.yaml"];
  plant(root, { "pets.yaml": DOCUMENT, "shop.yaml": shop, "answers.yaml": answers });
  // The documents of several APIs are watched as that of one.
  const { child, says, ended } = watch(root, ["pets.yaml", "shop=shop.yaml", "--dry-run"]);
  await says(/Watching 3 files/);
  plant(root, { "shop.yaml": shop.replace("operationId: list", "operationId: find") });
  await says(/shop\.yaml changed\n2 tools\n/);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test.each([
  [["-"], /not standard input/],
  [["https://x.example/a.json", "-o", "out"], /in a local file/],
  [["a.yaml", "b=https://x.example/b.json", "-o", "out"], /in a local file/],
  [["a.yaml", "-o", "out", "--check"], /Choose one of --watch and --check/],
  [[], /Give an OpenAPI document/],
])("--watch with %j is a usage error", async (args, says) => {
  const { code, err } = await mcpGen([...args, "--watch"], scratch());
  expect(code).toBe(2);
  expect(err).toMatch(says);
});

test("progress appears on terminals after a second and is erased", () => {
  const said: (string | undefined)[] = [];
  let now = 0;
  const terminal: Terminal = {
    print: () => undefined,
    error: () => undefined,
    paint: (_severity, text) => text,
    progress: (text) => void said.push(text),
  };
  const quick = startProgress(terminal, () => now);
  quick.stage("plan");
  quick.end();
  expect(said).toEqual([]);
  const slow = startProgress(terminal, () => now);
  now = 2500;
  slow.stage("render");
  slow.stage("write", 1340);
  slow.end();
  expect(said).toEqual(["Rendering the files … 2 s", "Writing 1,340 files … 2 s", undefined]);
});

test("--timings prints the time of each stage", () => {
  let now = 250;
  const timings = new Timings({ elapsed: () => now, processor: () => 2 * now });
  timings.stage("load");
  now = 1000;
  timings.stage("plan", 7);
  now = 1500;
  expect(timings.format()).toBe(
    "stage     seconds  of the processor\n" +
      "start        0.25              0.50\n" +
      "load         0.75              1.50\n" +
      "plan         0.50              1.00\n" +
      "total        1.50              3.00\n",
  );
});

test("a URL in mcp-gen.yaml is not watched, and its correction is", async () => {
  const root = scratch();
  plant(root, { ...TREE, "api/mcp-gen.yaml": "version: 1\nspec: https://x.example/a.json\n" });
  const { says, child, ended } = watch(join(root, "api"), ["-o", "../server"]);
  await says(/error: --watch needs a document in a local file\..*\n[^]*Watching 1 file/);
  plant(root, { "api/mcp-gen.yaml": "version: 1\nspec: ./pets.yaml\n" });
  await says(/1 tool; \.\.\/server has/);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});
