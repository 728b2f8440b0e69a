/** Reads of the things that writes have changed, created or removed. */
import { parseJsonText } from "../data/json-text.js";
import { isObject, valueAt } from "../data/values.js";
import { isRateLimitExhausted } from "../client/rate-limit-headers.js";
import { isRoundCount } from "../pagination/page-size.js";
import type { ApiResponse, BoundRequest } from "../request/types.js";
import { type DecodedContent, jsonOf } from "../response/decode.js";
import type { ResultFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { ListedId, OperationBinding, ReadBack, ToolDefinition, ToolInput } from "../types.js";
import { nestedCall } from "./called-tool.js";
import { type Extent, extentOf } from "./response-extent.js";
import { createdId } from "./created-id.js";
import type { RunningCall } from "./send-authenticated.js";
import { differenceNote, differencesFrom, sentValue } from "./sent-differences.js";

/** Share of the characters of a result that the thing may take. */
const READ_BACK_SHARE = 0.25;

/** Maximum number of characters of a list in which a removed thing is sought. */
const MAX_LIST = 5_000_000;

interface Success {
  readonly request: BoundRequest;
  readonly response: ApiResponse;
  readonly content: Exclude<DecodedContent, { kind: "malformed" }>;
}

/**
 * Reads the thing that a write has changed, with the tool that the operation names, where the
 * response does not have it.
 * @param input input of the call, with IDs in place of names
 * @param callOperation calls the operation of a tool
 * @returns undefined where there is nothing to read, and after a failure, which is not one of the
 * call
 */
export async function readItemBack(
  running: RunningCall,
  operation: OperationBinding,
  { request, response, content }: Success,
  input: ToolInput,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<ResultFacts | undefined> {
  const { server, context } = running;
  const { readBack } = operation;
  // 202: the change may come later. 304: nothing has changed.
  if (!readBack || ![200, 201, 204, 205].includes(response.status)) return undefined;
  const { maxResultCharacters } = server.settings;
  const max = readBack.listed ? MAX_LIST : Math.floor(maxResultCharacters * READ_BACK_SHARE);
  const call = nestedCall(running, readBack, input, max);
  if (!call || isRateLimitExhausted(response.headers)) return undefined;
  const { tool } = call.info;
  if (!isDue(extentOf(content, tool, readBack), readBack, server.settings)) return undefined;
  const known = withCreatedId(readBack, call.info.input, response, content);
  if (!known) return undefined;
  context.progress?.(`Reading it back with ${tool.name}.`);
  const outcome = await callOperation({ ...call, info: { ...call.info, input: known } });
  const { listed, isRemoval = false } = readBack;
  if (listed) return listedFacts(outcome, tool, { ...listed, isRemoval }, input);
  const sent = comparesFields(operation) ? sentValue(request) : undefined;
  // Only PUT and PATCH are known to set what they send.
  const mayAdd = request.method === "POST" && !readBack.created;
  const shown = jsonOf(content);
  return readBackFacts(outcome, tool, readBack, { sent, mayAdd, shown });
}

/** False for a removal, and for an action, whose fields may mean something else than the thing's. */
function comparesFields({ readBack, request: { method, path } }: OperationBinding): boolean {
  const isAction = method === "POST" && !readBack?.created && /\}\/[^/{}]+$/.test(path);
  return !readBack?.isRemoval && !isAction;
}

/** True if a response says so little that the thing is read. */
function isDue(
  extent: Extent,
  { evenAfterContent }: ReadBack,
  { readBack }: RunningCall["server"]["settings"],
): boolean {
  if (readBack === "never" || extent === "full") return false;
  return extent === "none" || readBack === "always" || evenAfterContent === true;
}

/** Input of the reader. Undefined if the ID of a created thing is not known. */
function withCreatedId(
  { created }: ReadBack,
  input: ToolInput,
  response: ApiResponse,
  content: Success["content"],
): ToolInput | undefined {
  if (!created) return input;
  const id = createdId(created, response.headers, jsonOf(content)) ?? input[created.input];
  return id === undefined ? undefined : { ...input, [created.input]: id };
}

/** Facts of a write before the thing is read. */
interface KnownOfWrite {
  readonly sent: unknown;
  readonly mayAdd: boolean;
  /** JSON of the response, which the result shows. */
  readonly shown: unknown;
}

function readBackFacts(
  read: CallOutcome,
  { name }: ToolDefinition,
  { isRemoval }: ReadBack,
  { sent, mayAdd, shown }: KnownOfWrite,
): ResultFacts | undefined {
  const { outcome, status } = read;
  // A reader without content says by its status that the thing exists.
  if (status === 204 || (isRemoval && (status === 404 || status === 410)))
    return { notes: [`${name} answers ${status} for it now.`] };
  const current = valueOf(read);
  const isWhole = !read.isTruncated && !read.isPartial;
  const isText = typeof current !== "object";
  if (outcome !== "ok" || current === undefined || current === null) return undefined;
  if (isText && !isWhole) return undefined;
  const differences = isText ? [] : differencesFrom(sent, { value: current, isWhole, mayAdd });
  const fields = differences.map(({ field }) => field);
  if (fields.length === 0 && isSame(shown, current))
    return { notes: [`${name} returns the same after it.`] };
  return {
    notes: [`current is what ${name} returned right after it.`, differenceNote(differences)],
    values: { current, ...(fields.length > 0 && { differsFromSent: fields }) },
    blocks: [{ type: "text", text: JSON.stringify({ current }) }],
  };
}

/** True if the result shows a value already, so that it would be there twice. */
const isSame = (shown: unknown, current: unknown): boolean =>
  JSON.stringify(Array.isArray(shown) ? { items: shown } : shown) === JSON.stringify(current);

/**
 * Says whether a list still has a removed thing, or shows what it has of a changed one. A list that
 * may have more items shows no absence.
 */
function listedFacts(
  read: CallOutcome,
  { name }: ToolDefinition,
  { input, fields, list, isRemoval }: ListedId & { readonly isRemoval: boolean },
  given: ToolInput,
): ResultFacts | undefined {
  const { outcome, isPartial, isTruncated } = read;
  const value = outcome === "ok" ? valueOf(read) : undefined;
  const items = list === undefined && isObject(value) ? value["items"] : valueAt(value, list);
  if (!Array.isArray(items) || !items.every(isObject)) return undefined;
  const id = String(given[input]);
  const field = fields.find((one) => items.every((item) => isSameKind(item[one], id)));
  if (field === undefined) return undefined;
  const [item, ...others] = items.filter((one) => String(one[field]) === id);
  if (item && isRemoval) return { notes: [`${name} still lists it.`] };
  if (item) return others.length === 0 ? listedItemFacts(item, name) : undefined;
  const isKnown = items.some((one) => Object.values(one).some((other) => String(other) === id));
  if (isPartial || isTruncated || isKnown || isRoundCount(items.length)) return undefined;
  return { notes: [`${name} does not list it now.`] };
}

const listedItemFacts = (
  current: Readonly<Record<string, unknown>>,
  name: string,
): ResultFacts => ({
  notes: [`current is what ${name} lists of it now.`],
  values: { current },
  blocks: [{ type: "text", text: JSON.stringify({ current }) }],
});

/** True for an ID of the same kind, so that a slug is not compared with numbers. */
const isSameKind = (value: unknown, id: string): boolean =>
  (typeof value === "string" || typeof value === "number") &&
  /^\d+$/.test(String(value)) === /^\d+$/.test(id);

/** The value of a result: structured, or its only text, as JSON unless the API sent text. */
function valueOf({ result: { structuredContent, content }, isText }: CallOutcome): unknown {
  const [block, ...others] = content;
  if (structuredContent !== undefined || others.length > 0 || block?.type !== "text")
    return structuredContent;
  const value = isText ? undefined : parseJsonText(block.text);
  return value === undefined ? block.text : value;
}
