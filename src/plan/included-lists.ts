/** Lists of the parts of a thing, which the tool that gets the thing can return with it. */
import { groupBy } from "../groups.js";
import { isObject, type JsonSchema, typesOf } from "../json.js";
import { isAdjective, isPlural } from "../language/grammar.js";
import { splitWords } from "../language/words.js";
import type { OperationBinding } from "../runtime/types.js";
import { inputProperties } from "./bound-parameters.js";
import { configuredLists, type PartList } from "./configured-lists.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { PlanOptions } from "./options.js";
import { returnsItems } from "./pagination/detect.js";
import { embeddedList } from "./pagination/hints.js";
import { type ToolOperation, pathReaders, sharedPathInputs, withoutNames } from "./path-readers.js";
import { allFields, listItems } from "./schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "./schemas/refs.js";
import { appendSentences, joinWithOr } from "./text/sentences.js";
import type { PlannedInput, PlannedTool } from "./types.js";

/** Name of the input, and of the value in the result. */
const [INPUT, RESULT] = ["include", "included"];

/** Maximum number of lists of one thing. A thing with more is a name space. */
const MAX_LISTS = 12;

interface ListsContext {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Adds `include` to the tools that get a thing whose parts the API lists below it:
 * `/issues/{number}` with `/issues/{number}/comments`. A rule may name other lists.
 * @param hidden tools that only others call, which rules may name
 */
export function addIncludedLists(
  tools: readonly PlannedTool[],
  hidden: readonly PlannedTool[],
  { configuration }: PlanOptions,
  { schemas, diagnostics }: ListsContext,
): readonly PlannedTool[] {
  const isDefault = configuration?.content.server?.includeLists ?? true;
  const readers = pathReaders(tools);
  const lists = [...readers].filter(([, reader]) => listsParts(reader, schemas));
  const partsOf = groupBy(lists, ([path]) => path.replace(/\/[^/]+$/, ""));
  return tools.map((tool) => {
    const { includeLists = isDefault } = tool;
    if (typeof includeLists !== "object")
      return includeLists ? addTo(tool, readers, partsOf, schemas) : tool;
    const found = configuredLists(tool, includeLists, [...tools, ...hidden], diagnostics);
    if (!found) return tool;
    if (canAdd(tool)) return withInput(tool, found.thing, found.parts);
    diagnostics.add(
      "config-merge",
      `${tool.definition.name} cannot return lists: its result is not an object that can have ` +
        "`included`, or it has an input `include` of its own.",
      includeLists.locationOf(),
      "Remove the lists.",
    );
    return tool;
  });
}

const listsParts = ({ tool, binding }: ToolOperation, schemas: Schemas): boolean =>
  returnsItems(binding.response) || embeddedList(tool, schemas) !== undefined;

function addTo(
  tool: PlannedTool,
  readers: ReadonlyMap<string, ToolOperation>,
  partsOf: ReadonlyMap<string, readonly (readonly [string, ToolOperation])[]>,
  schemas: Schemas,
): PlannedTool {
  const { definition } = tool;
  const binding = definition.operations.find((one) => getsThing(tool, one, readers));
  if (!binding || !canAdd(tool)) return tool;
  const own = ownParts(tool, binding, schemas);
  const parts = (partsOf.get(withoutNames(binding.request.path)) ?? []).flatMap(([path, reader]) =>
    partList(path, reader, binding, own),
  );
  return parts.length === 0 || parts.length > MAX_LISTS ? tool : withInput(tool, binding, parts);
}

function getsThing(
  tool: PlannedTool,
  { request, response }: OperationBinding,
  readers: ReadonlyMap<string, ToolOperation>,
): boolean {
  if (!request.path.endsWith("}") || response.wrap !== undefined || response.items !== undefined)
    return false;
  return readers.get(withoutNames(request.path))?.tool === tool;
}

/** Keywords of a result that may refuse another property. */
const CLOSING = ["$ref", "allOf", "anyOf", "oneOf", "not", "additionalProperties", "propertyNames"];

/** True if neither the input nor the result has such a value, and the result is open. */
function canAdd({ definition, output, inputs }: PlannedTool): boolean {
  const { outputSchema } = definition;
  if (!outputSchema || !output || inputs.some(({ name }) => name === INPUT)) return false;
  if (CLOSING.some((keyword) => keyword in outputSchema)) return false;
  const { properties = {} } = outputSchema as JsonSchema;
  return !Object.hasOwn(properties, RESULT);
}

/** Names of the parts that the thing itself has. A number beside them is only their count. */
function ownParts(
  { output }: PlannedTool,
  { response }: OperationBinding,
  schemas: Schemas,
): ReadonlySet<string> {
  const all = allFields(output!, schemas);
  const item = response.item === undefined ? undefined : listItems(all.get("items"), schemas);
  const fields = item && isObject(item) ? allFields(item as JsonSchema, schemas) : all;
  const parts = [...fields].filter(([, schema]) => !isScalar(schema, schemas));
  return new Set(parts.map(([name]) => nameOf(name)));
}

function isScalar(schema: AnySchema, schemas: Schemas): boolean {
  const types = isObject(schema) ? typesOf(resolveSchema(schemas, schema as JsonSchema)) : [];
  return types.length > 0 && types.every((type) => type !== "array" && type !== "object");
}

/** `checkRuns`, `check-runs` → `check_runs`. */
const nameOf = (text: string): string => splitWords(text).join("_");

/** The list of a path, if its last segment names parts that the thing itself does not have. */
function partList(
  path: string,
  { tool, binding }: ToolOperation,
  thing: OperationBinding,
  own: ReadonlySet<string>,
): readonly PartList[] {
  const segment = /\/([a-zA-Z][\w-]*)$/.exec(path)?.[1];
  const words = segment === undefined ? [] : splitWords(segment);
  const name = words.join("_");
  if (!isPlural(words.at(-1) ?? "") || words.every(isAdjective) || own.has(name)) return [];
  const inputs = sharedPathInputs(binding.request, thing.request);
  if (!inputs) return [];
  return [{ name, list: { tool: tool.definition.name, inputs } }];
}

function withInput(
  tool: PlannedTool,
  binding: OperationBinding,
  parts: readonly PartList[],
): PlannedTool {
  const { definition } = tool;
  const { inputSchema } = definition;
  const lists = Object.fromEntries(parts.map(({ name, list }) => [name, list]));
  const type = {
    type: "array",
    items: { type: "string", enum: Object.keys(lists) },
    uniqueItems: true,
  } as const satisfies JsonSchema;
  const text = `ists of it to add, as \`${RESULT}\`.`;
  const condition = binding.whenProvided.join(" and ");
  const opening = condition === "" ? `L${text}` : `With ${condition}: l${text}`;
  const description = [opening, ...parts.flatMap((part) => part.explanation ?? [])].join(" ");
  const added = addedInputs(parts);
  const schemas = added.map(({ name, description, schema }) => [name, { ...schema, description }]);
  const properties = {
    ...inputProperties(definition),
    [INPUT]: { ...type, description },
    ...Object.fromEntries(schemas),
  };
  const include = { name: INPUT, description, required: false, type };
  const others = added.map(({ schema: _, ...input }) => input);
  return {
    ...tool,
    inputs: [...tool.inputs, include, ...others],
    definition: {
      ...definition,
      inputSchema: { ...inputSchema, properties },
      operations: definition.operations.map((one) =>
        one === binding ? { ...one, included: { input: INPUT, lists } } : one,
      ),
    },
  };
}

/** An input that lists need and the thing lacks. */
interface AddedInput extends PlannedInput {
  readonly schema: JsonSchema;
}

/** The inputs that only lists need, each with the lists that need it. */
function addedInputs(parts: readonly PartList[]): readonly AddedInput[] {
  const needed = parts.flatMap(({ name: list, needs = [] }) =>
    needs.map((need) => ({ list, need })),
  );
  const byName = groupBy(needed, ({ need }) => need.input.name);
  return [...byName.values()].map((uses) => {
    const [{ need }] = uses;
    const lists = joinWithOr(uses.map(({ list }) => list));
    const sentence = `Required with ${INPUT} ${lists}, and only used with it.`;
    const description = appendSentences(need.input.description, sentence);
    return { ...need.input, schema: need.schema, required: false, description };
  });
}
