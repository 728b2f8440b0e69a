/**
 * Questions to the user about a call, through the client: multi-round-trip requests of 2026-07-28,
 * `elicitation/create` on live connections of 2025-06-18 and 2025-11-25. The model takes no part:
 * nothing that a tool takes as input counts as an answer.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type Result,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import type { ApprovalSession } from "../approvals/approval-gate.js";
import { digest } from "../approvals/digest.js";
import { type ApprovalQuestion, CONFIRM, typedDigest } from "../approvals/question.js";
import type { QuestionBinding } from "../approvals/state.js";
import { declined, dismissed, mistyped, STALE, unanswered } from "../approvals/texts.js";
import { isObject } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { isModernRequest, type Params } from "./messages.js";

/** Key of the question in results of 2026-07-28. */
const inputKey = "approval";

/** Longest wait for an answer on a live connection, in milliseconds. */
const MAX_WAIT_MS = 300_000;

/** A call that may need the user's answer. */
interface AskingCall {
  readonly params: Params;
  readonly callerId: string;
  readonly server: Server;
  readonly request: RequestContext;
  /** Calls the tool with what the user has approved. */
  run(session: ApprovalSession): Promise<CallToolResult>;
  /** The result of a call that was not made, and its line in the log. */
  refuse(outcome: string, text: string): Promise<CallToolResult>;
}

/** Calls a tool, and asks the user about what it needs approval for. */
export async function callWithApproval(app: ServerContext, call: AskingCall): Promise<Result> {
  const session = await sessionOf(app, call);
  if ("content" in session) return session;
  const result = await call.run(session);
  const { question } = session;
  if (!question) return result;
  if (isModernRequest(call.request))
    return supportsForms(modernCapabilities(call.request))
      ? askInResult(app, call, question)
      : result;
  if (!supportsForms(call.server.getClientCapabilities())) return result;
  const answer = await askLive(call, question);
  const refused = await refusalOf(answer, await expectedOf(question), question.summary);
  if (refused) return call.refuse(refused.outcome, refused.text);
  return call.run({ grants: new Map(question.grants) });
}

function modernCapabilities({ mcpReq }: RequestContext): unknown {
  return (mcpReq.envelope as Params | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

/** True for elicitation with forms. Without a mode, it means forms. MCP 2025-11-25, "Elicitation". */
function supportsForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isObject(elicitation)) return false;
  return isObject(elicitation["form"]) || elicitation["url"] === undefined;
}

/** What the user has approved in an earlier round, or the result if the answer is another one. */
async function sessionOf(
  app: ServerContext,
  call: AskingCall,
): Promise<ApprovalSession | CallToolResult> {
  const none: ApprovalSession = { grants: new Map() };
  if (!isModernRequest(call.request)) return none;
  const { inputResponses, requestState } = call.request.mcpReq;
  const sealed: unknown = requestState();
  const answer = inputResponses?.[inputKey];
  // An answer without its state is nobody's. The user is asked again.
  if (answer === undefined || typeof sealed !== "string") return none;
  const state = await app.questions.open(sealed, await bindingOf(call));
  if (!state) return call.refuse("stale_answer", STALE);
  const refused = await refusalOf(answer, state.expected, state.summary);
  return refused ? call.refuse(refused.outcome, refused.text) : { grants: new Map(state.grants) };
}

async function bindingOf({ params, callerId }: AskingCall): Promise<QuestionBinding> {
  return {
    tool: String(params["name"]),
    args: await digest(params["arguments"] ?? {}),
    caller: await digest("caller", callerId),
  };
}

const expectedOf = async ({ expected }: ApprovalQuestion): Promise<string | undefined> =>
  expected === undefined ? undefined : typedDigest(expected);

/** The question as a result, with the state that the client returns with the answer. */
async function askInResult(
  app: ServerContext,
  call: AskingCall,
  question: ApprovalQuestion,
): Promise<Result> {
  const { message, requestedSchema, grants, summary } = question;
  const expected = await expectedOf(question);
  const binding = await bindingOf(call);
  const requestState = await app.questions.seal({
    ...binding,
    grants,
    summary,
    ...(expected !== undefined && { expected }),
  });
  const form = inputRequired.elicit({ message, requestedSchema });
  return inputRequired({ inputRequests: { [inputKey]: form }, requestState });
}

/** The answer on a live connection; undefined if the client returned none. */
async function askLive(
  { server, request }: AskingCall,
  { message, requestedSchema }: ApprovalQuestion,
): Promise<unknown> {
  const params = { mode: "form" as const, message, requestedSchema };
  const { signal } = request.mcpReq;
  return server
    .request({ method: "elicitation/create", params }, { signal, timeout: MAX_WAIT_MS })
    .catch(() => undefined);
}

/** The reason why an answer is not a yes; undefined if it is one. */
async function refusalOf(
  answer: unknown,
  expected: string | undefined,
  summary: string,
): Promise<{ readonly outcome: string; readonly text: string } | undefined> {
  const { action, content } = isObject(answer) ? answer : {};
  const value = isObject(content) ? content[CONFIRM] : undefined;
  if (action === "decline") return { outcome: "declined", text: declined(summary) };
  if (action === "cancel") return { outcome: "declined", text: dismissed(summary) };
  if (action !== "accept") return { outcome: "unanswered", text: unanswered(summary) };
  if (expected === undefined)
    return value === true ? undefined : { outcome: "declined", text: declined(summary) };
  const isTyped = typeof value === "string" && (await typedDigest(value)) === expected;
  return isTyped ? undefined : { outcome: "declined", text: mistyped(summary) };
}
