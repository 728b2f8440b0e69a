/**
 * The flow of a tool call:
 *
 *     validate input → select operation → resolve names → read local files → bind request
 *       → authenticate and send (retry, redirect) → follow pages → decode
 *       → format (project, sanitize, truncate, coerce) → redact → result
 *
 * Every other path ends with an error result that advises the agent.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { startDeadline } from "../client/limits.js";
import { readLocalFiles } from "../files/files.js";
import { followPages } from "../pagination/follow-pages.js";
import { bindRequest } from "../request/bind-request.js";
import type { ServerContext } from "../server/context.js";
import { observeCall } from "../server/telemetry.js";
import { runCustomTool } from "../tools/customizations.js";
import {
  type AnyTool,
  type BuiltInTool,
  type CallOutcome,
  errorResult,
} from "../tools/definitions.js";
import type { ServedTool } from "../tools/tool-registry.js";
import { findUndocumentedInputs, undocumentedFields } from "../tools/undocumented-inputs.js";
import { restoreDigits, validateInput } from "../tools/validate-input.js";
import {
  addSignature,
  decodeContent,
  finishCall,
  formatResult,
  invalidInput,
  rateLimited,
} from "./build-result.js";
import { addInputNotes } from "./input-notes.js";
import { createLookUp, resolveNames } from "./resolve-names.js";
import { createApiCall, selectOperation } from "./select-operation.js";
import {
  type CallContext,
  createCallInfo,
  type RunningCall,
  sendAuthenticated,
} from "./send-authenticated.js";

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
  if (!("forward" in tool))
    return observeCall(server, tool.name, context.carrier, async () =>
      addSignature(await runCall(server, tool, args, context), context),
    );
  const target = tool.forward(args);
  if ("tool" in target) {
    const { signature } = target;
    return callTool(server, target.tool, target.arguments, { ...context, signature });
  }
  return observeCall(server, tool.name, context.carrier, async () =>
    errorResult("invalid", target.problem),
  );
}

/** Limits the rate, validates the input and runs the tool under a deadline. */
async function runCall(
  server: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const waitMs = server.rateLimiter.take();
  if (waitMs > 0) return rateLimited(tool, server.settings.callsPerMinute, waitMs);
  const validated = validateInput(tool.inputSchema, args, {
    allowLargeIntegers: "operations" in tool,
    strict: server.settings.strictInputs,
  });
  const undocumented = findUndocumented(server, tool, validated.ok ? validated.input : args);
  const problems = [...(validated.ok ? [] : validated.problems), ...undocumented.problems];
  if (!validated.ok || problems.length > 0) return invalidInput(tool, problems);
  if ("handle" in tool) return tool.handle(validated.input);
  const isSent = "operations" in tool && !("run" in tool);
  const input = isSent ? restoreDigits(validated.input, args, tool.operations) : validated.input;
  const { timeoutMs, maxRetryWaitMs } = server.settings;
  const retryWait = { remainingMs: maxRetryWaitMs };
  const deadline = startDeadline(tool.timeoutMs ?? timeoutMs, context.signal, retryWait);
  const info = createCallInfo(server, tool, input, deadline, context, callTool);
  try {
    const outcome = await runTool(tool, { server, info, deadline, context });
    const changes = { ...validated, undocumented: undocumented.names };
    return addInputNotes(tool, outcome, changes, server.redact);
  } finally {
    deadline.dispose();
  }
}

/** Undocumented inputs of a tool of the API. The schemas of other tools are not documents. */
function findUndocumented(
  { settings }: ServerContext,
  tool: AnyTool | BuiltInTool,
  input: unknown,
): ReturnType<typeof findUndocumentedInputs> {
  if (!("operations" in tool)) return { names: [], problems: [] };
  return findUndocumentedInputs(tool, input, settings.strictInputs);
}

function runTool(tool: AnyTool, running: RunningCall): Promise<CallOutcome> {
  if ("run" in tool) return runCustomTool(running.server, tool, running.info);
  if ("perform" in tool) return tool.perform(running);
  return callOperation(running);
}

/** Calls the API operation that serves a validated input. */
export async function callOperation(running: RunningCall): Promise<CallOutcome> {
  const { server, info } = running;
  const { tool } = info;
  const selected = selectOperation(tool, info.input);
  if (!selected.ok) return invalidInput(tool, selected.problems);
  const { operation } = selected;
  const lookUp = createLookUp(running, callOperation);
  const resolved = await resolveNames(server, tool, info.input, operation.resolve, lookUp);
  if (!resolved.ok) return resolved.outcome;
  const loaded = await readLocalFiles(resolved.input, operation.request, server.files);
  if (!loaded.ok) return invalidInput(tool, loaded.problems);
  const others = undocumentedFields(tool, loaded.input);
  const bound = bindRequest(operation.request, loaded.input, server.apiContext, others);
  if (!bound.ok) return invalidInput(tool, bound.problems);
  const call = createApiCall(server, tool, operation, resolved.input, bound.request);
  const prepared = { ...running, call, operation };
  if (!tool.annotations.readOnlyHint) server.pageMemory?.clear();
  const sent = await sendAuthenticated(prepared);
  const pages = await followPages(prepared, sent, sendAuthenticated);
  const answered = { ...prepared, call: { ...call, credentials: sent.credentials } };
  const decoded = decodeContent(answered, sent.response, pages);
  const formatted = await formatResult(answered, decoded, pages);
  return finishCall(prepared, formatted, sent, pages);
}
