// Rankings of the tools of a document by `search_tools` and by plain BM25.
import { generate, generateApis } from "../../dist/index.js";
import { createDiscoveryTools, discoveryNames } from "../../dist/runtime/discovery/index.js";
import { operationName } from "../truth/plans.mjs";
import { isValidFirstCall } from "./first-calls.mjs";
import { bm25 } from "./bm25.mjs";
import { operation } from "./tasks.mjs";

/** Results of the baseline. `search_tools` decides itself. */
const resultCount = 10;

/** The planned tools of a document: `{definition, operations, text}`. */
export async function planTools(file) {
  const { plan, diagnostics } = await generate(file);
  if (!plan) throw new Error(`${file}: ${diagnostics.map(({ message }) => message).join(" ")}`);
  return rankedTools(plan);
}

/** The same for one server of several documents; operations are preceded by their API. */
export async function planUnion(apis) {
  const { plan, diagnostics } = await generateApis(apis, undefined, { planOnly: true });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  return rankedTools(plan).map(({ definition, operations }) => ({
    definition,
    operations: operations.map((one) => `${definition.api} ${one}`),
  }));
}

const rankedTools = ({ tools }) =>
  tools.map(({ definition, operations }) => ({
    definition,
    operations: operations.map((one) => operation(operationName(one))),
  }));

/**
 * `search_tools` in the process of a server: `{names, tokens, results}` for a query.
 * @param api the only API to search, in a server of several
 */
export function searchTools(tools, api) {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const lookup = {
    tools: tools.map(({ definition }) => definition),
    find: (name) => byName.get(name)?.definition,
    explainMissing: (name) => name,
  };
  const names = discoveryNames(undefined, () => false, true);
  const [search, describe] = createDiscoveryTools(lookup, names, 100_000);
  const answer = async (tool, input) => (await tool.handle(input)).result;
  return {
    async find(query) {
      const { structuredContent, content } = await answer(search, {
        query,
        ...(api !== undefined && { api }),
      });
      const found = structuredContent.tools.map(({ name }) => byName.get(name));
      const signatures = structuredContent.tools.flatMap(({ name, typescript, call }) => {
        const signature = typescript === undefined ? call : signatureOf(typescript);
        return signature === undefined ? [] : [{ tool: byName.get(name), signature }];
      });
      const callable = signatures.map(({ tool }) => tool);
      const calls = signatures.map(({ tool, signature }) =>
        isValidFirstCall(signature, tool.definition),
      );
      const listed = structuredContent.tools.map(({ name, description }) => ({
        name,
        description: description ?? byName.get(name).definition.description.slice(0, 80),
      }));
      return {
        found,
        callable,
        calls,
        tokens: tokensOf(content),
        listTokens: tokensOf([{ text: JSON.stringify({ ...structuredContent, tools: listed }) }]),
      };
    },
    async describe(found, format = "typescript") {
      const input = { names: found.map(({ definition }) => definition.name), format };
      return tokensOf((await answer(describe, input)).content);
    },
  };
}

/** A declaration on one line, without its comments: `get_pet(petId: string)`. */
function signatureOf(typescript) {
  return typescript
    .replace(/\/\*\*.*?\*\/\s*/gs, "")
    .replace(/\(\{\n? */, "(")
    .replace(/;\n *(?:\[key: string\]: unknown;\n)?/g, ", ")
    .replace(/,? ?\}\);$/, ")");
}

/** Plain BM25 over the texts of the document; its answer has the full definitions. */
export function plainSearch(tools) {
  const find = bm25(tools.map((tool) => ({ id: tool, text: baselineText(tool) })));
  return {
    find(query) {
      const found = find(query).slice(0, resultCount);
      const listed = found.map(({ definition }) => {
        const { name, description, inputSchema } = definition;
        return { name, description, inputSchema };
      });
      return { found, callable: found, tokens: tokensOf([{ text: JSON.stringify(listed) }]) };
    },
    describe: () => 0,
  };
}

/** Text of a tool without the generator: its names and description. */
export const baselineText = ({ definition, operations }) =>
  [definition.name, ...operations, definition.description].join(" ");

/** Estimated tokens: four bytes each. */
function tokensOf(content) {
  return Math.ceil(content.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 4);
}
