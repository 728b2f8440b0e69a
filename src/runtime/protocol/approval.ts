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
import { CONFIRM, typedDigest } from "../approvals/question.js";
import type { QuestionBinding, QuestionState } from "../approvals/state.js";
import {
  declined,
  dismissed,
  mistyped,
  STALE,
  unanswered,
  valuesDeclined,
} from "../approvals/texts.js";
import { isObject } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { isModernRequest, type Params } from "./messages.js";
import { declaresForms } from "./session.js";

/** Key of the question in results of 2026-07-28. */
const approvalKey = "approval";

/** Longest wait for an answer on a live connection, in milliseconds. */
const MAX_WAIT_MS = 300_000;

/** Maximum number of questions of one call on a live connection: for inputs, and for an approval. */
const MAX_QUESTIONS = 2;

/** A call that may need the user's answer. */
export interface AskingCall {
  readonly params: Params;
  readonly callerId: string;
  readonly server: Server;
  readonly request: RequestContext;
  /** True if the session of the client records forms, which a server of one request cannot know. */
  readonly supportsForms: boolean;
  /** Calls the tool with what the user has approved and given. */
  run(session: ApprovalSession): Promise<CallToolResult>;
  /** The result of a call that was not made, and its line in the log. */
  refuse(outcome: string, text: string): Promise<CallToolResult>;
}

/** A question, and what its answer means. */
interface Question extends Pick<QuestionState, "grants" | "expected" | "inputs" | "values"> {
  readonly message: string;
  readonly summary: string;
  readonly requestedSchema: object;
}

/** Calls a tool, and asks the user about what it needs approval for. */
export async function callWithApproval(app: ServerContext, call: AskingCall): Promise<Result> {
  const isModern = isModernRequest(call.request);
  const canAsk = declaresForms(capabilitiesOf(call)) || (!isModern && call.supportsForms);
  let session = isModern ? await answeredSession(app, call) : newSession;
  for (let asked = 0; ; asked++) {
    if ("content" in session) return session;
    const current: ApprovalSession = { ...session, canAsk: canAsk && asked < MAX_QUESTIONS };
    const result = await call.run(current);
    const question = await questionOf(current);
    if (!question || !current.canAsk) return result;
    if (isModern) return askInResult(app, call, question);
    session = await sessionAfter(call, question, await askLive(call, question));
  }
}

const newSession: ApprovalSession = { grants: new Map() };

function capabilitiesOf({ server, request }: AskingCall): unknown {
  if (!isModernRequest(request)) return server.getClientCapabilities();
  return (request.mcpReq.envelope as Params | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

/** The question that a call has led to. */
async function questionOf(session: ApprovalSession): Promise<Question | undefined> {
  const { question, form, values } = session;
  const kept = values && { values };
  if (form) {
    const inputs = form.requestedSchema.required;
    return { ...form, summary: form.message.split("\n", 1)[0]!, grants: [], inputs, ...kept };
  }
  if (!question) return undefined;
  const { expected, ...rest } = question;
  const typed = expected === undefined ? {} : { expected: await typedDigest(expected) };
  return { ...rest, ...typed, ...kept };
}

/** What the user has answered in an earlier round, or the result if it is not a yes. */
async function answeredSession(
  app: ServerContext,
  call: AskingCall,
): Promise<ApprovalSession | CallToolResult> {
  const { inputResponses, requestState } = call.request.mcpReq;
  const sealed: unknown = requestState();
  const answer = inputResponses?.[approvalKey];
  // An answer without its state is nobody's. The user is asked again.
  if (answer === undefined || typeof sealed !== "string") return newSession;
  const state = await app.questions.open(sealed, await bindingOf(call));
  return state ? sessionAfter(call, state, answer) : call.refuse("stale_answer", STALE);
}

async function bindingOf({ params, callerId }: AskingCall): Promise<QuestionBinding> {
  return {
    tool: String(params["name"]),
    args: await digest(params["arguments"] ?? {}),
    caller: await digest("caller", callerId),
  };
}

/** The question as a result, with the state that the client returns with the answer. */
async function askInResult(
  app: ServerContext,
  call: AskingCall,
  { message, requestedSchema, ...state }: Question,
): Promise<Result> {
  const requestState = await app.questions.seal({ ...state, ...(await bindingOf(call)) });
  const form = inputRequired.elicit({ message, requestedSchema: requestedSchema as never });
  return inputRequired({ inputRequests: { [approvalKey]: form }, requestState });
}

/** The answer on a live connection; undefined if the client returned none. */
async function askLive(
  { server, request }: AskingCall,
  { message, requestedSchema }: Question,
): Promise<unknown> {
  const params = { mode: "form" as const, message, requestedSchema: requestedSchema as never };
  const { signal, id } = request.mcpReq;
  const options = { signal, timeout: MAX_WAIT_MS, relatedRequestId: id };
  return server.request({ method: "elicitation/create", params }, options).catch(() => undefined);
}

/** The session of the next run, or the result if the answer is not a yes. */
async function sessionAfter(
  call: AskingCall,
  { grants, expected, inputs, values, summary }: Omit<Question, "message" | "requestedSchema">,
  answer: unknown,
): Promise<ApprovalSession | CallToolResult> {
  const { action, content } = isObject(answer) ? answer : {};
  const given = isObject(content) ? content : {};
  if (!["accept", "decline", "cancel"].includes(String(action)))
    return call.refuse("unanswered", unanswered(summary));
  if (inputs) {
    if (action !== "accept") return call.refuse("declined", valuesDeclined(inputs));
    const picked = inputs.flatMap((name) =>
      Object.hasOwn(given, name) ? [[name, given[name]] as const] : [],
    );
    const all = { ...values, ...Object.fromEntries(picked) };
    return { grants: new Map(), isContinued: true, values: all };
  }
  if (action === "cancel") return call.refuse("declined", dismissed(summary));
  const value = action === "accept" ? given[CONFIRM] : undefined;
  if (await isYes(value, expected))
    return { grants: new Map(grants), isContinued: true, ...(values && { values }) };
  const isMistyped = action === "accept" && expected !== undefined;
  return call.refuse("declined", isMistyped ? mistyped(summary) : declined(summary));
}

/** True for a yes, or for the text to type. */
async function isYes(value: unknown, expected: string | undefined): Promise<boolean> {
  if (expected === undefined) return value === true;
  return typeof value === "string" && (await typedDigest(value)) === expected;
}
