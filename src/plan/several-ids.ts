/** Inputs that take one ID or a list of IDs, with one request for each. */
import { groupBy } from "../groups.js";
import { isObject, type JsonSchema } from "../json.js";
import { isPlural } from "../language/grammar.js";
import { isJsonMediaType } from "./outputs/payload.js";
import { lettersOf, splitWords } from "../language/words.js";
import type { OperationBinding, ParameterSource, SeveralIds } from "../runtime/types.js";
import { inputProperties, requestParameters, sourceInput } from "./bound-parameters.js";
import type { PlanOptions } from "./options.js";
import { type ToolOperation, withoutFormat } from "./path-readers.js";
import { parseIdentityName } from "./producers/resources.js";
import type { PlannedTool } from "./types.js";

/**
 * Lets the ID of the thing that a tool reads, deletes or changes be a list. Other writes take lists
 * if `bulk` says so. A tool stays as it is if it has an input for several IDs already, or if its
 * result cannot have `items`.
 * Where another tool lists or deletes things by their IDs, in one request, the text names that one
 * instead.
 * @param collections tools of collections, which may take several IDs themselves
 */
export function addSeveralIds(
  tool: PlannedTool,
  { configuration }: PlanOptions,
  collections: CollectionTools = new Map(),
): PlannedTool {
  const { bulkReads, bulkWrites } = configuration?.content.server ?? {};
  const { definition, workflow } = tool;
  const isRead = definition.annotations.readOnlyHint;
  const bulk = tool.bulk ?? (isRead ? bulkReads : bulkWrites);
  if (workflow || bulk === false) return tool;
  const binding = definition.operations.find((operation) => canRepeat(operation, tool));
  const input = binding && idInput(binding, !isRead);
  if (!binding || input === undefined) return tool;
  const others = isRead ? [] : otherIdInputs(binding, input, definition);
  const about = isRead ? undefined : others.length > 0 ? SAME_FOR_PAIRS : SAME_FOR_EACH;
  const lists = listForms(definition, [input, ...others], about);
  if (!lists[input] || !canHaveItems(definition, binding)) return tool;
  const byIds = tool.bulk === undefined ? findToolByIds(tool, binding, collections) : undefined;
  if (byIds) return withAlternative(tool, binding.request.method, byIds);
  if (!isRead && !tool.bulk && !isSameForEach(binding, tool)) return tool;
  const severalIds: SeveralIds = {
    input,
    ...(others.length > 0 && { others }),
    ...(!isRead && { isWrite: true }),
  };
  return {
    ...tool,
    definition: {
      ...definition,
      inputSchema: {
        ...definition.inputSchema,
        properties: { ...inputProperties(definition), ...lists },
      },
      operations: definition.operations.map((operation) =>
        operation === binding ? { ...operation, severalIds } : operation,
      ),
    },
  };
}

/** A tool that lists or deletes things by their IDs, with the input for these. */
interface ToolByIds {
  readonly tool: string;
  readonly input: string;
}

/** Tools by method and path of the collections that they list or delete, `GET /pets`. */
export type CollectionTools = ReadonlyMap<string, readonly ToolOperation[]>;

/** The tools of the operations that may take several IDs. */
export function collectionTools(tools: readonly PlannedTool[]): CollectionTools {
  const operations = tools
    .filter(({ workflow }) => !workflow)
    .flatMap((tool) => tool.definition.operations.map((binding) => ({ tool, binding })));
  const several = operations.filter(
    ({ binding: { request } }) =>
      Object.hasOwn(SAME_FOR_SEVERAL, request.method) && !request.path.endsWith("}"),
  );
  return groupBy(several, ({ binding: { request } }) => `${request.method} ${request.path}`);
}

/**
 * Finds the tool that does the same by several IDs: `GET /pets?ids=1,2` for `GET /pets/{id}`, and
 * `DELETE /pets` with IDs in its query or body for `DELETE /pets/{id}`.
 */
function findToolByIds(
  tool: PlannedTool,
  { request: { method, path } }: OperationBinding,
  collections: CollectionTools,
): ToolByIds | undefined {
  const [, collection, id = ""] = /^(.*)\/\{([^/{}]+)\}$/.exec(path) ?? [];
  const candidates = collections.get(`${method} ${collection}`) ?? [];
  if (candidates.length === 0) return undefined;
  const names = new Set(["id", "ids", id, `${id}s`].map(lettersOf));
  for (const { tool: other, binding } of candidates) {
    const isRead = other.definition.annotations.readOnlyHint === true;
    if (other === tool || isRead !== (method === "GET")) continue;
    const found = requestParameters(binding.request).find(
      ({ location, wireName = "", source }) =>
        (location === "query" || location === "body") &&
        names.has(lettersOf(wireName)) &&
        takesList(other, source),
    );
    const input = found && sourceInput(found.source);
    if (input !== undefined) return { tool: other.definition.name, input };
  }
  return undefined;
}

