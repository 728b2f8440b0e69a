/**
 * The flow of a tool call:
 *
 *     validate input → select operation → resolve names → read local files → bind request
 *       → authenticate and send (retry, redirect) → follow pages → decode
 *       → format (project, sanitize, truncate, coerce) → redact → result
 *
 * Every other path ends with an error result that advises the agent.
 */
import { jsonOf } from "../response/decode.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { withheldOutcome } from "../approvals/write-gate.js";
import { startDeadline } from "../client/limits.js";
import { readLocalFiles } from "../files/files.js";
import { INTERNAL_ERROR } from "../errors/explain-failure.js";
import { followPages } from "../pagination/follow-pages.js";
import { bindRequest } from "../request/bind-request.js";
import { bindRawRequest, readRawRequest } from "../request/raw-request.js";
import type { BindResult, Failure, InputProblem, RequestOutcome } from "../request/types.js";
import type { GivenValue } from "../schema/coerce-input.js";
import { omitUndefined } from "../data/values.js";
import { addResultNote, type ResultFacts } from "../response/result-facts.js";
import { sanitize } from "../response/shape.js";
import { contextOfTool } from "../server/api-contexts.js";
import { type ServerContext, withResultLimit, withWholeResults } from "../server/context.js";
import { observeCall } from "../server/telemetry.js";
import { runCustomTool } from "../tools/customizations.js";
import {
  type AnyTool,
  type BuiltInTool,
  type CallOutcome,
  errorResult,
  type RepeatedResult,
} from "../tools/definitions.js";
import type { ServedTool } from "../tools/tool-registry.js";
import { isToolError } from "../tools/tool-error.js";
import type { ValidInput } from "../tools/prepare-input.js";
import { offerFor, prepareDoubtful } from "../tools/doubtful-input.js";
import { replaceParts, withLargeIntegers } from "../tools/validate-input.js";
import type { OperationBinding, RequestMapping, ToolDefinition, ToolInput } from "../types.js";
import { undocumentedFields } from "../tools/undocumented-inputs.js";
import {
  addSignature,
  decodeContent,
  type DecodedResponse,
  finishCall,
  formatResult,
  invalidInput,
  rateLimited,
} from "./build-result.js";
import { askForInputs, unaskedProblems, withAskedInputs } from "./ask-for-inputs.js";
import { readsBeforeWrite } from "./before-write.js";
import { createGate, enterGate, settleGate } from "./call-gate.js";
import { addInputNotes } from "./input-notes.js";
import { repeatWithFormFields } from "./form-objects.js";
import { repeatInQueryForm } from "./query-form.js";
import { LISTS_SHARE, readIncludedLists } from "./included-lists.js";
import { replaceNames } from "./names-in-ids.js";
import { effectLines } from "./effects.js";
import { repeatAsDemanded } from "./as-demanded.js";
import { missingTotal, withSmallestPage } from "./count-only.js";
import { readItemBack } from "./read-back.js";
import { repeatWithEmptyBody } from "./empty-body.js";
import { booleansAsGiven, booleansNote, repeatAsGiven } from "./given-values.js";
import { sendOtherQuery } from "./other-query.js";
import { readByCalling } from "./repeat-call.js";
import type { BindValues, RepeatedCall } from "./rejected-call.js";
import { RequestRecord } from "./request-record.js";
import { addText, callWithIds, lookUpNames } from "./look-up-names.js";
import { createLookUp, resolveNames } from "./resolve-names.js";
import { selectFields } from "./select-fields.js";
import { readUrls } from "./read-urls.js";
import { recordEffect } from "./record-effect.js";
import { recordGivenTypes, recordRejection } from "./record-rejection.js";
import { callForEach } from "./several-ids.js";
import { createApiCall, selectOperation } from "./select-operation.js";
import {
  type CallContext,
  createCallInfo,
  type PreparedCall,
  recordSuccess,
  type RunningCall,
  sendAuthenticated,
} from "./send-authenticated.js";
import { waitForJob, withJob, withSecrets } from "./wait-for-job.js";

/**
 * Calls a tool. Never throws: every failure is a result with `isError` and one line in the log. A
 * forwarding tool calls the tool that its arguments name.
 */
