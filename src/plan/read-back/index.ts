/** Reads of the things that writes change, create or remove. */
import type { JsonSchema } from "../../json.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { isPlural, isUnambiguousVerb } from "../../language/grammar.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { splitWords } from "../../language/words.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { OperationBinding, ReadBack } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { PlanOptions } from "../options.js";
import { returnsItems } from "../pagination/detect.js";
import { findListEnvelope } from "../pagination/envelope.js";
import {
  FORMAT,
  sharedPathInputs,
  thingReaders,
  type ToolOperation,
  withoutFormat,
  withoutNames,
} from "../path-readers.js";
import { isBinaryMediaType } from "../requests/media-types.js";
import { parseIdentityName } from "../producers/resources.js";
import { objectFields, objectListItem } from "../schemas/flat-object.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { readersByMethod } from "./method-pairs.js";

type Readers = ReadonlyMap<string, ToolOperation>;
/** Operations that return files, by method and path. */
type Files = ReadonlySet<string>;
type FindReadBack = (binding: OperationBinding) => ReadBack | undefined;

/**
 * Adds to each write the tool that gets the thing which it changes, creates or removes. The server
 * reads it where the response says nothing about it.
 * `server.readBack` may name tools whose thing is also read where the response has a part of it.
 */
export function addReadBack(
  tools: readonly PlannedTool[],
  { configuration }: PlanOptions,
  { operations, schemas }: Pick<ApiModel, "operations" | "schemas">,
  diagnostics: DiagnosticCollector,
): readonly PlannedTool[] {
  const files = new Set(operations.filter(returnsFile).map(keyOf));
  const empty = new Set(operations.filter(returnsNothing).map(keyOf));
  const named = namedTools(tools, configuration, diagnostics);
  const isOff = configuration?.content.server?.readBack === false;
  const readers = thingReaders(tools);
  const ways = [
    changedThing(readers, files),
    createdThing(readers, files),
    readersByMethod(tools),
    listedThing(readers, schemas),
  ];
  return tools.map((tool) => {
    const { definition, workflow } = tool;
    if (definition.annotations.readOnlyHint || workflow) return tool;
    const operations = definition.operations.map((binding) => {
      if (binding.request.isRaw) return binding;
      const readBack = firstOf(ways, binding);
      const isAlways = named.has(definition.name) && { evenAfterContent: true as const };
      return readBack ? { ...binding, readBack: { ...readBack, ...isAlways } } : binding;
    });
    const connected = { ...tool, definition: { ...definition, operations } };
    return isOff ? connected : announceReadBack(connected, empty);
  });
}

/**
 * States the read in the text of a tool whose response is documented without content, so that an
 * agent does not send it, too. A response that has some nevertheless is not read.
 *
 * @param empty operations whose success has no content, by method and path
 */
function announceReadBack(tool: PlannedTool, empty: ReadonlySet<string>): PlannedTool {
  const [operation, ...others] = tool.definition.operations;
  const { readBack } = operation ?? {};
  if (!readBack || readBack.isRemoval || readBack.listed || others.length > 0) return tool;
  const { created, inputs } = readBack;
  const isKnown = !created || inputs[created.input] !== undefined;
  if (tool.text.result.length > 0 || !isKnown) return tool;
  const readsBack = empty.has(keyOf(operation!.request)) ? "always" : "ifEmpty";
  return { ...tool, text: { ...tool.text, readsBack } };
}

function firstOf(ways: readonly FindReadBack[], binding: OperationBinding): ReadBack | undefined {
  for (const way of ways) {
    const found = way(binding);
    if (found) return found;
  }
  return undefined;
}

/** The tools that `server.readBack` names. */
function namedTools(
  tools: readonly PlannedTool[],
  configuration: PlanOptions["configuration"],
  diagnostics: DiagnosticCollector,
): ReadonlySet<string> {
  const setting = configuration?.content.server?.readBack;
  const names = Array.isArray(setting) ? (setting as readonly string[]) : [];
  const known = tools.map(({ definition }) => definition.name);
  for (const [i, name] of names.entries()) {
    if (known.includes(name)) continue;
    diagnostics.add(
      "config-unknown-tool",
      `The tool ${quoteText(name)} of server.readBack does not exist${suggestionFor(name, known) || "."}`,
      configuration?.locationOf(["server", "readBack", i]),
    );
  }
  return new Set(names);
}