/** Methods whose meaning is the same for one thing and for several, with the verb of each. */
const SAME_FOR_SEVERAL: Readonly<Record<string, string>> = { GET: "read", DELETE: "delete" };

function takesList({ definition }: PlannedTool, source: ParameterSource): boolean {
  const schema = inputProperties(definition)[sourceInput(source) ?? ""];
  return (
    schema !== undefined &&
    formsOf(schema).forms.some((one) => isObject(one) && one.type === "array")
  );
}

function withAlternative(
  tool: PlannedTool,
  method: string,
  { tool: name, input }: ToolByIds,
): PlannedTool {
  const verb = SAME_FOR_SEVERAL[method];
  const alternative = { tool: name, when: `To ${verb} several at once by ${input},` };
  const alternatives = [...tool.text.alternatives, alternative];
  return { ...tool, text: { ...tool.text, alternatives } };
}

/** Changes an input that takes one ID or a list as if it took one. The list stays as it is. */
export function changeSingleId(
  tool: PlannedTool,
  input: string,
  change: (tool: PlannedTool) => PlannedTool,
): PlannedTool {
  const isSeveral = tool.definition.operations.some(
    ({ severalIds: several }) => several?.input === input || several?.others?.includes(input),
  );
  if (!isSeveral) return change(tool);
  const { forms, about } = formsOf(inputProperties(tool.definition)[input] ?? {});
  const [list] = forms.slice(-1);
  const single = forms.slice(0, -1);
  const one = single.length === 1 ? (single[0] as JsonSchema) : { anyOf: single };
  const changed = change(withSchema(tool, input, { ...one, ...about }));
  const own = formsOf(inputProperties(changed.definition)[input] ?? {});
  return withSchema(changed, input, { anyOf: [...own.forms, list!], ...own.about });
}

function withSchema(tool: PlannedTool, input: string, schema: JsonSchema): PlannedTool {
  const { definition } = tool;
  const properties = { ...inputProperties(definition), [input]: schema };
  const inputSchema = { ...definition.inputSchema, properties };
  return { ...tool, definition: { ...definition, inputSchema } };
}

/** The alternatives of a schema, and its annotations. */
function formsOf({ description, title, examples, deprecated, ...form }: JsonSchema): {
  readonly forms: readonly (JsonSchema | boolean)[];
  readonly about: JsonSchema;
} {
  const forms = form.anyOf && Object.keys(form).length === 1 ? form.anyOf : [form];
  const all = { description, title, examples, deprecated };
  const about = Object.entries(all).filter(([, value]) => value !== undefined);
  return { forms, about: Object.fromEntries(about) as JsonSchema };
}

/** True for the operation of one thing that needs nothing but the inputs of its path. */
function canRepeat(
  { request, response, whenProvided }: OperationBinding,
  tool: PlannedTool,
): boolean {
  const { definition } = tool;
  const { method, isRaw, unsafe, pathParams = {}, body } = request;
  if (isRaw || response.wrap !== undefined || response.items !== undefined) return false;
  if (!definition.annotations.readOnlyHint) return definition.operations.length === 1;
  if (method !== "GET" || unsafe || body || tool.inputs.some(isListOfIds)) return false;
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const inputs = Object.values(pathParams).map(sourceInput);
  return [...required, ...whenProvided].every((name) => inputs.includes(name));
}

/**
 * True for a write that may be the same for several things: a deletion, a change of some fields, or
 * an action without a body, such as `POST /servers/{id}/stop`. A whole new version is of one thing.
 */
function isSameForEach({ request }: OperationBinding, { definition }: PlannedTool): boolean {
  const { method, pathParams = {}, body } = request;
  const path = withoutFormat(request.path);
  const last = splitWords(/\}\/([^/{}]+)$/.exec(path)?.[1] ?? "").at(-1);
  const isPart = last !== undefined && (body !== undefined || isPlural(last));
  if (isPart || body?.from !== undefined || method === "GET") return false;
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const inputs = Object.values(pathParams).map(sourceInput);
  return required.every((name) => inputs.includes(name));
}

