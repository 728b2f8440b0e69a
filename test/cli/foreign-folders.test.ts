/**
 * Documents of other people: the files beside them, and the variables of the shell, are not used
 * unless the user names them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { plant, scratch } from "../write/tree.js";
import { mcpGen } from "./built.js";

/** Requests of a document, and the secrets that they carried. */
let upstream: Upstream;
let from = 0;
beforeAll(async () => {
  upstream = await startUpstream((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}'),
  );
});
afterAll(() => upstream.close());
beforeEach(() => void (from = upstream.requests.length));
const secretsSent = (): readonly string[] =>
  upstream.requests
    .slice(from)
    .flatMap(({ url, headers }) => `${url} ${JSON.stringify(headers)}`.match(/s3cret-\w+/g) ?? []);

const documentOf = (title: string, server: object, more: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title, version: "1" },
    servers: [server],
    components: { securitySchemes: { auth: { type: "http", scheme: "bearer" } } },
    security: [{ auth: [] }],
    paths: {
      "/things": { get: { operationId: "listThings", responses: { 200: { description: "ok" } } } },
    },
    ...more,
  });

/** A folder of someone else, whose templates write a file when they are executed. */
function plantRepository(root: string): string {
  const marker = join(root, "executed");
  plant(root, {
    "repo/openapi.json": documentOf("Clinic", { url: upstream.url }),
    "repo/mcp-gen.yaml": "version: 1\ntemplates: ./templates\n",
    "repo/templates/src/main.ts.hbs": `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");\n`,
    "repo/.env": "CLINIC_TOKEN=s3cret-repo\n",
    "here/": "",
    "here/link": `-> ${join(root, "repo")}`,
  });
  return marker;
}

describe("the configuration, templates and .env beside a document of another folder", () => {
  test.each([
    [".", "repo/openapi.json", "repo/mcp-gen.yaml"],
    ["here", "../repo/openapi.json", "../repo/mcp-gen.yaml"],
    ["here", "link/openapi.json", "link/mcp-gen.yaml"],
  ])("are not used by try in %s for %s", async (cwd, document, config) => {
    const root = scratch();
    const marker = plantRepository(root);
    const { err, out } = await mcpGen(["try", document], join(root, cwd));
    expect(existsSync(marker)).toBe(false);
    expect(out).toContain("Clinic: 1 operation");
    expect(err).toBe(
      `${config} is not used, because it is not in the current folder. To use it, add --config ${config}.\n`,
    );
  });

  test("are not used by eval", async () => {
    const root = scratch();
    const marker = plantRepository(root);
    plant(root, { "repo/eval.yaml": "version: 1\n" });
    const drafted = await mcpGen(["eval", "repo/openapi.json", "--draft"], root);
    expect([drafted.code, existsSync(marker)]).toEqual([0, false]);
    expect(drafted.err).toContain("To use it, add --config repo/mcp-gen.yaml.\n");
    const { code, err } = await mcpGen(["eval", "repo/openapi.json"], root);
    expect([code, existsSync(marker)]).toEqual([2, false]);
    expect(err).toContain("There is no eval.yaml in the current folder.");
  });

  test("are used by try if --config names them, and it says so", async () => {
    const root = scratch();
    const marker = plantRepository(root);
    const args = ["try", "repo/openapi.json", "--config", "repo/mcp-gen.yaml"];
    const { err } = await mcpGen(args, root);
    expect(existsSync(marker)).toBe(true);
    expect(err).toMatch(/^Using repo\/mcp-gen\.yaml, the templates in repo\/templates\.\n/);
  });

  test("are not used by serve", async () => {
    const root = scratch();
    const marker = plantRepository(root);
    const args = ["serve", "repo/openapi.json", "--call", "list_things"];
    const { code, err } = await mcpGen(args, root);
    expect([code, existsSync(marker), secretsSent()]).toEqual([1, false, []]);
    expect(err).toContain("To use it, add --config repo/mcp-gen.yaml.\n");
    expect(err).toContain("To use it, add --env-file repo/.env.\n");
    expect(err).toContain("Set CLINIC_TOKEN");
  });

  test("count for serve if --env-file names the variables, which are printed with the host", async () => {
    const root = scratch();
    plantRepository(root);
    const args = ["serve", "repo/openapi.json", "--call", "list_things"];
    const { code, err } = await mcpGen([...args, "--env-file", "repo/.env"], root);
    expect([code, secretsSent()]).toEqual([0, ["s3cret-repo"]]);
    expect(err).toContain("Using repo/.env.\n");
    expect(err).toContain(
      `Variables that are set: CLINIC_TOKEN (repo/.env). Credentials go to ${upstream.url}.\n`,
    );
  });

  test("the .env of the current folder is not for a document of another one", async () => {
    const root = scratch();
    plantRepository(root);
    plant(root, { "here/.env": "CLINIC_TOKEN=s3cret-here\n" });
    const args = ["serve", "../repo/openapi.json", "--call", "list_things"];
    const { err } = await mcpGen(args, join(root, "here"));
    expect(secretsSent()).toEqual([]);
    expect(err).toContain("To use it, add --env-file .env.\n");
  });

  test.each([
    ["of another folder", "-> ../../work/.env", [], ".env is not used, because it is a link"],
    ["of a folder below", "-> settings/.env", ["s3cret-settings"], "Using .env.\n"],
  ])("a .env that is a link to a file %s", async (_, link, want, said) => {
    const root = scratch();
    plant(root, {
      "work/.env": "CLINIC_TOKEN=s3cret-work\n",
      "clones/repo/openapi.json": documentOf("Clinic", { url: upstream.url }),
      "clones/repo/settings/.env": "CLINIC_TOKEN=s3cret-settings\n",
      "clones/repo/.env": link,
    });
    const args = ["serve", "openapi.json", "--call", "list_things"];
    const { err } = await mcpGen(args, join(root, "clones/repo"));
    expect([secretsSent(), err.includes(said)]).toEqual([want, true]);
    await mcpGen([...args, "--env-file", ".env"], join(root, "clones/repo"));
    expect(secretsSent().length).toBe(want.length + 1);
  });

  test("plan and generate do not use it either, but the one of the current folder that names it", async () => {
    const root = scratch();
    plantRepository(root);
    const unnamed = await mcpGen(["plan", "repo/openapi.json"], root);
    expect(unnamed.err).toContain("repo/mcp-gen.yaml is not used");
    plant(root, { "mcp-gen.yaml": "version: 1\nspec: repo/openapi.json\nnamespace: zoo\n" });
    const named = await mcpGen(["plan", "repo/openapi.json", "--json"], root);
    expect([named.err, named.out.includes("zoo_list_things")]).toEqual(["", true]);
  });
});