export function callTool(
  server: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext = {},
): Promise<CallToolResult> {
  if (!("forward" in tool)) return callServedTool(server, tool, args, context);
  const target = tool.forward(args);
  if ("tool" in target) {
    const { signature, show } = target;
    const call = (one: ServerContext): Promise<CallToolResult> =>
      callTool(one, target.tool, target.arguments, { ...context, signature });
    return show
      ? call(withWholeResults(server)).then((result) => show(result, server))
      : call(server);
  }
  return observeCall(server, { name: tool.name }, context, async () =>
    errorResult("invalid", target.problem),
  );
}

/** Calls a tool that forwards to no other, and adds the requests that were sent to its result. */
async function callServedTool(
  caller: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  given: CallContext,
): Promise<CallToolResult> {
  const server = contextOfTool(caller, tool);
  const requests = new RequestRecord(given.requests);
  const policyOf = (one: Pick<AnyTool, "api">): ServerContext => contextOfTool(caller, one);
  const gate = given.gate ?? createGate(server, policyOf, given.approvals);
  // A call that is a part of another one counts for itself.
  const isCounted = !given.requests && given.approvals?.isContinued === true;
  const context = { ...given, requests, gate, isCounted };
  const call = async (): Promise<CallOutcome> =>
    addSignature(await runCall(server, tool, args, context), context);
  // A call that is a part of another one leaves the gate to it.
  const run = gate && !given.gate ? () => settleGate(gate, tool, call) : call;
  const result = await observeCall(server, tool, context, run, requests);
  return requests.addTo(result, server);
}

/** Runs the call of a tool, once for each ID of a list. */
async function runCall(
  server: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const { settings } = server;
  const run = (one: ToolDefinition, input: unknown, share: number): Promise<CallOutcome> => {
    const max = Math.floor(settings.maxResultCharacters * share);
    return runOne(withResultLimit(server, max), one, input, context);
  };
  const repeated = await callForEach(tool, args, settings.timeoutMs, run);
  return repeated ?? runOne(server, tool, args, context);
}

/** Limits the rate, validates the input and runs the tool under a deadline. */
async function runOne(
  server: ServerContext,
  documented: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const corrected = server.corrections.of(documented);
  const taken = context.isCounted ? undefined : server.rateLimiter.take(context.caller);
  const limit = taken instanceof Promise ? await taken : taken;
  if (limit) return rateLimited(corrected, limit);
  const asked = withAskedInputs(corrected, args, context);
  const read = "operations" in corrected ? readUrls(corrected, asked) : { args: asked };
  if ("problems" in read) return invalidInput(corrected, read.problems);
  const { args: given } = read;
  const { caller = "" } = context;
  const doubtful = prepareDoubtful(server, corrected, given, caller);
  const { tool, prepared, offer } = sendOtherQuery(server, doubtful, given, caller);
  if (!prepared.ok) {
    const problems = [...prepared.problems, ...unaskedProblems(tool, given, context)];
    const call = { caller, tool, args: given, problems };
    return invalidInput(tool, problems, offer ?? offerFor(server, call));
  }
  const question = askForInputs(tool, given, context);
  if (question) return question;
  const { input } = prepared;
  if ("handle" in tool)
    return tool.handle(input, {
      ...omitUndefined({ resultStore: server.resultStore }),
      repeatCall: (uri) => repeatCall(server, uri, context),
    });
  const entered = await enterGate(tool, input, context);
  if ("outcome" in entered) return entered;
  const { timeoutMs, maxRetryWaitMs } = server.settings;
  const retryWait = { remainingMs: maxRetryWaitMs };
  const deadline = startDeadline(tool.timeoutMs ?? timeoutMs, context.signal, retryWait);
  const remove = server.runningCalls.add(deadline);
  const info = createCallInfo(server, tool, input, deadline, entered, callTool);
  try {
    const running = { server, info, deadline, context: entered, ...givenValuesOf(prepared) };
    const ended = await runTool(tool, running).catch((error: unknown) =>
      toolErrorOutcome(error, server, tool, context),
    );
    const outcome = "run" in tool ? withEffects(ended, context, server) : ended;
    return addInputNotes(tool, outcome, prepared.changes, server.redact);
  } finally {
    remove();
    deadline.dispose();
  }
}

const givenValuesOf = ({
  changes: { givenValues, largeIntegers },
}: ValidInput): Pick<RunningCall, "givenValues" | "largeIntegers"> =>
  omitUndefined({ givenValues, largeIntegers });

/** Reads a full result by repeating the call that its URI states. */
export function repeatCall(
  server: ServerContext,
  uri: string,
  { approvals: _, tasks: __, signature: ___, ...context }: CallContext,
): Promise<RepeatedResult | undefined> {
  return readByCalling(server, uri, (capturing, tool, input) =>
    callTool(capturing, tool, input, context),
  );
}