/** `ids`, `pet_ids` or `petIds`: an input of the API for several IDs. */
const isListOfIds = ({ name }: PlannedTool["inputs"][number]): boolean =>
  /(?:^|_)ids$|Ids$/.test(name);

/** Input of the last path parameter; of a read, it is the end of the path. */
function idInput({ request }: OperationBinding, isWrite: boolean): string | undefined {
  const { pathParams = {} } = request;
  const path = withoutFormat(request.path);
  const end = isWrite ? /\/\{([^/{}]+)\}(?:\/[^/{}]+)?$/ : /\/\{([^/{}]+)\}$/;
  const [, name = ""] = end.exec(path) ?? [];
  const source = Object.hasOwn(pathParams, name) ? pathParams[name] : undefined;
  return source === undefined ? undefined : sourceInput(source);
}

/**
 * Inputs of the other things in the path of a deletion, or of an action without a body, that links
 * two things: `groupId` of `/groups/{groupId}/users/{userId}`. Of an ID of several segments, such
 * as `/repos/{owner}/{repo}`, none.
 */
function otherIdInputs(
  { request }: OperationBinding,
  input: string,
  definition: PlannedTool["definition"],
): readonly string[] {
  if (request.body) return [];
  const { pathParams = {} } = request;
  const segments = withoutFormat(request.path).split("/");
  const isWord = (segment: string | undefined): boolean =>
    segment !== "" && !segment?.includes("{");
  const inputs = segments.flatMap((segment, i) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
    const source = name !== undefined && Object.hasOwn(pathParams, name) && pathParams[name];
    const other = source ? sourceInput(source) : undefined;
    const isAlone = isWord(segments[i - 1]) && isWord(segments[i + 1]);
    return other !== undefined && other !== input && isAlone ? [other] : [];
  });
  return Object.keys(listForms(definition, inputs));
}

/** The inputs that can take a list, with the schema of one ID or a list. */
function listForms(
  definition: PlannedTool["definition"],
  inputs: readonly string[],
  about?: string,
): Readonly<Record<string, JsonSchema>> {
  const properties = inputProperties(definition);
  const forms = inputs.flatMap((name) => {
    const form = listForm(properties[name] ?? {}, parseIdentityName(name).idWord !== "", about);
    return form ? [[name, form] as const] : [];
  });
  return Object.fromEntries(forms);
}

/** For clients that show no instructions to a model, which may not think of a list in a write. */
const SAME_FOR_EACH = "Does the same to each.";

const SAME_FOR_PAIRS = "Does the same to each; several lists are taken in pairs.";

/**
 * Schema of one ID or of a list; undefined where values are not IDs. The runtime limits the list,
 * because a keyword would cost tokens in every read.
 * @param isNamedId true if the input is named like an ID, which may be declared as any number
 * @param description of the list
 */
function listForm(
  schema: JsonSchema,
  isNamedId: boolean,
  description: string | undefined,
): JsonSchema | undefined {
  const { forms, about } = formsOf(schema);
  const types = forms.map((one) => (isObject(one) ? one.type : undefined));
  const isId = (one: unknown): boolean => isObject(one) && !("enum" in one) && !("const" in one);
  const kinds = isNamedId ? ["string", "integer", "number"] : ["string", "integer"];
  if (!forms.every(isId) || !types.every((type) => kinds.includes(type as string)))
    return undefined;
  const [type, ...others] = new Set(types);
  const items = others.length === 0 ? { type } : {};
  const list = { type: "array", items, ...(description !== undefined && { description }) };
  return { anyOf: [...forms, list], ...about } as JsonSchema;
}

/** Keywords of a result that cannot have another property. */
const CLOSING = ["$ref", "allOf", "anyOf", "oneOf", "not", "additionalProperties", "propertyNames"];

/**
 * True if a result may be `items`, the results of several IDs. The schema stays as it is, so that
 * tools share it: it allows further properties.
 */
function canHaveItems(
  { outputSchema, annotations }: PlannedTool["definition"],
  { request: { accept = [] }, response }: OperationBinding,
): boolean {
  // JSON without a schema.
  if (!outputSchema)
    return !annotations.readOnlyHint || (accept.length > 0 && accept.every(isJsonMediaType));
  if (response.item !== undefined) return true;
  const { properties = {}, required = [] } = outputSchema as JsonSchema;
  const isClosed = CLOSING.some((keyword) => keyword in outputSchema) || required.length > 0;
  return !isClosed && !Object.hasOwn(properties, "items");
}
