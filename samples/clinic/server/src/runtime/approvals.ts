// approvals: files of the runtime of mcp-gen as one module, each after those that it uses.

import { isWrite } from "./client.js";
import { leftOut, omitUndefined, type Store } from "./data.js";
import type { ApiCall, BoundRequest, SentCredentials } from "./request.js";
import { type Redact, REDACTED, sanitize } from "./response.js";
import type { AnyTool, BuiltInTool, CallOutcome } from "./tools.js";
import type { ApprovalScope, ToolDefinition, ToolInput } from "./types.js";

// ---- approvals/asked-inputs.ts ----
// Inputs that the user is asked for, where a call lacks them.

export function missingInputs(_tool: unknown, _args: unknown): readonly string[] {
  return [];
}

/** @throws always */
export function inputForm({ name }: Pick<ToolDefinition, "name">, ..._: unknown[]): InputForm {
  throw new Error(`${name} asks for no inputs.`);
}

export function addInputs<Args>(args: Args, ..._: readonly unknown[]): Args {
  return args;
}
/** A form for the missing inputs of a call. */
export interface InputForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
}

// ---- approvals/question.ts ----
// The question about writes, as a person reads it, and the form of its answer.

/** A question with the form of its answer. */
export interface ApprovalQuestion {
  readonly message: string;
  /** First line of the message. */
  readonly summary: string;
  readonly requestedSchema: {
    type: "object";
    properties: Record<
      string,
      { type: "boolean"; title: string } | { type: "string"; title: string }
    >;
    required: string[];
  };
  /** Text that the user must type; absent for a yes or no. */
  readonly expected?: string;
  /** Digests of what is approved, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
}

// ---- approvals/approval-gate.ts ----
// Approvals: a write that needs one is withheld until the user has agreed to this very write.

/** Approvals of one call, and the question that it leads to. */
export interface ApprovalSession {
  /** True if the client can show a question. Otherwise nothing is read for one. */
  readonly canAsk?: boolean;
  /** True for a call that goes on after an answer. It was counted before the question. */
  readonly isContinued?: boolean;
  /** Approved digests, with the versions of the things as the user saw them. */
  readonly grants: ReadonlyMap<string, string>;
  /** Values that the user gave for missing inputs. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Set by the call if it lacks inputs that the user is asked for. Nothing was sent then. */
  form?: InputForm;
  /** Set by the gate if the user must be asked. Nothing was sent then that needs approval. */
  question?: ApprovalQuestion;
}

// ---- approvals/shown-request.ts ----
// A request as people and agents read it: without credentials, and with a body of bounded size.

/** A request without credentials. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, a text, or the size of other content. Absent without a body. */
  readonly body?: unknown;
}

/** Headers whose values this server sets itself, and that hold no credential. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "user-agent"]);

/**
 * Shows a request as it would be sent.
 * @param bound the request before credentials were added: what differs from it is redacted
 * @param redact redacts the credentials of the request
 */
export function showRequest(
  sent: BoundRequest,
  bound: BoundRequest,
  redact: Redact,
  maxCharacters: number,
): ShownRequest {
  const { method, url, headers, body } = sent;
  const known = new Set(bound.headers.map(headerKey));
  const shown = headers.map(([name, value]): readonly [string, string] => {
    const isOwn = known.has(headerKey([name, value])) || OWN_HEADERS.has(name.toLowerCase());
    return [name, isOwn ? redact(value) : hideValue(value)];
  });
  return {
    method,
    url: sanitize(redact(hideAddedParameters(url, bound.url))),
    headers: Object.fromEntries(shown),
    ...(body !== undefined && { body: showBody(body, redact, maxCharacters) }),
  };
}

const headerKey = ([name, value]: readonly [string, string]): string =>
  `${name.toLowerCase()}: ${value}`;

