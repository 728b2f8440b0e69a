/**
 * The flow of a tool call:
 *
 *     validate input → select operation → resolve names → read local files → bind request
 *       → authenticate and send (retry, redirect) → follow pages → decode
 *       → project, sanitize, truncate and coerce → redact → result
 *
 * Every other path ends with an error result that advises the agent.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { startDeadline } from "../client/limits.js";
import type { Deadline } from "../client/types.js";
import type { ApiCall } from "../errors/api-call.js";
import { readLocalFiles } from "../files/files.js";
import { followPages } from "../pagination/follow-pages.js";
import { bindRequest } from "../request/bind-request.js";
import { restoreDigits } from "../request/parameter-source.js";
import type { ServerContext } from "../server/context.js";
import {
  type AnyTool,
  type BuiltInTool,
  type CallInfo,
  type CallOutcome,
  errorResult,
} from "../tools/definitions.js";
import type { ServedTool } from "../tools/tool-registry.js";
import { validateInput } from "../tools/validate-input.js";
import { finishCall, processResponse } from "./build-result.js";
import { observeCall, runCustomTool } from "./custom-tool.js";
import { addInputNotes, addSignature, invalidInput, rateLimited } from "./input-outcomes.js";
import { type LookUp, resolveNames } from "./resolve-names.js";
import { hasOtherOperation, selectOperation } from "./select-operation.js";
import { type CallContext, sendAuthenticated } from "./send-authenticated.js";

/**
 * Calls a tool. Never throws: every failure is a result with `isError` and one line in the log. A
 * forwarding tool stands for the tool that its arguments name.
 */
export function callTool(
  server: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext = {},
): Promise<CallToolResult> {
  if (!("forward" in tool))
    return observeCall(server, tool.name, context, async () =>
      addSignature(await runCall(server, tool, args, context), context),
    );
  const target = tool.forward(args);
  if ("tool" in target) {
    const { signature } = target;
    return callTool(server, target.tool, target.arguments, { ...context, signature });
  }
  return observeCall(server, tool.name, context, async () =>
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
  if (!validated.ok) return invalidInput(tool, validated.problems);
  if ("handle" in tool) return tool.handle(validated.input);
  const operations = "operations" in tool ? tool.operations : [];
  const input = restoreDigits(validated.input, args, operations);
  const deadline = startCallDeadline(server, tool, context);
  const info = createCallInfo(server, tool, input, deadline, context);
  try {
    const outcome = await runTool(server, tool, info, deadline, context);
    return addInputNotes(tool, outcome, validated);
  } finally {
    deadline.dispose();
  }
}

function startCallDeadline(
  { settings }: ServerContext,
  { timeoutMs = settings.timeoutMs }: AnyTool,
  { signal }: CallContext,
): Deadline {
  return startDeadline(timeoutMs, signal, { remainingMs: settings.maxRetryWaitMs });
}

function runTool(
  server: ServerContext,
  tool: AnyTool,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<CallOutcome> {
  if ("run" in tool) return runCustomTool(server, tool, info);
  if ("perform" in tool) return tool.perform(server, info, deadline, context);
  return callOperation(server, info, deadline, context);
}

/** Calls the API operation that serves a validated input. */
async function callOperation(
  server: ServerContext,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<CallOutcome> {
  const { tool } = info;
  const selected = selectOperation(tool, info.input);
  if (!selected.ok) return invalidInput(tool, selected.problems);
  const { operation } = selected;
  const lookUp = createLookUp(server, info, deadline, context);
  const resolved = await resolveNames(server, tool, info.input, operation.resolve, lookUp);
  if (!resolved.ok) return resolved.outcome;
  const loaded = await readLocalFiles(resolved.input, operation.request, server.files);
  if (!loaded.ok) return invalidInput(tool, loaded.problems);
  const bindResult = bindRequest(operation.request, loaded.input, server.apiContext);
  if (!bindResult.ok) return invalidInput(tool, bindResult.problems);
  const call: ApiCall = {
    api: server.api,
    tool,
    input: resolved.input,
    mapping: operation.request,
    request: bindResult.request,
    findTool: server.tools.get,
    servesWithout: (name) => hasOtherOperation(tool, resolved.input, name, operation),
  };
  const prepared = { server, info, call, operation, deadline, context };
  if (!tool.annotations.readOnlyHint) server.pageMemory?.clear();
  const firstOutcome = await sendAuthenticated(prepared);
  const pages = await followPages(prepared, firstOutcome, sendAuthenticated);
  const sent = { ...prepared, call: { ...call, credentials: firstOutcome.credentials } };
  const processed = await processResponse(sent, firstOutcome.response, pages);
  return finishCall(prepared, processed, firstOutcome, pages);
}

function createCallInfo(
  server: ServerContext,
  tool: AnyTool,
  input: CallInfo["input"],
  deadline: Deadline,
  context: CallContext,
): CallInfo {
  return {
    tool: tool as CallInfo["tool"],
    input,
    env: server.apiContext.env,
    get signal() {
      return deadline.signal;
    },
    forwarded: context.forwarded ?? [],
    progress: (message) => context.progress?.(message),
    callTool: async (name, nested) =>
      callTool(server, server.tools.find(name), nested, { ...context, signal: deadline.signal }),
  };
}

/**
 * Creates the function that calls other tools to resolve names. Their results are not truncated,
 * because a name is compared with all items.
 */
export function createLookUp(
  server: ServerContext,
  info: CallInfo,
  deadline: Deadline,
  context: CallContext,
): LookUp {
  return (tool, input) => {
    const { settings } = server;
    const unlimited = { ...settings, maxResultCharacters: settings.maxResponseBytes };
    context.progress?.(`Looking it up with ${tool.name}.`);
    const nested = { ...info, tool, input };
    return callOperation({ ...server, settings: unlimited }, nested, deadline, context);
  };
}
