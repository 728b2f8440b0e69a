import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../../src/configuration/parse-configuration.js";
import { settingsOf } from "../../../src/configuration/index.js";
import type { Configuration } from "../../../src/configuration/types.js";
import { generate, type GenerateOptions } from "../../../src/generate.js";
import { proposeConfiguration } from "../../../src/render/configuration-proposal/index.js";

const shared = process.env.MCP_GEN_SHARED ?? "../shared";
const corpus = [
  "box/openapi.json",
  "discord/openapi.json",
  "github/api.github.com.json",
  "pagerduty/openapiv3.json",
  "stripe/spec3.json",
  "twilio-api-v2010/twilio_api_v2010.json",
  "docker/swagger.yaml",
  "slack/slack_web.json",
];
const samples = readdirSync("samples", { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);
const documents = [
  ...samples.flatMap(({ name }) =>
    ["openapi.yaml", "swagger.yaml"].map((file) => join("samples", name, file)),
  ),
  ...corpus.map((file) => join(shared, "corpus", file)),
].filter((path) => existsSync(path));

const variants: readonly { readonly name: string; readonly options: GenerateOptions }[] = [
  { name: "as it is", options: {} },
  { name: "with a namespace", options: { namespace: "zoo" } },
  { name: "by operation", options: { granularity: "operation" } },
];

async function fileOf(
  source: string,
  options: GenerateOptions,
): Promise<{
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tools: number;
}> {
  const { plan, files, diagnostics } = await generate(source, undefined, options);
  if (!plan || !files)
    throw new Error(
      diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message)
        .join(" "),
    );
  const text = proposeConfiguration(plan, {
    spec: "./openapi.yaml",
    output: "./server",
    namespace: options.namespace,
    isFiltered: options.only !== undefined,
  });
  return {
    text,
    files: Object.fromEntries(files.map(({ path, content }) => [path, content.toString()])),
    tools: plan.tools.length,
  };
}

function read(text: string): Configuration {
  const { content, locationOf, diagnostics } = parseConfiguration(text, "mcp-gen.yaml");
  if (!content)
    throw new Error(
      diagnostics.map(({ message, location }) => `${location?.line}: ${message}`).join(" "),
    );
  const { spec: _s, output: _o, ...settings } = settingsOf(content, "mcp-gen.yaml");
  return { content, locationOf, settings };
}

/** The suggestions, in force: those below tools, and the values that most tools need. */
const uncommented = (text: string): string =>
  text
    .replace(/^ {4}# /gm, "    ")
    .replace(/^# parameters:\n(?:# {3}.*\n)+/m, (block) => block.replace(/^# /gm, ""));

describe("the plan as mcp-gen.yaml", () => {
  for (const source of documents) {
    const isSample = source.startsWith("samples");
    let plain: ReturnType<typeof fileOf> | undefined;
    const asItIs = (): ReturnType<typeof fileOf> => (plain ??= fileOf(source, {}));
    for (const { name, options } of isSample ? variants : variants.slice(0, 1)) {
      test(`regenerates ${source.replace(shared, "")} ${name}, byte for byte`, async () => {
        const { text, files } = await (name === "as it is" ? asItIs() : fileOf(source, options));
        const again = await generate(source, undefined, { configuration: read(text) });
        expect(
          again.diagnostics.filter(
            ({ code, severity }) => code.startsWith("config-") || severity === "error",
          ),
        ).toEqual([]);
        const differing = (again.files ?? [])
          .filter(({ path, content }) => files[path] !== content.toString())
          .map(({ path }) => path);
        expect(differing).toEqual([]);
        expect(again.files).toHaveLength(Object.keys(files).length);
      });
    }
    test(`has suggestions for ${source.replace(shared, "")} that hold when they are taken`, async () => {
      const { text, tools } = await asItIs();
      plain = undefined;
      const { plan, diagnostics } = await generate(source, undefined, {
        configuration: read(uncommented(text)),
        planOnly: true,
      });
      expect(
        diagnostics
          .filter(({ code, severity }) => code.startsWith("config-") && severity !== "info")
          .map(({ message, location }) => `${location?.line} ${message}`),
      ).toEqual([]);
      expect(plan?.tools).toHaveLength(tools);
    });
  }

  const museum = join(shared, "arazzo/museum");
  if (existsSync(museum)) {
    test("names workflows, too", async () => {
      const workflows = [join(museum, "arazzo/museum-api.arazzo.yaml")];
      const { text, files } = await fileOf(join(museum, "openapi.yaml"), { workflows });
      expect(text).toMatch(/^ {2}events_crud:\n {4}workflow: events-crud$/m);
      const again = await generate(join(museum, "openapi.yaml"), undefined, {
        workflows,
        configuration: read(text),
      });
      expect(
        (again.files ?? [])
          .filter(({ path, content }) => files[path] !== content.toString())
          .map(({ path }) => path),
      ).toEqual([]);
    });
  }

  test("of some operations gives those only", async () => {
    const { text, files } = await fileOf("samples/clinic/openapi.yaml", { only: ["pets"] });
    const again = await generate("samples/clinic/openapi.yaml", undefined, {
      configuration: read(text),
    });
    expect(again.files?.map(({ path }) => path)).toEqual(Object.keys(files));
  });
});
