/** Results of calls: from the response of the API, and about inputs. */
import { propertySchema } from "../schema/subschemas.js";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { isWrite } from "../client/failures.js";
import type { RateLimit } from "../client/rate-limiter.js";
import { findErrorIn, isEmbeddedError } from "../errors/embedded-error.js";
import { explainFailure, invalidInputText } from "../errors/explain-failure.js";
import type { ToolInputs } from "../errors/input-errors.js";
import { paymentPage } from "../errors/payment-page.js";
import type { CollectedPages } from "../pagination/follow-pages.js";
import { listFacts } from "../pagination/list-notes.js";
import { nextPageHint, type NextPageHint } from "../pagination/next-page.js";
import { possibleRest } from "../pagination/possible-rest.js";
import { repeatedPageNote } from "../pagination/page-memory.js";
import { queryInputs } from "../request/parameter-source.js";
import {
  type ApiResponse,
  type Failure,
  type InputProblem,
  isFailure,
  isSuccess,
  type RequestOutcome,
} from "../request/types.js";
import { isSequence, parseContentType } from "../data/media-types.js";
import { omitUndefined } from "../data/values.js";
import {
  type DecodedContent,
  decodeInSteps,
  type ExpectedContent,
  jsonOf,
} from "../response/decode.js";
import type { FullResult } from "../response/redact.js";
import { redactWithNote } from "../response/redaction-note.js";
import { linkFullResult } from "../response/result-store.js";
import { mergeFacts, type ResultFacts } from "../response/result-facts.js";
import { sanitize } from "../response/shape.js";
import { pause, runWithPauses } from "../data/steps.js";
import {
  createToolResultInSteps,
  type ToolResult,
  type ToolResultOptions,
} from "../response/tool-result.js";
import type { ServerContext } from "../server/context.js";
import {
  type ResponseContent,
  runAfterResponse,
  runMapError,
  runResultHook,
  StoppedCall,
  stoppedOutcome,
} from "../tools/customizations.js";
import { type AnyTool, type CallOutcome, errorResult } from "../tools/definitions.js";
import type { JsonSchema, ResponseMapping } from "../types.js";
import { type StatusFacts, statusFacts } from "./status-notes.js";
import type { CallContext, PreparedCall } from "./send-authenticated.js";

/** A processed response: its outcome, and the data for the last steps of a call. */
interface ProcessedResponse extends CallOutcome {
  readonly failure?: Failure;
  /** The full result, when the result shows only a part of it. */
  readonly fullResult?: FullResult;
  readonly received?: ApiResponse;
}

/** A successful response with its content. */
export interface DecodedResponse {
  readonly response: ApiResponse;
  readonly content: ResponseContent["content"];
}

/** Decodes a response; the outcome of a failure, if it is one. */
export async function decodeContent(
  prepared: PreparedCall,
  response: ApiResponse | Failure,
  pages: CollectedPages | undefined,
): Promise<DecodedResponse | ProcessedResponse> {
  if (isFailure(response)) return failureOutcome(prepared, response);
  const silent = silentTimeout(prepared, response);
  if (silent) return failureOutcome(prepared, silent);
  const isUnchanged = response.status === 304;
  if (!isSuccess(response) && !isUnchanged)
    return failureOutcome(prepared, { kind: "status", response });
  const { call, operation } = prepared;
  const { outputSchema } = call.tool;
  const expected = ASKS_FOR_PAGE.test(call.request.url)
    ? "any"
    : expectedContent(outputSchema, operation.response);
  const content =
    pages?.content ?? (await runWithPauses(decodeInSteps(response, expected, call.mapping.method)));
  if (content.kind === "malformed") {
    const { reason, excerpt } = content;
    return failureOutcome(prepared, { kind: "unusable", response, reason, excerpt });
  }
  if (content.kind === "json" && isEmbeddedError(content.value, outputSchema, operation.outcome))
    return failureOutcome(prepared, { kind: "refused", response, value: content.value });
  const isSequence = content.kind === "json" && content.isSequence === true;
  const error = isSequence && (await runWithPauses(findErrorIn(content.value)));
  if (error)
    return failureOutcome(prepared, { kind: "refused", response, value: error.value }, [
      { type: "text", text: sequenceText(content.value, prepared) },
    ]);
  return { response, content: addStatus(content, statusFacts(call, response)) };
}