/** The thing at the path of an update or a removal, or before the last segment of an action. */
const changedThing =
  (readers: Readers, files: Files): FindReadBack =>
  ({ request }) => {
    const { method, path } = request;
    const isItem = /\}(?:\.[a-z]+)?$/.test(path);
    const isUpdate = method === "PUT" || method === "PATCH" || (method === "POST" && isItem);
    const isRemoval = method === "DELETE" && isItem;
    const isChange = isRemoval || (isUpdate && !sendsFile(request));
    const exact = isChange ? readers.get(withoutNames(path)) : undefined;
    // A PATCH of a list changes some of its items.
    if (exact && method !== "PUT" && returnsItems(exact.binding.response)) return undefined;
    const action = exact || isRemoval ? undefined : actionOf(request);
    const reader = exact ?? (action && readers.get(withoutNames(thingOf(path))));
    const inputs = reader && sharedPathInputs(reader.binding.request, request);
    if (!reader || !inputs) return undefined;
    const readBack = { tool: reader.tool.definition.name, inputs };
    if (isRemoval || action === "removes") return { ...readBack, isRemoval: true };
    return showsThing(reader, files) ? readBack : undefined;
  };

/** Path of the thing before an action, with the format of the action. */
const thingOf = (path: string): string =>
  withoutFormat(path).replace(/\/[^/]*$/, "") + (FORMAT.exec(path)?.[0] ?? "");

/** True for a body that is a file as a whole: the read of the same path would return it. */
const sendsFile = ({ body }: OperationBinding["request"]): boolean =>
  body?.from !== undefined && isBinaryMediaType(body.contentType);

/**
 * False for a read of what belongs to a thing: `List operations on modality` at `/modalities/{id}`,
 * for a list without a schema, of which the write may have changed one thing, and for the download
 * of a file, which does not show its properties.
 */
function showsThing({ tool, binding: { request } }: ToolOperation, files: Files): boolean {
  const { name, outputSchema } = tool.definition;
  const isOther = request.path.endsWith("}") || outputSchema === undefined;
  return !(isOther && name.startsWith("list_")) && !files.has(`${request.method} ${request.path}`);
}

const keyOf = ({ method, path }: Pick<Operation, "method" | "path">): string => `${method} ${path}`;

/** True if a 204 or 205 is the only success. */
const returnsNothing = ({ responses }: Operation): boolean => {
  const successes = responses.filter(({ status }) => status.startsWith("2"));
  return successes.length > 0 && successes.every(({ status }) => /^20[45]$/.test(status));
};

/** True if each success of an operation with a body is a file. */
const returnsFile = ({ responses }: Operation): boolean => {
  const contents = responses
    .filter(({ status }) => status.startsWith("2"))
    .flatMap((response) => response.contents);
  return (
    contents.length > 0 &&
    contents.every(({ schema }) => /^(?:binary|file)$/.test(String(schema?.format)))
  );
};

/** Effect of a path that ends in an action on an item: `/servers/{id}/start`. */
function actionOf({
  method,
  path,
  body,
}: OperationBinding["request"]): "changes" | "removes" | undefined {
  const words = splitWords(/\}\/([^/{}]+)$/.exec(withoutFormat(path))?.[1] ?? "");
  const [verb = ""] = words;
  // The old name of what was renamed or moved reads nothing.
  if (verb === "" || /^(?:rename|move)$/.test(verb)) return undefined;
  if (method === "PUT" || method === "PATCH") return "changes";
  if (method !== "POST" || isPlural(words.at(-1) ?? "")) return undefined;
  const effect = effectOfVerb(verb);
  // With a body, it may remove what belongs to the thing: `POST /collections/{id}/delete`.
  const isRemoval = effect === "removes" || effect === "destroys";
  if (words.length === 1 && isRemoval && body === undefined) return "removes";
  return body === undefined || isUnambiguousVerb(verb) ? "changes" : undefined;
}

