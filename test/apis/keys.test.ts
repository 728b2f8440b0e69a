/** Every key about one API: below an API of several, its tools are those of the API alone. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { readConfiguration } from "../../src/configuration/index.js";
import { generate } from "../../src/generate.js";
import { generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import { FILES, FORMS, FULL } from "../configuration/full-configurations.js";
import { plant, scratch } from "../write/tree.js";

const root = scratch();
plant(root, FILES);

async function read(configuration: object) {
  plant(root, { "mcp-gen.yaml": stringify(configuration) });
  const { configuration: found, diagnostics } = await readConfiguration(join(root, "mcp-gen.yaml"));
  return found ?? expect.fail(JSON.stringify(diagnostics));
}

/** The tools that send requests, without the names of their API and toolset. */
const toolsOf = ({ tools, hiddenTools = [] }: ToolPlan) =>
  [...tools, ...hiddenTools]
    .filter(({ workflow }) => workflow === undefined)
    .map(({ definition: { api: _, toolset: __, ...definition } }) => definition);

test.each<[string, object]>([
  ["all keys", FULL],
  ["other forms of values", FORMS],
])("%s", async (_, given) => {
  const configuration = await read(given);
  const alone = await generate(configuration.settings.spec!, undefined, {
    configuration,
    planOnly: true,
  });
  const { content } = configuration;
  const { spec = "", overlays, namespace, baseUrl, hosts, granularity, outputSchemas } = content;
  const { includeDeprecated, refRoot, allowRemoteRefs, approve, security, select } = content;
  const { parameters, errors, tools = {}, server = {} } = content;
  const { name: __, runSteps: ___, ...ofApi } = server;
  const rules = Object.entries(tools).filter(([, { workflow }]) => workflow === undefined);
  const zoo = {
    ...{ spec, overlays, namespace, baseUrl, hosts, granularity, outputSchemas },
    ...{ includeDeprecated, refRoot, allowRemoteRefs, approve, security, select },
    ...{ parameters, errors, tools: Object.fromEntries(rules), server: ofApi },
  };
  const whole = await read({ version: 1, apis: { zoo } });
  const [api] = whole.apis!;
  const joined = await generateApis(
    [{ name: "zoo", source: api!.configuration.settings.spec!, configuration: api!.configuration }],
    undefined,
    { configuration: whole, planOnly: true },
  );
  expect(toolsOf(joined.plan!)).toEqual(toolsOf(alone.plan!));
});
