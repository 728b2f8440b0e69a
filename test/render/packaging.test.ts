import { Ajv } from "ajv";
import dockerfile from "dockerfile-utils";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolPlan } from "../../src/plan/types.js";
import { render } from "../../src/render/index.js";
import { clinicPlan } from "./clinic-plan.js";
import { nastyTexts } from "./hostile-strings.js";

type Json = Readonly<Record<string, unknown>>;

const environment: ToolPlan["environment"] = [
  {
    name: "CLINIC_BASE_URL",
    description: "Base URL.",
    required: true,
    secret: false,
    example: "https://api.clinic.example",
  },
  { name: "CLINIC_TOKEN", description: "Bearer token.", required: false, secret: true },
];

/** Every text that the document decides is `text`. */
function planOf(text: string): ToolPlan {
  const tools = clinicPlan.tools.map((tool) => ({
    ...tool,
    definition: { ...tool.definition, title: text, description: text },
  }));
  return {
    ...clinicPlan,
    source: text,
    summary: text,
    api: { ...clinicPlan.api, title: text, version: text },
    environment: environment.map((one) => ({
      ...one,
      description: text,
      ...(one.example && { example: text }),
    })),
    tools,
  };
}

const rendered = new Map<ToolPlan, Promise<ReadonlyMap<string, string>>>();

function filesOf(plan: ToolPlan): Promise<ReadonlyMap<string, string>> {
  const files =
    rendered.get(plan) ??
    render(plan).then((all) => new Map(all.map(({ path, content }) => [path, content])));
  rendered.set(plan, files);
  return files;
}

const schema = JSON.parse(
  readFileSync("node_modules/@anthropic-ai/mcpb/dist/mcpb-manifest-v0.3.schema.json", "utf8"),
) as Json;
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

/**
 * Rules of the registry for the fields that are written; others are faults. They are those of its
 * schema: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 * With a copy of that file, its own judgement is required, too.
 */
const registryLine = { type: "string", minLength: 1, maxLength: 100 };
const validateServer = new Ajv({ strict: false, validateFormats: false }).compile(
  closed(
    {
      $schema: {
        const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      },
      name: {
        type: "string",
        pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
        minLength: 3,
        maxLength: 200,
      },
      title: registryLine,
      description: registryLine,
      version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+", maxLength: 255 },
      packages: {
        type: "array",
        items: closed(
          {
            registryType: { const: "npm" },
            identifier: { type: "string" },
            version: { type: "string", minLength: 1, not: { const: "latest" } },
            transport: closed({ type: { const: "stdio" } }),
            environmentVariables: {
              type: "array",
              items: closed(
                {
                  name: { type: "string" },
                  description: { type: "string" },
                  isRequired: { type: "boolean" },
                  isSecret: { type: "boolean" },
                  placeholder: { type: "string" },
                },
                ["name"],
              ),
            },
          },
          ["registryType", "identifier", "version", "transport"],
        ),
      },
    },
    ["name", "description", "version"],
  ),
);

const shared = process.env["MCP_GEN_SHARED"] ?? "../shared";
const published = [process.env["MCP_SERVER_SCHEMA"], join(shared, "registry/server.schema.json")]
  .filter((file) => file !== undefined)
  .find((file) => existsSync(file));
const validatePublished =
  published === undefined
    ? undefined
    : new Ajv({ strict: false, validateFormats: false }).compile(
        JSON.parse(readFileSync(published, "utf8")) as Json,
      );

function closed(properties: object, required = Object.keys(properties)): object {
  return { type: "object", properties, required, additionalProperties: false };
}

const jsonOf = async (plan: ToolPlan, path: string): Promise<Json> =>
  JSON.parse((await filesOf(plan)).get(path) ?? "") as Json;
const texts = [
  ["every nasty text at once", nastyTexts.join(" ")],
  ["no text", ""],
  ["invisible text", "\u200b \n"],
  ["a long text", "a".repeat(5000)],
  ["text of pairs", "😀".repeat(300)],
] as const;
const plans: readonly (readonly [string, ToolPlan])[] = [
  ["an ordinary API", { ...clinicPlan, environment }],
  ...texts.map(([name, text]) => [name, planOf(text)] as const),
];

describe.each(plans)("of %s", (_, plan) => {
  test("manifest.json satisfies the schema of bundles", async () => {
    expect([validate(await jsonOf(plan, "manifest.json")), validate.errors]).toEqual([true, null]);
  });

  test("server.json keeps the rules of the registry", async () => {
    const server = await jsonOf(plan, "server.json");
    expect([validateServer(server), validateServer.errors]).toEqual([true, null]);
    const { mcpName, version } = await jsonOf(plan, "package.json");
    expect([mcpName, version]).toEqual([server["name"], server["version"]]);
  });

  test.skipIf(!validatePublished)(
    "server.json satisfies the registry's published schema",
    async () => {
      const valid = validatePublished!(await jsonOf(plan, "server.json"));
      expect([valid, validatePublished!.errors]).toEqual([true, null]);
    },
  );

  test("the Dockerfile has its instructions and no others", async () => {
    const logical = (await filesOf(plan)).get("Dockerfile")!.replace(/\\\n/g, " ").split("\n");
    const instructions = logical
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" ", 1)[0]);
    expect(instructions).toEqual([
      "ARG",
      "FROM",
      "WORKDIR",
      "COPY",
      "RUN",
      "COPY",
      "COPY",
      "RUN",
      "FROM",
      "LABEL",
      "ENV",
      "WORKDIR",
      "COPY",
      "COPY",
      "USER",
      "EXPOSE",
      "HEALTHCHECK",
      "ENTRYPOINT",
      "CMD",
    ]);
    expect(logical.find((line) => line.startsWith("LABEL"))).toMatch(
      /^LABEL( +[a-z.]+="(?:[^"\\$]|\\["\\$])*")+$/,
    );
  });
});