/** The thing that a POST to its collection creates: `POST /pets` and `GET /pets/{id}`. */
const createdThing =
  (readers: Readers, files: Files): FindReadBack =>
  (binding) => {
    const { method, path } = binding.request;
    const collection = path.split(/[/{}]/).at(-1);
    const reader = readers.get(`${withoutNames(path)}/{}`);
    if (method !== "POST" || !collection || !reader) return undefined;
    const { request, response } = reader.binding;
    if (returnsItems(response) || files.has(`${request.method} ${request.path}`)) return undefined;
    const [parentPath = "", name = ""] = request.path.split(/\/\{([^{}]*)\}(?:\/[^/{}]*)?$/);
    const source =
      request.pathParams && Object.hasOwn(request.pathParams, name) && request.pathParams[name];
    const input = source ? sourceInput(source) : undefined;
    const parents = sharedPathInputs({ ...request, path: parentPath }, binding.request);
    if (input === undefined || !parents) return undefined;
    const own = chosenId(binding, name);
    return {
      tool: reader.tool.definition.name,
      inputs: { ...parents, ...(own !== undefined && { [input]: own }) },
      created: { input, collection, fields: idFields(name) },
    };
  };

/**
 * The list before the ID of a write, where nothing gets the thing itself: `DELETE /pets/{id}` and
 * `GET /pets`. A list in pages does not show that a thing is absent.
 */
const listedThing =
  (readers: Readers, schemas: Schemas): FindReadBack =>
  ({ request }) => {
    const { method, path, pathParams } = request;
    const [, collection, name = ""] = /^(.*)\/\{([^{}]*)\}$/.exec(path) ?? [];
    if (collection === undefined || !/^(?:DELETE|PUT|PATCH|POST)$/.test(method)) return undefined;
    const reader = readers.get(withoutNames(collection));
    const list =
      reader && !reader.binding.pagination && listOf(reader, idFields(name), schemas, method);
    if (!reader || !list) return undefined;
    const source = pathParams && Object.hasOwn(pathParams, name) ? pathParams[name] : undefined;
    const input = source === undefined ? undefined : sourceInput(source);
    const inputs = sharedPathInputs(reader.binding.request, request);
    if (input === undefined || !inputs) return undefined;
    const listed = { input, fields: idFields(name), ...list };
    const isRemoval = method === "DELETE" && { isRemoval: true as const };
    return { tool: reader.tool.definition.name, inputs, ...isRemoval, listed };
  };

/**
 * The place of the list in a result: empty for `items` or the result itself. Undefined without one,
 * and where its items lack the ID, unless it is the result of a removal.
 */
function listOf(
  { tool, binding: { response } }: ToolOperation,
  fields: readonly string[],
  schemas: Schemas,
  method: string,
): { readonly list?: string } | undefined {
  const hasId = (item: JsonSchema): boolean => {
    const own = objectFields(item, schemas);
    return own !== undefined && fields.some((field) => own.has(field));
  };
  if (returnsItems(response)) {
    const items = tool.output && objectFields(tool.output, schemas)?.get("items");
    const item = items && objectListItem(items, schemas);
    return method === "DELETE" || !item || hasId(item) ? {} : undefined;
  }
  const isWhole = Object.keys(response).every((key) => key === "projection");
  const envelope = isWhole && tool.output && findListEnvelope(tool.output, [], schemas);
  return envelope && hasId(envelope.item) ? { list: envelope.pointer } : undefined;
}

/** Input in which the caller chooses the ID of the thing. */
function chosenId({ request }: OperationBinding, name: string): string | undefined {
  const parameter = requestParameters(request).find(
    ({ location, wireName }) => wireName === name && (location === "body" || location === "query"),
  );
  return parameter && sourceInput(parameter.source);
}

/** Fields of a response with the ID that a parameter takes: `petId` and `id`. */
function idFields(parameter: string): readonly string[] {
  const { idWord } = parseIdentityName(parameter);
  return [...new Set([parameter, idWord === "" ? "id" : idWord])];
}