describe("a document does not choose whose secret is sent", () => {
  const inherited = {
    GITHUB_TOKEN: "s3cret-github",
    PETSHOP_TOKEN: "s3cret-petshop",
    AWS_SECRET_ACCESS_KEY: "s3cret-aws",
    DATABASE_URL: "s3cret-database",
    AWS_TOKEN: "x",
    DATABASE_TOKEN: "x",
  };
  const variable = (name: string): object => ({
    servers: [{ url: `${upstream.url}/{${name}}`, variables: { [name]: { default: "v1" } } }],
  });

  test.each([
    ["Github", {}],
    ["Petshop", {}],
    ["AWS", { name: "secretAccessKey" }],
    ["Database", { name: "url" }],
  ])(
    "the title %s does not read the variables of the shell",
    async (title, { name }: { name?: string }) => {
      const root = scratch();
      const more = { ...(name && variable(name)), security: [{}, { auth: [] }] };
      plant(root, { "api.json": documentOf(title, { url: upstream.url }, more) });
      const { err } = await mcpGen(
        ["serve", "api.json", "--call", "list_things"],
        root,
        "",
        inherited,
      );
      expect([upstream.requests.length - from, secretsSent()]).toEqual([1, []]);
      expect(err).toContain("Variables that are set: none.");
    },
  );

  test("variables that --env names are sent, and others are named with the option", async () => {
    const root = scratch();
    plant(root, { "api.json": documentOf("Petshop", { url: upstream.url }) });
    const args = ["serve", "api.json", "--call", "list_things"];
    const without = await mcpGen(args, root, "", inherited);
    expect(without.err).toContain("unless they are named: add --env PETSHOP_TOKEN.\n");
    const named = await mcpGen([...args, "--env", "PETSHOP_TOKEN"], root, "", inherited);
    expect(secretsSent()).toEqual(["s3cret-petshop"]);
    expect(named.err).toContain(
      `Variables that are set: PETSHOP_TOKEN (--env). Credentials go to ${upstream.url}.\n`,
    );
    await mcpGen([...args, "--env", "PETSHOP_TOKEN=s3cret-flag"], root, "", inherited);
    expect(secretsSent()).toEqual(["s3cret-petshop", "s3cret-flag"]);
  });
});