/** A URL that asks for a page, which is then no page of a sign-in or a proxy: `?format=html`. */
const ASKS_FOR_PAGE = /(?:[?&][^=&]{1,60}=|[./])html(?:$|[&?#])/i;

/** Words of operations whose responses go on: `watch`, `stream of events`, `follow the log`. */
const STREAMING =
  /\b(?:stream|watch|event|follow|tail|monitor|subscri|listen|notif|real-?time|live\b|attach|poll)/i;

/** The timeout of a response without a body, unless its operation may be a stream without events. */
function silentTimeout(
  { call }: Pick<PreparedCall, "call">,
  { cut, size, headers }: ApiResponse,
): Failure | undefined {
  if (cut?.kind !== "deadline" || size > 0) return undefined;
  const { tool, mapping } = call;
  const words = `${tool.name} ${mapping.path} ${tool.description}`.replaceAll("_", " ");
  const type = parseContentType(headers.get("content-type")).essence;
  const isDocument = tool.outputSchema !== undefined && !isSequence(type) && !STREAMING.test(words);
  return isDocument ? { kind: "timeout", afterMs: cut.afterMs, sent: true } : undefined;
}

/** The declared content of a response. A schema that allows text only is that of a string. */
function expectedContent(
  schema: JsonSchema | undefined,
  { wrap }: ResponseMapping,
): ExpectedContent {
  if (!schema) return "any";
  const types = [propertySchema(schema, "value")["type"]].flat().filter((type) => type !== "null");
  return wrap === "value" && types.join() === "string" ? "text" : "json";
}

/** The values of a sequence with an error in it, as far as the size of a result allows. */
function sequenceText(value: unknown, { server }: PreparedCall): string {
  const text = sanitize(JSON.stringify(value));
  const max = server.settings.maxResultCharacters;
  const shown = text.length > max ? `${text.slice(0, max / 2)} … ${text.slice(-max / 2)}` : text;
  return `The response has these values: ${shown}`;
}

/** Adds the meaning of the status to decoded content. */
function addStatus(
  content: ResponseContent["content"],
  { event, note }: StatusFacts,
): ResponseContent["content"] {
  if (content.kind === "empty" && event !== undefined) return { ...addNote(content, note), event };
  return addNote(addNote(content, event), note);
}

/** Size in bytes above which other calls go on between the steps of processing a response. */
const LARGE_RESPONSE = 500_000;

/**
 * Makes a result of content: customize → project, sanitize, truncate and coerce.
 * @param added facts of further requests
 */
export async function formatResult(
  prepared: PreparedCall,
  decoded: DecodedResponse | ProcessedResponse,
  pages: CollectedPages | undefined,
  added?: ResultFacts,
): Promise<ProcessedResponse> {
  if ("outcome" in decoded) return decoded;
  const { server, info, operation } = prepared;
  const { response, content } = decoded;
  if (response.size > LARGE_RESPONSE) await pause();
  const { next, mayBeLast, facts, isPartial } = pageHint(prepared, response, content, pages);
  const answer = { content, mapping: operation.response, next, mayBeLast };
  const customized = await runAfterResponse(server.hooks, answer, info);
  if (customized instanceof StoppedCall) return stoppedOutcome(info.tool, customized);
  const options = {
    ...resultOptions(prepared, customized, response),
    facts: mergeFacts(facts, added),
  };
  const toolResult = await runWithPauses(createToolResultInSteps(customized.content, options));
  if (toolResult.ok)
    return {
      ...successOutcome(toolResult, response),
      ...(isPartial && { isPartial: true as const }),
      ...(customized.content.kind === "text" && { isText: true as const }),
    };
  const { reason, content: shownContent } = toolResult;
  const failure = { kind: "unusable", response, reason, shown: shownContent.length > 0 } as const;
  return failureOutcome(prepared, failure, shownContent);
}

/** A hint about the next page, and whether there may be one. */
interface ListHint extends NextPageHint {
  readonly isPartial: boolean;
}

const withExtent = ({ next, mayBeLast, facts }: NextPageHint): ListHint => ({
  ...omitUndefined({ next, mayBeLast, facts }),
  isPartial: (next !== undefined && next !== null) || facts !== undefined,
});

/** Finds the next page, unless the API returned this page before as another one. */
function pageHint(
  prepared: PreparedCall,
  response: ApiResponse,
  content: DecodedContent,
  pages: CollectedPages | undefined,
): ListHint {
  const body = jsonOf(content);
  const note = repeatedPageNote(prepared, body, prepared.server.pageMemory);
  if (note !== undefined) return withExtent({ next: null, facts: { notes: [note] } });
  if (pages) return withExtent(pages);
  const hint = nextPageHint(prepared, response, content);
  const isKnown = hint.next !== undefined || hint.facts !== undefined;
  const known = withExtent(isKnown ? hint : (possibleRest(prepared, body, response.headers) ?? {}));
  const { maxResultCharacters } = prepared.server.settings;
  const { notes = [], values } = listFacts(prepared, body, response, maxResultCharacters);
  if (notes.length === 0) return known;
  const { facts } = known;
  return {
    ...known,
    isPartial: known.isPartial || values?.["total"] !== undefined,
    facts: {
      notes: [...notes, ...(facts?.notes ?? [])],
      values: { ...values, ...facts?.values },
    },
  };
}

/** Builds the outcome of a failed call, with advice for the agent. */
function failureOutcome(
  { call, context }: Pick<PreparedCall, "call" | "context">,
  failure: Failure,
  content?: readonly ContentBlock[],
): ProcessedResponse {
  const page = failure.kind === "status" ? paymentPage(failure.response) : undefined;
  if (page !== undefined) {
    if (context.payments) context.payments.page = { url: page, tool: call.tool.name };
    content = [...(content ?? []), { type: "resource_link", uri: page, name: "Payment page" }];
  }
  const isApiError = failure.kind === "status" || failure.kind === "refused";
  const outcome = isApiError ? "api_error" : failure.kind;
  return { ...errorResult(outcome, sanitize(explainFailure(failure, call)), content), failure };
}

/** Builds the outcome of a successful call. */
function successOutcome(
  { ok: _, fullResult, ...noted }: Extract<ToolResult, { ok: true }>,
  received: ApiResponse,
): ProcessedResponse {
  return { outcome: "ok", ...noted, ...(fullResult && { fullResult, received }) };
}

/** Collects the options by which a response becomes the tool's result. */
function resultOptions(
  { server, info, call }: PreparedCall,
  { mapping, next, mayBeLast }: ResponseContent,
  { status, headers }: ApiResponse,
): ToolResultOptions {
  return {
    tool: call.tool,
    mapping,
    next,
    mayBeLast,
    maxCharacters: server.settings.maxResultCharacters,
    url: call.request.url,
    status,
    headers,
    input: info.input,
    narrowing: isWrite(call) ? [] : queryInputs(call.mapping),
    isWrite: isWrite(call),
    saveFiles: server.files !== undefined,
  };
}

/** Adds a note to the notes of decoded content. */
function addNote<Content extends ResponseContent["content"]>(
  content: Content,
  note?: string,
): Content {
  if (note === undefined) return content;
  return { ...content, note: [content.note, note].filter(Boolean).join(" ") };
}

/**
 * Finishes a call: runs the result hooks, redacts secrets and links the full result. A result that
 * a hook has changed is not stored in full, because that would contain data that the hook removed.
 */
export async function finishCall(
  prepared: PreparedCall,
  processed: ProcessedResponse,
  firstOutcome: RequestOutcome,
  pages: CollectedPages | undefined,
): Promise<CallOutcome> {
  const { server, call } = prepared;
  const { fullResult, isPartial, isText } = processed;
  const { secrets, retries } = pages ?? firstOutcome;
  const { outcome, result, notesKey } = await runResultHooks(prepared, processed);
  const noted = omitUndefined({ result, notesKey });
  if ((processed.received?.size ?? 0) > LARGE_RESPONSE) await pause();
  const redact = server.redactorFor(secrets);
  const redacted = await redactWithNote(noted, redact, call.tool.outputSchema);
  const storage: Partial<ServerContext> = server.hooks.afterResponse ? {} : server;
  const linked =
    fullResult && outcome === "ok"
      ? await linkFullResult(redacted, fullResult, {
          tool: call.tool,
          call: prepared.info,
          isWrite: isWrite(call),
          resultStore: storage.resultStore,
          resultReader: storage.resultReader,
          files: storage.files,
          redact,
          source: { url: call.request.url, headers: processed.received?.headers },
        })
      : redacted;
  const received = isFailure(firstOutcome.response) ? undefined : firstOutcome.response;
  return {
    outcome,
    ...linked,
    ...(isPartial && { isPartial }),
    ...(isText && { isText }),
    ...(fullResult && { isTruncated: true }),
    status: received?.status,
    bytes: pages?.bytes ?? received?.size,
    retries: retries > 0 ? retries : undefined,
  };
}

/** Runs the hook for failures or the hook for results. A call that hooks outlasted has neither. */
async function runResultHooks(
  { server: { hooks }, info }: PreparedCall,
  { failure, ...processed }: ProcessedResponse,
): Promise<CallOutcome> {
  if (failure) return runMapError(hooks, processed, failure, info);
  return processed.result.isError ? processed : runResultHook(hooks, processed, info);
}

/**
 * Builds the outcome of a call whose input was rejected before a request was sent.
 * @param offer another way than to correct the input
 */
export function invalidInput(
  tool: ToolInputs,
  problems: readonly InputProblem[],
  offer?: string,
): CallOutcome {
  const text = invalidInputText(tool, problems);
  return errorResult("invalid", sanitize(offer === undefined ? text : `${text} ${offer}`));
}

/** Builds the outcome of a call over a rate limit of the server. */
export function rateLimited(
  { name }: Pick<AnyTool, "name">,
  { perMinute, isOfCaller, waitMs }: RateLimit,
): CallOutcome {
  const whose = isOfCaller ? " of each caller" : "";
  const limit = `this server allows ${perMinute} calls per minute${whose}`;
  const seconds = Math.ceil(waitMs / 1000);
  const text = `Not sent: ${limit}. Wait ${seconds} s, then call ${name} again.`;
  return errorResult("rate_limited", text);
}

/** Adds the signature to a rejected input, if the agent has not read the schema. */
export async function addSignature(
  outcome: CallOutcome,
  { signature }: CallContext,
): Promise<CallOutcome> {
  const [first, ...others] = outcome.result.content;
  if (!signature || outcome.outcome !== "invalid" || first?.type !== "text") return outcome;
  const text = `${first.text}\nSignature: ${await signature()}`;
  return { ...outcome, result: { ...outcome.result, content: [{ ...first, text }, ...others] } };
}