/** The scheme of a credential is shown: it is what people get wrong. */
function hideValue(value: string): string {
  const scheme = /^(?:basic|bearer|digest|token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${REDACTED}`;
}

/** Hides the values of query parameters that another URL lacks. */
function hideAddedParameters(url: string, boundUrl: string): string {
  const [base = "", query] = url.split("?", 2);
  if (query === undefined) return base;
  const known = new Set((boundUrl.split("?", 2)[1] ?? "").split("&"));
  const parts = query
    .split("&")
    .map((part) => (known.has(part) ? part : `${part.split("=", 1)[0]}=${REDACTED}`));
  return `${base}?${parts.join("&")}`;
}

/** Content that is not text. */
// oxlint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1f\ufffd]/;

function showBody(body: string | Uint8Array, redact: Redact, maxCharacters: number): unknown {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (BINARY.test(text)) return `[${body.length} bytes]`;
  const safe = sanitize(redact(text));
  if (safe.length > maxCharacters)
    return `${safe.slice(0, maxCharacters)}… (${text.length} characters in all)`;
  return parseJson(safe) ?? safe;
}

/** Numbers that a parser would change stay text. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return /\d{16}/.test(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The request as text, in the form of HTTP/1.1. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = typeof body === "string" ? body : JSON.stringify(body);
  return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ["", content])].join("\n");
}

// ---- approvals/write-gate.ts ----
// The gate before every write of a call: a write that it withholds is not sent.

/** A write that is about to be sent. */
export interface PendingWrite {
  readonly call: ApiCall;
  /** With credentials, as hooks left it. */
  readonly request: BoundRequest;
  readonly credentials: SentCredentials;
  /** Redacts the credentials of the request. */
  readonly redact: Redact;
  /** Shows the request without credentials. */
  show(): ShownRequest;
}

/** Decides about the writes of one call, and of the calls within it. */
export interface WriteGate {
  /**
   * Decides about a tool whose code sends several requests, before it runs.
   * @returns the gate of its requests
   * @throws WithheldError if it must not run
   */
  enter(tool: AnyTool, input: ToolInput): Promise<WriteGate>;
  /** @throws WithheldError if the write must not be sent */
  pass(write: PendingWrite): void | Promise<void>;
  /** True if a write was withheld. Code of the project may have caught the error. */
  readonly hasWithheld: boolean;
  /**
   * The outcome of the whole call.
   * @param outcome what its parts made of it
   */
  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome;
}

/** Ends a call whose write is withheld. Its message is a text for the agent. */
export class WithheldError extends Error {
  override readonly name = "WithheldError";

  /** @param isRefusal true if the calls after it must not be made either */
  constructor(
    message: string,
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

/** True for a `WithheldError`, also of another copy of this module. */
export const isWithheld = (error: unknown): error is WithheldError =>
  error instanceof Error && error.name === "WithheldError";

/** The outcome of a part of a call whose write was withheld. */
export const withheldOutcome = ({ message, isRefusal }: WithheldError): CallOutcome => ({
  outcome: "withheld",
  result: { content: [{ type: "text", text: message }], ...(isRefusal && { isError: true }) },
});

/** True if a request may change something: its tool does not only read, and neither does it. */
export function isPossibleWrite(call: ApiCall): boolean {
  return isWrite(call) && call.onlyReads !== true && !call.tool.annotations.readOnlyHint;
}

// ---- approvals/dry-run.ts ----
// Dry run: reads are sent; a write is shown instead, with what was checked.

/** A request that was not sent, with its tool. */
interface UnsentRequest extends ShownRequest {
  readonly tool: string;
}

/** Creates the gate of a call of a dry run. */
export function createDryRunGate(envPrefix: string): WriteGate | undefined {
  return new DryRunGate(envPrefix);
}

/** Withholds every write, and shows them in place of the result. */
class DryRunGate implements WriteGate {
  private readonly requests: UnsentRequest[] = [];
  private readonly variables = new Set<string>();
  private readonly setting: string;

  constructor(envPrefix: string) {
    this.setting = `--dry-run and ${envPrefix}_DRY_RUN`;
  }

  async enter(): Promise<WriteGate> {
    return this;
  }

  get hasWithheld(): boolean {
    return this.requests.length > 0;
  }

  pass({ call, credentials, show }: PendingWrite): never {
    this.requests.push({ tool: call.tool.name, ...show() });
    for (const variable of credentials.variables) this.variables.add(variable);
    throw new WithheldError("A dry run sends no writes.");
  }

  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome {
    const isSequence = "run" in tool || "perform" in tool;
    const { name } = tool;
    if (!this.hasWithheld) return outcome;
    const { requests } = this;
    const data = omitUndefined({
      dryRun: true,
      requests,
      checked: this.checks(),
      notChecked: "whether the API accepts it",
      stopsAt: isSequence && requests.length === 1 ? stopText(name, requests) : undefined,
    });
    return {
      outcome: "dry_run",
      result: {
        content: [{ type: "text", text: textOf(name, this.setting, data) }],
        structuredContent: data,
      },
    };
  }

  private checks(): readonly string[] {
    const variables = [...this.variables].join(", ");
    return [
      "the input matches the input schema",
      "the request can be built",
      ...(variables === "" ? [] : [`credentials are set (${variables})`]),
    ];
  }
}

function stopText(tool: string, [first]: readonly UnsentRequest[]): string {
  const at = first ? ` (${first.method} ${new URL(first.url).pathname})` : "";
  return (
    `${tool} stops at its first write${at}, because what follows may need its result. ` +
    "Further requests are not shown."
  );
}

/** The facts of a dry run, as the structured result has them. */
interface DryRunFacts {
  readonly requests: readonly UnsentRequest[];
  readonly checked: readonly string[];
  readonly notChecked: string;
  readonly stopsAt?: string;
}

function textOf(tool: string, setting: string, facts: DryRunFacts): string {
  const { requests, checked, notChecked, stopsAt } = facts;
  const isOne = requests.length === 1;
  const what = isOne ? "This request" : `These ${requests.length} requests`;
  return [
    `Dry run: ${tool} changed nothing. ${what} would be sent:`,
    ...requests.map((request) => `\n${requestText(request)}`),
    "",
    ...(stopsAt === undefined ? [] : [stopsAt]),
    `Checked: ${checked.join("; ")}. Not checked: ${notChecked}.`,
    `Next: show this to the user. The server sends writes when it is started without ${setting}.`,
  ].join("\n");
}

// ---- approvals/policy.ts ----
// The tools whose writes the user must approve.

/** `ask`: through the client; `refuse`: nothing that needs approval is sent; `off`: all is sent. */
export const approvalModes = ["ask", "refuse", "off"] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The part of a server that decides about approvals. */
export interface ApprovalPolicy {
  readonly api: { readonly approve?: ApprovalScope; readonly envPrefix: string };
  readonly settings: { readonly approvals: ApprovalMode };
}

// ---- approvals/call-gate.ts ----
// The gate of one call: made before it, and asked for the outcome after it.

/** Sentence for the user who asks for approvals. */
export const approvalsProblem: string | undefined = leftOut("approvals", "approvals");

/** Creates the gate of a call; undefined if all writes are sent. */
export function createGate(server: GateServer, ..._: readonly unknown[]): WriteGate | undefined {
  return server.settings.dryRun ? createDryRunGate(server.api.envPrefix) : undefined;
}
/** The part of a server that a gate needs. */
export interface GateServer extends ApprovalPolicy {
  readonly settings: ApprovalPolicy["settings"] & { readonly dryRun: boolean };
}

/** Runs a call. If a write was withheld, the gate decides about the outcome. */
export async function settleGate(
  gate: WriteGate,
  tool: AnyTool | BuiltInTool,
  call: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const outcome = await call().catch((error: unknown) => {
    if (isWithheld(error)) return withheldOutcome(error);
    throw error;
  });
  return gate.settle(tool, outcome);
}

// ---- approvals/state.ts ----
// The state of a question, which the client returns with the answer. It is sealed, valid for five
// minutes, and used once. MCP 2026-07-28, "Multi Round-Trip Requests", server requirements.

/** @param shared state of all processes of the server */
export function createQuestionStates(shared: Store | undefined): QuestionStates {
  return {
    isShared: shared !== undefined,
    seal: () => Promise.reject(new Error("There are no questions.")),
    open: async () => undefined,
  };
}
/** The call that a question belongs to. */
export interface QuestionBinding {
  readonly tool: string;
  /** Digest of the arguments. */
  readonly args: string;
  /** Digest of the caller. */
  readonly caller: string;
}

/** Sealed content: digests, and what the user gave. The client can read it. */
export interface QuestionState extends QuestionBinding {
  readonly nonce: string;
  /** Approved digests, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
  /** Digest of the text to type. */
  readonly expected?: string;
  /** Inputs that the question asks for. */
  readonly inputs?: readonly string[];
  /** Values that the user gave in an earlier round. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** First line of the question. */
  readonly summary: string;
}

/** Seals and opens states. */
export interface QuestionStates {
  /** True if several processes share the states. */
  readonly isShared: boolean;
  seal(state: Omit<QuestionState, "nonce">): Promise<string>;
  /** Opens a state of this call, once. Undefined for any other. */
  open(sealed: string, binding: QuestionBinding): Promise<QuestionState | undefined>;
}