/**
 * The outcome of an error that code of the project threw for the agent, or of a withheld write.
 * Others are thrown again.
 */
function toolErrorOutcome(
  error: unknown,
  { redact, log }: ServerContext,
  { name }: AnyTool,
  { requests }: CallContext,
): CallOutcome {
  const withheld = withheldOutcome(error);
  if (withheld) return withheld;
  if (!isToolError(error)) {
    if (!requests || requests.effects.length === 0) throw error;
    log.error(`${name} failed`, error);
    return errorResult("internal", INTERNAL_ERROR);
  }
  return errorResult("failed", redact(sanitize(error.message)));
}

/** Adds to the failure of code the writes that took effect before it. */
function withEffects(
  outcome: CallOutcome,
  { requests }: CallContext,
  { redact }: ServerContext,
): CallOutcome {
  const { result } = outcome;
  const lines = effectLines(requests?.effects ?? []);
  if (!result.isError || lines.length === 0) return outcome;
  const block = { type: "text" as const, text: redact(sanitize(lines.join("\n"))) };
  return { ...outcome, result: { ...result, content: [...result.content, block] } };
}

function runTool(tool: AnyTool, running: RunningCall): Promise<CallOutcome> {
  if ("run" in tool) return runCustomTool(running.server, tool, running.info);
  if ("perform" in tool) return tool.perform(running);
  return callOperation(running);
}

/** The request that the input of `send_request` describes; undefined for other tools. */
const readRaw = (
  request: RequestMapping,
  input: ToolInput,
): ReturnType<typeof readRawRequest> | undefined =>
  request.isRaw ? readRawRequest(request, input) : undefined;

/** A call that is ready to be sent. */
interface BoundCall {
  readonly prepared: PreparedCall;
  /** Input with IDs in place of names. */
  readonly input: ToolInput;
  /** Booleans that are sent as given in place of the declared text. */
  readonly asGiven: readonly GivenValue[];
  /**
   * Binds an input, with local files in place of their paths, to an operation.
   * @param changes values in place of those of the input; those of `asGiven` by default
   */
  bindInput(operation: OperationBinding, changes?: readonly GivenValue[]): BindResult;
}

/** Selects the operation that serves a validated input, resolves names and binds the request. */
async function bindCall(running: RunningCall): Promise<BoundCall | { outcome: CallOutcome }> {
  const { server, info } = running;
  const { tool } = info;
  const invalid = (problems: readonly InputProblem[]) => ({
    outcome: invalidInput(tool, problems),
  });
  const selected = selectOperation(tool, info.input);
  if (!selected.ok) return invalid(selected.problems);
  const raw = readRaw(selected.operation.request, info.input);
  if (raw && !raw.ok) return invalid(raw.problems);
  const chosen = selectFields(tool, selected.operation, info.input);
  if (!chosen.ok) return invalid(chosen.problems);
  const operation = raw ? { ...chosen.operation, request: raw.mapping } : chosen.operation;
  const lookUp = createLookUp(running, callOperation);
  const sized = withSmallestPage(operation, info.input);
  const resolved = await resolveNames(server, tool, sized, operation.resolve, lookUp);
  if (!resolved.ok) return resolved;
  const named = await replaceNames(running, tool, operation, resolved.input, callOperation);
  if ("outcome" in named) return named;
  const { input } = named;
  const loaded = await readLocalFiles(input, operation.request, server.files);
  if (!loaded.ok) return invalid(loaded.problems);
  const others = undocumentedFields(tool, loaded.input);
  const asGiven = booleansAsGiven(tool, operation.request, running.givenValues);
  const bindInput: BoundCall["bindInput"] = ({ request }, changes = asGiven) => {
    const exact = withLargeIntegers(loaded.input, running.largeIntegers);
    const changed = replaceParts(exact, changes) as ToolInput;
    return bindRequest(request, changed, server.apiContext, others);
  };
  const bound = raw ? bindRawRequest(raw, server.apiContext) : bindInput(operation);
  if (!bound.ok) return invalid(bound.problems);
  const call = {
    ...createApiCall(running, tool, operation, input, bound.request),
    ...(running.foundInputs && { foundInputs: running.foundInputs }),
    ...readsBeforeWrite(running, operation, input, callOperation),
  };
  return { prepared: { ...running, call, operation }, input, asGiven, bindInput };
}