test("settings of a bundle reach the server under their names", async () => {
  const manifest = (await jsonOf({ ...clinicPlan, environment }, "manifest.json")) as {
    server: { mcp_config: { env: Json } };
    user_config: Json;
  };
  expect(manifest.server.mcp_config.env).toEqual({
    CLINIC_BASE_URL: "${user_config.clinic_base_url}",
    CLINIC_TOKEN: "${user_config.clinic_token}",
  });
  expect(manifest.user_config).toEqual({
    clinic_base_url: {
      type: "string",
      title: "CLINIC_BASE_URL",
      description: "Base URL.",
      required: true,
      sensitive: false,
    },
    clinic_token: {
      type: "string",
      title: "CLINIC_TOKEN",
      description: "Bearer token.",
      required: false,
      sensitive: true,
      default: "",
    },
  });
});

test.each([
  ["clinic-mcp-server", "io.github.your-name/clinic-mcp-server", true],
  ["@maplewood/clinic", "io.github.maplewood/clinic", undefined],
  ["@maplewood/~clinic~2_", "io.github.maplewood/clinic-2", undefined],
  [`@me/${"a".repeat(210)}`, `io.github.me/${"a".repeat(187)}`, undefined],
  ["~", "io.github.your-name/server", true],
])("%s is %s in the registry", async (packageName, name, isPrivate) => {
  const plan = { ...clinicPlan, packageName };
  const server = await jsonOf(plan, "server.json");
  expect([server["name"], validateServer(server)]).toEqual([name, true]);
  expect((await jsonOf(plan, "package.json"))["private"]).toBe(isPrivate);
});

type Edit = (server: Record<string, unknown>, npm: Record<string, unknown>) => void;

test.each<readonly [string, Edit]>([
  ["no name", (server) => delete server["name"]],
  ["a name without a namespace", (server) => (server["name"] = "clinic")],
  ["a name of 201 characters", (server) => (server["name"] = `a/${"b".repeat(199)}`)],
  ["an empty title", (server) => (server["title"] = "")],
  ["a title of 101 characters", (server) => (server["title"] = "a".repeat(101))],
  ["no description", (server) => delete server["description"]],
  ["a description of 101 characters", (server) => (server["description"] = "a".repeat(101))],
  ["no version", (server) => delete server["version"]],
  ["the version of a package as latest", (_, npm) => (npm["version"] = "latest")],
  ["a package without a registry", (_, npm) => delete npm["registryType"]],
  ["a package without an identifier", (_, npm) => delete npm["identifier"]],
  ["an unknown transport", (_, npm) => (npm["transport"] = { type: "pipe" })],
  ["a transport without its URL", (_, npm) => (npm["transport"] = { type: "sse" })],
  ["a variable without a name", (_, npm) => (npm["environmentVariables"] = [{}])],
  [
    "a variable with a text for a boolean",
    (_, npm) => (npm["environmentVariables"] = [{ name: "A", isSecret: "yes" }]),
  ],
])("a server.json with %s is rejected", async (_, edit) => {
  const server = structuredClone(await jsonOf(clinicPlan, "server.json"));
  edit(server, (server["packages"] as Record<string, unknown>[])[0]!);
  expect(validateServer(server)).toBe(false);
  if (validatePublished) expect(validatePublished(server)).toBe(false);
});

test("the linter finds no fault in the Dockerfile", async () => {
  const text = (await filesOf(clinicPlan)).get("Dockerfile")!;
  expect(dockerfile.validate(text).map(({ message }) => message)).toEqual([]);
});

test.each([
  ["USER node\n", "USER\n"],
  ["EXPOSE 3000", "EXPOES 3000"],
  ["WORKDIR /app", "WORKDIR"],
])("the linter finds %j as %j", async (from, to) => {
  const text = (await filesOf(clinicPlan)).get("Dockerfile")!;
  expect(text).toContain(from);
  expect(dockerfile.validate(text.replace(from, to))).not.toEqual([]);
});

test("a package with a scope is published for everybody, after the build", async () => {
  const npm = await jsonOf({ ...clinicPlan, packageName: "@me/thing" }, "package.json");
  expect(npm["private"]).toBeUndefined();
  expect((npm["scripts"] as Json)["release"]).toBe(
    "npm run build && npm run build:library && npm publish --access public",
  );
});