/** Calls the API operation that serves a validated input. */
export async function callOperation(running: RunningCall): Promise<CallOutcome> {
  const bound = await bindCall(running);
  if ("outcome" in bound) return bound.outcome;
  const { prepared, input } = bound;
  const { server, info } = running;
  const { tool } = info;
  if (!tool.annotations.readOnlyHint) server.pageMemory?.clear();
  const first = await sendAndDecode(prepared);
  const repeated = repeatRejected(bound, first);
  const exchanged = repeated ? await sendAndDecode(repeated.prepared) : first;
  const { sent, pages, answered, received, failure } = exchanged;
  if (failure?.kind === "status") recordRejection(answered, failure.response);
  const found = failure && (await lookUpNames(answered, failure, callOperation));
  if (found && "input" in found) return callWithIds(running, found, callOperation);
  const decoded = "outcome" in received && found ? addText(received, found.text) : received;
  const done = "outcome" in decoded ? undefined : decoded;
  if (done) recordDone(answered, done, repeated);
  const job = done && (await waitForJob(answered, done, input));
  const added =
    job?.facts ??
    (done &&
      (missingTotal(prepared.operation, info.input, done.content) ??
        (await readMore(answered, done, input))));
  const final = job?.decoded ?? decoded;
  const formatted = await formatResult(withRoom(answered, added), final, pages, added);
  const ended = await finishCall(answered, withJob(formatted, job), withSecrets(sent, job), pages);
  const note = repeated ? repeated.note : booleansNote(bound.asGiven);
  return note === undefined ? ended : addResultNote(ended, note, tool.outputSchema);
}

/** The call in another form, if the API rejected it for its form. */
function repeatRejected(
  { prepared, asGiven, bindInput }: BoundCall,
  { answered, failure }: DecodedExchange,
): RepeatedCall | undefined {
  if (failure?.kind !== "status") return undefined;
  const rejected = { prepared, answered, response: failure.response };
  const bindValues: BindValues = (values) => bindInput(prepared.operation, values);
  const bindDemanded: BindValues = (values) => bindValues([...values, ...asGiven]);
  return (
    repeatWithEmptyBody(rejected, bindInput) ??
    repeatAsGiven(rejected, bindValues) ??
    repeatAsDemanded(rejected, bindDemanded) ??
    repeatInQueryForm(rejected, bindInput) ??
    repeatWithFormFields(rejected, bindInput)
  );
}

/** Records what later calls learn from a success. */
function recordDone(
  answered: PreparedCall,
  done: DecodedResponse,
  repeated: RepeatedCall | undefined,
): void {
  recordSuccess(answered, jsonOf(done.content));
  recordEffect(answered, done);
  if (repeated?.isAsGiven) recordGivenTypes(repeated.prepared);
}

/** A response with the pages after it, decoded. */
interface DecodedExchange {
  readonly sent: RequestOutcome;
  readonly pages: Awaited<ReturnType<typeof followPages>>;
  /** The call with the credentials that were sent. */
  readonly answered: PreparedCall;
  readonly received: Awaited<ReturnType<typeof decodeContent>>;
  readonly failure?: Failure;
}

/** Sends the request of a call, follows its pages and decodes them. */
async function sendAndDecode(prepared: PreparedCall): Promise<DecodedExchange> {
  const sent = await sendAuthenticated(prepared);
  const pages = await followPages(prepared, sent, sendAuthenticated);
  const call = { ...prepared.call, credentials: sent.credentials };
  const answered = { ...prepared, call };
  const received = await decodeContent(answered, sent.response, pages);
  const failure = "outcome" in received ? received.failure : undefined;
  return { sent, pages, answered, received, ...omitUndefined({ failure }) };
}

/** Reads what belongs to a success: the changed thing, or lists of the parts of a thing. */
function readMore(
  { call: { request }, operation, ...running }: PreparedCall,
  done: DecodedResponse,
  input: ToolInput,
): Promise<ResultFacts | undefined> {
  return operation.readBack
    ? readItemBack(running, operation, { ...done, request }, input, callOperation)
    : readIncludedLists(running, operation, done.response, input, callOperation);
}

/** Leaves room for added lists in the size of a result. */
function withRoom(prepared: PreparedCall, added: ResultFacts | undefined): PreparedCall {
  if (!added || !prepared.operation.included) return prepared;
  const { server } = prepared;
  const max = Math.floor(server.settings.maxResultCharacters * (1 - LISTS_SHARE));
  return { ...prepared, server: withResultLimit(server, max) };
}
