// approvals: files of the runtime of mcp-gen as one module, each after those that it uses.

import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import { isWrite } from "./client.js";
import {
  base64Url,
  canonicalJson,
  createMemoryStore,
  isObject,
  omitUndefined,
  sharedSecret,
  type Store,
} from "./data.js";
import type { ApiCall, BoundRequest, NestedResult, SentCredentials } from "./request.js";
import { type Redact, REDACTED, sanitize } from "./response.js";
import { type AnyTool, ASKED, type BuiltInTool, type CallOutcome, errorResult } from "./tools.js";
import type {
  ApprovalScope,
  JsonSchema,
  RequestMapping,
  ToolDefinition,
  ToolInput,
} from "./types.js";

// ---- approvals/digest.ts ----
// Digests by which an approval is bound to what the user saw.

/** SHA-256 of JSON values, in base64url. */
export async function digest(...values: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(values));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return base64Url(hash);
}

/**
 * Digest of a request, without its credentials and without values that each call has anew. The input
 * has what is sent in headers and cookies.
 */
export function requestDigest({ tool, mapping, request, input }: ApiCall): Promise<string> {
  const { method, url, body } = request;
  if (hasGeneratedValue(mapping)) return digest(tool.name, method, mapping.path, input);
  return digest(tool.name, method, url, input, typeof body === "string" ? body : null);
}

function hasGeneratedValue({ query, body }: RequestMapping): boolean {
  const sources = [...Object.values(query ?? {}), ...Object.values(body?.fields ?? {})];
  return sources.some((source) => typeof source === "object" && "generate" in source);
}

// ---- approvals/thing.ts ----
// The thing that a write would change or remove, as a person recognizes it.

/** A thing that was read before a write. */
export interface Thing {
  /** Its name or title, if it has one. */
  readonly name?: string;
  /** Fields that tell it from others: `status: active`. */
  readonly fields: readonly string[];
  /** Digest of what is shown and of the fields that count its changes. */
  readonly version: string;
}

/** Fields by which people know a thing, best first. */
const NAMES = (
  "name title displayName display_name fullName full_name label subject summary username login " +
  "email slug hostname filename reason description"
).split(" ");

/** Fields that tell more about a thing than others. */
const TELLING =
  /^(?:status|state|type|kind|role|plan|owner|user|email|amount|total|price|balance|currency|date|start|end|count|size|environment|region)|(?:_at|At|Date|_date|Status|Count)$/;

/** Fields that change with every change of a thing. */
const VERSIONS =
  /^(?:_?etag|_?rev|version|revision|resource_?version|(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|date|time))?)$/i;

const MAX_FIELDS = 5;
const MAX_LINE = 60;

/**
 * Describes the thing in the result of a read.
 * @param known values of the call, which the question shows anyway
 */
export async function describeThing(
  { structuredContent }: NestedResult,
  known: readonly unknown[],
): Promise<Thing | undefined> {
  const thing = unwrap(structuredContent);
  if (!thing) return undefined;
  const scalars = Object.entries(thing).filter(([, value]) => isScalar(value));
  const named = NAMES.map((key) => scalars.find(([name]) => name === key)).find(Boolean);
  const others = scalars.filter(
    ([name, value]) => name !== named?.[0] && !known.includes(value) && !VERSIONS.test(name),
  );
  const ordered = [
    ...others.filter(([name]) => TELLING.test(name)),
    ...others.filter(([name]) => !TELLING.test(name)),
  ];
  const fields = ordered
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `${oneLine(name)}: ${oneLine(value)}`);
  const versions = scalars.filter(([name]) => VERSIONS.test(name));
  const version = await digest(named ?? null, fields, versions);
  return { ...(named && { name: oneLine(named[1]) }), fields, version };
}

/** The only item of a list, or the thing itself. */
function unwrap(content: unknown): Record<string, unknown> | undefined {
  if (!isObject(content)) return undefined;
  const { items } = content;
  if (!Array.isArray(items)) return content;
  const [item] = items as readonly unknown[];
  return isObject(item) ? item : undefined;
}

function isScalar(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && !/^https?:\/\//.test(value);
  return typeof value === "number" || typeof value === "boolean";
}

/** A value in one line of bounded length. Texts that could be taken for ours are in quotes. */
export function oneLine(value: unknown, maxLength = MAX_LINE): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const safe = sanitize(text).replace(/\s+/g, " ").trim();
  const short = safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe;
  const isPlain = typeof value !== "string" || /^[\p{L}\p{N} _.@+/#'&-]+\u2026?$/u.test(short);
  return isPlain ? short : JSON.stringify(short);
}

// ---- approvals/asked-inputs.ts ----
// Inputs that the user is asked for, where a call lacks them.

/** A form for the missing inputs of a call. */
export interface InputForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
}

/** Inputs of a tool that the call lacks and that the user is asked for. */
export function missingInputs(
  { asks = [] }: Pick<ToolDefinition, "asks">,
  args: unknown,
): readonly string[] {
  const given = isObject(args) ? args : {};
  return asks.filter(
    (name) => given[name] === undefined || given[name] === null || given[name] === "",
  );
}

/** The form, which says which tool needs the values, and for what. */
export function inputForm(
  { title, name, inputSchema }: Pick<ToolDefinition, "title" | "name" | "inputSchema">,
  inputs: readonly string[],
  args: unknown,
): InputForm {
  const properties = (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const given = Object.entries(isObject(args) ? args : {}).map(
    ([key, value]) => `${oneLine(key)}: ${oneLine(value, 200)}`,
  );
  const known = given.length > 0 ? `\nValues of the call: ${given.slice(0, 10).join(", ")}` : "";
  return {
    message: `${title || name} needs ${inputs.join(", ")}.${known}`,
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(
        inputs.map((input) => [input, flatSchema(input, properties[input] ?? {})]),
      ),
      required: inputs,
    },
  };
}

/** Keywords that forms have. MCP 2025-11-25, Elicitation, "Requested Schema". */
const KEYWORDS = ["description", "minLength", "maxLength", "minimum", "maximum", "default"];
const FORMATS: readonly unknown[] = ["email", "uri", "date", "date-time"];

/** The schema of a form's field. */
function flatSchema(name: string, schema: JsonSchema): object {
  const types = [schema["type"]].flat().filter((type) => type !== "null");
  const kept = Object.fromEntries(
    KEYWORDS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])),
  );
  const values = Array.isArray(schema["enum"]) ? (schema["enum"] as readonly unknown[]) : [];
  if (values.length > 0 && values.every((value) => typeof value === "string"))
    return { type: "string", title: name, ...withoutBounds(kept), enum: values };
  const format = FORMATS.includes(schema["format"]) ? { format: schema["format"] } : {};
  const [type = "string"] = types as readonly string[];
  return { type, title: name, ...kept, ...(type === "string" && format) };
}

const withoutBounds = ({ description }: { readonly description?: unknown }): object =>
  description === undefined ? {} : { description };

/** Adds the values that the user gave. Only those that were asked for count. */
export function addInputs(
  args: unknown,
  inputs: readonly string[],
  content: unknown,
): Record<string, unknown> {
  const values = isObject(content) ? content : {};
  const entries = inputs.flatMap((name) =>
    Object.hasOwn(values, name) ? [[name, values[name]] as const] : [],
  );
  return { ...(isObject(args) ? args : {}), ...Object.fromEntries(entries) };
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

/** True if writes of a tool need the user's approval. */
export function needsApproval(
  { name, annotations, approve }: Pick<ToolDefinition, "name" | "annotations" | "approve">,
  { api, settings }: ApprovalPolicy,
): boolean {
  if (settings.approvals === "off" || annotations.readOnlyHint) return false;
  if (approve !== undefined) return approve !== false;
  const scope = api.approve ?? "destructive";
  if (scope === "writes") return true;
  return scope === "destructive" ? annotations.destructiveHint : scope.includes(name);
}

// ---- approvals/question.ts ----
// The question about writes, as a person reads it, and the form of its answer.

/** Something that the user is asked about: a request, or the run of a tool that sends several. */
export interface PendingApproval {
  /** Title of its tool: "Delete a pet". */
  readonly title: string;
  readonly tool: string;
  /** Digest of what is approved. */
  readonly digest: string;
  readonly input: ToolInput;
  /** Inputs that identify the thing: those of the path. */
  readonly ids: readonly string[];
  /** `DELETE /pets/p1`, or the steps of a workflow. */
  readonly requests: readonly string[];
  /** Absent if it could not be read; null if there is nothing to read. */
  readonly thing?: Thing | null | undefined;
  /** Result of the API's own dry run. */
  readonly preview?: NestedResult;
  /** True if the user types the name of the thing. */
  readonly isTyped: boolean;
}

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

/** Field of the answer. */
export const CONFIRM = "confirm";

const MAX_LISTED = 20;
const MAX_VALUES = 10;
const MAX_VALUE = 200;
const MAX_PREVIEW = 400;

/** Makes one question of everything that a call needs approval for. */
export function askAbout(pending: readonly PendingApproval[]): ApprovalQuestion {
  const [first] = pending as readonly [PendingApproval];
  const isOne = pending.length === 1;
  const summary = isOne ? `${titleOf(first)}?` : `${first.title}: ${pending.length} of them?`;
  const lines = isOne
    ? details(first)
    : pending
        .slice(0, MAX_LISTED)
        .map((one, i) => `${i + 1}. ${[targetOf(one) || one.title, ...details(one)].join(" · ")}`);
  const omitted = pending.length - MAX_LISTED;
  const message = [summary, ...lines, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join("\n");
  const expected = pending.some(({ isTyped }) => isTyped) ? textToType(pending) : undefined;
  return {
    message: expected === undefined ? message : `${message}\nTo confirm, type: ${expected}`,
    summary,
    requestedSchema: {
      type: "object",
      properties: {
        [CONFIRM]:
          expected === undefined
            ? { type: "boolean", title: `Yes: ${lowerFirst(first.title)}` }
            : { type: "string", title: `Type ${expected} to confirm` },
      },
      required: [CONFIRM],
    },
    ...(expected !== undefined && { expected }),
    grants: pending.map(({ digest: key, thing }) => [key, thing?.version ?? ""] as const),
  };
}

/** What is done to which thing: "Delete a pet: Rex (petId p1)". */
function titleOf(one: PendingApproval): string {
  const target = targetOf(one);
  return target === "" ? one.title : `${one.title}: ${target}`;
}

/** The thing with its ID: "Rex (petId p1)"; empty if there is none. */
function targetOf({ input, ids, thing }: PendingApproval): string {
  const id = ids.map((name) => `${name} ${oneLine(input[name])}`).join(", ");
  if (thing?.name === undefined) return id;
  return id === "" ? thing.name : `${thing.name} (${id})`;
}

/** The thing, the values and the requests, one line each. */
function details({ input, ids, requests, thing, preview }: PendingApproval): readonly string[] {
  const values = Object.entries(input).filter(
    ([name, value]) => !ids.includes(name) && value !== undefined,
  );
  const shown = values
    .slice(0, MAX_VALUES)
    .map(([name, value]) => `${oneLine(name)}: ${oneLine(value, MAX_VALUE)}`);
  const omitted = values.length - MAX_VALUES;
  return [
    ...(thing === undefined ? ["It could not be read, so that only its ID is shown."] : []),
    ...(thing && thing.fields.length > 0 ? [`It has ${thing.fields.join(", ")}`] : []),
    ...(shown.length > 0
      ? [`Values: ${shown.join(", ")}${omitted > 0 ? `, and ${omitted} more` : ""}`]
      : []),
    ...(preview ? [previewLine(preview)] : []),
    requests.length > 1
      ? `It sends:\n${requests.map((one) => `- ${one}`).join("\n")}`
      : `Request: ${requests.join("")}`,
  ];
}

/** What the API answers to its own dry run. */
function previewLine({ content, isError }: NestedResult): string {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  const shown = text === "" ? "no content" : oneLine(text, MAX_PREVIEW);
  return `${isError ? "The API refuses it in a dry run" : "The API answers to a dry run"}: ${shown}`;
}

/** The name of the thing, else its ID, else the name of the tool; of several things, their number. */
function textToType(pending: readonly PendingApproval[]): string {
  const [{ thing, ids, input, tool }] = pending as readonly [PendingApproval];
  if (pending.length > 1) return `${tool} ${pending.length}`;
  const id = ids.length > 0 ? oneLine(input[ids.at(-1)!]) : undefined;
  return (thing?.name ?? id ?? tool).replace(/^"(.*)"$/, "$1");
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Digest of a typed text, without differences that people make. */
export const typedDigest = (text: string): Promise<string> =>
  digest("typed", text.normalize("NFC").trim().toLowerCase());

// ---- approvals/texts.ts ----
// Texts for agents about writes that were not approved.

/** Not sent, because nobody can be asked through this client. */
export function cannotAsk(tool: string, envPrefix: string): string {
  return (
    `Not sent: ${tool} needs the user's approval, and this client cannot show the question ` +
    "(that needs elicitation with forms, over a connection that passes questions on).\n" +
    `Next: do not call ${tool} again here. Tell the user. They can do it themselves, connect a ` +
    `client that shows forms, or start the server with ${envPrefix}_APPROVALS=off.`
  );
}

/** Not sent, because the settings refuse what needs approval. */
export function refusedBySetting(tool: string, envPrefix: string): string {
  return (
    `Not sent: ${tool} needs approval, and this server refuses what needs it ` +
    `(${envPrefix}_APPROVALS=refuse).\n` +
    `Next: do not call ${tool} again. Tell the user, who can change this setting.`
  );
}

/** Not sent, because the question would come after a write of the same call. */
export function tooLateToAsk(tool: string): string {
  return (
    `Not sent: ${tool} needs the user's approval, but the call that it belongs to has already ` +
    "changed something, and would do so again.\n" +
    `Next: call ${tool} itself. The owner of the server can set approve: true for the whole tool.`
  );
}

export function changedSince({ tool }: Pick<PendingApproval, "tool">): string {
  return (
    "Not sent: the thing has changed since the user was asked, or could not be read again.\n" +
    `Next: call ${tool} again; the user is then asked about it as it is now.`
  );
}

/** A write that waits for the answer to a question about another one. */
export const WAITS = "Not sent: the call needs the user's approval first.";

export function declined(summary: string): string {
  return (
    `Not sent: the user declined. The question was: ${summary}\n` +
    "Next: do not repeat the call, and do not try another way. Ask the user what to do instead."
  );
}

export function dismissed(summary: string): string {
  return (
    `Not sent: the user closed the question without an answer. It was: ${summary}\n` +
    "Next: do not repeat the call unless the user asks for it."
  );
}

export function mistyped(summary: string): string {
  return (
    `Not sent: the user typed something else than the name. The question was: ${summary}\n` +
    "Next: ask the user whether they want it. Only then call it again."
  );
}

export function valuesDeclined(inputs: readonly string[]): string {
  return (
    `Not sent: the user was asked for ${inputs.join(", ")} and gave no value.\n` +
    "Next: do not repeat the call. Ask the user how to go on."
  );
}

export function unanswered(summary: string): string {
  return (
    `Not sent: the client did not return an answer of the user. The question was: ${summary}\n` +
    "Next: ask the user whether they want it. Only then call it again."
  );
}

/** The answer does not belong to this call, or comes a second time or too late. */
export const STALE =
  "Not sent: the answer of the user is not valid for this call. It was given for other arguments, " +
  "was used before, or is older than five minutes.\n" +
  "Next: call the tool again; the user is then asked again.";

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

/** Withholds the writes that need approval and have none. */
export class ApprovalGate implements WriteGate {
  private readonly pending: PendingApproval[] = [];
  /** Grants that were used, with the call that used them. */
  private readonly used = new Map<string, ApiCall>();
  private hasSent = false;

  constructor(
    private readonly policyOf: (tool: Pick<AnyTool, "api">) => ApprovalPolicy,
    private readonly session: ApprovalSession,
  ) {}

  get hasWithheld(): boolean {
    return this.pending.length > 0;
  }

  async enter(tool: AnyTool, input: ToolInput): Promise<WriteGate> {
    if (!needsApproval(tool, this.policyOf(tool))) return this;
    this.requireAsking(tool);
    const key = await digest("run", tool.name, input);
    if (this.session.grants.has(key)) return this.openGate();
    if (this.hasSent) throw new WithheldError(tooLateToAsk(tool.name), true);
    this.pending.push({
      title: tool.title ?? tool.name,
      tool: tool.name,
      digest: key,
      input,
      ids: [],
      requests: tool.sends ?? [`those of ${tool.name}`],
      thing: null,
      isTyped: typeof tool.approve === "object",
    });
    throw new WithheldError(WAITS);
  }

  /** The gate of a run that was approved as a whole. */
  private openGate(): WriteGate {
    return {
      enter: async () => this.openGate(),
      pass: () => void (this.hasSent = true),
      hasWithheld: false,
      settle: (_, outcome) => outcome,
    };
  }

  async pass({ call, redact }: PendingWrite): Promise<void> {
    // What follows a write that waits would be sent again after the answer.
    if (!needsApproval(call.tool, this.policyOf(call.tool))) {
      if (this.hasWithheld) throw new WithheldError(WAITS);
      this.hasSent = true;
      return;
    }
    const { name } = call.tool;
    this.requireAsking(call.tool);
    // One approval covers the request that the API rejected, and the one that replaces it.
    const approved = call.rejected ?? call;
    const key = await requestDigest(approved);
    if (this.used.get(key) === approved) return;
    const { canAsk } = this.session;
    const thing = canAsk ? await thingOf(call) : null;
    const version = this.used.has(key) ? undefined : this.session.grants.get(key);
    if (version !== undefined) return this.useGrant(key, call, version, thing);
    if (this.hasSent) throw new WithheldError(tooLateToAsk(name), true);
    const preview = canAsk && (await call.previewWrite?.().catch(() => undefined));
    if (this.hasSent) throw new WithheldError(tooLateToAsk(name), true);
    const pending = pendingOf(call, key, thing, redact);
    this.pending.push({ ...pending, ...(preview && { preview }) });
    throw new WithheldError(WAITS);
  }

  private useGrant(
    key: string,
    call: ApiCall,
    version: string,
    thing: Thing | null | undefined,
  ): void {
    if (version !== "" && thing?.version !== version)
      throw new WithheldError(changedSince({ tool: call.tool.name }), true);
    if (this.hasWithheld) throw new WithheldError(WAITS);
    this.used.set(key, call);
    this.hasSent = true;
  }

  private requireAsking(tool: Pick<AnyTool, "name" | "api">): void {
    const { settings, api } = this.policyOf(tool);
    if (settings.approvals === "refuse")
      throw new WithheldError(refusedBySetting(tool.name, api.envPrefix), true);
  }

  settle(tool: Pick<AnyTool, "name" | "api">, outcome: CallOutcome): CallOutcome {
    if (!this.hasWithheld || this.hasSent) return outcome;
    this.session.question = askAbout(this.pending);
    return errorResult(
      this.session.canAsk ? ASKED : "approval",
      cannotAsk(this.pending[0]?.tool ?? tool.name, this.policyOf(tool).api.envPrefix),
    );
  }
}

/** Reads the thing that a write concerns. A failed read does not prevent the question. */
async function thingOf(call: ApiCall): Promise<Thing | null | undefined> {
  if (!call.readThing) return null;
  const result = await call.readThing().catch(() => undefined);
  return result && (await describeThing(result, Object.values(call.input)));
}

function pendingOf(
  call: ApiCall,
  key: string,
  thing: Thing | null | undefined,
  redact: Redact,
): PendingApproval {
  const { tool, input, mapping, request } = call;
  const { pathname, search } = new URL(request.url);
  return {
    title: tool.title ?? tool.name,
    tool: tool.name,
    digest: key,
    input,
    ids: mapping.isRaw ? [] : pathInputs(call),
    requests: [redact(`${request.method} ${pathname}${search}`)],
    thing,
    isTyped: typeof tool.approve === "object",
  };
}

/** Inputs in the path of a request. */
function pathInputs({ mapping, input }: ApiCall): readonly string[] {
  const sources = Object.values(mapping.pathParams ?? {});
  const names = sources.flatMap((source) =>
    typeof source === "string" ? [source] : "from" in source ? [source.from] : [],
  );
  return names.filter((name) => input[name] !== undefined);
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
    throw new WithheldError("A dry run does not send this request.");
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
    `Next: show this to the user. The server sends ${isOne ? "it" : "them"} when it is started without ${setting}.`,
  ].join("\n");
}

// ---- approvals/call-gate.ts ----
// The gate of one call: made before it, and asked for the outcome after it.

/** Sentence for the user who asks for approvals; undefined if they are possible. */
export const approvalsProblem: string | undefined = undefined;

/** The part of a server that a gate needs. */
export interface GateServer extends ApprovalPolicy {
  readonly settings: ApprovalPolicy["settings"] & { readonly dryRun: boolean };
}

/**
 * Creates the gate of a call; undefined if all writes are sent.
 * @param policyOf the server of a tool that the call calls, which may be one of another API
 * @param session approvals of the user. Absent: there are none, and nobody can be asked
 */
export function createGate(
  server: GateServer,
  policyOf: ConstructorParameters<typeof ApprovalGate>[0],
  session: ApprovalSession = { grants: new Map() },
): WriteGate | undefined {
  if (server.settings.dryRun) return createDryRunGate(server.api.envPrefix);
  return server.settings.approvals === "off" ? undefined : new ApprovalGate(policyOf, session);
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

/** Seconds for which an answer is accepted. */
const TTL_SECONDS = 300;
const TTL_MS = TTL_SECONDS * 1000;

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

/** Key under which the processes of a server share the secret, and its lifetime. */
const SECRET = "approvals:secret";
const SECRET_TTL_MS = 24 * 3_600_000;

/** @param shared state of all processes of the server. Absent: an answer must meet its process */
export function createQuestionStates(shared: Store | undefined): QuestionStates {
  const store = shared ?? createMemoryStore();
  const codec = async (): Promise<RequestStateCodec<QuestionState>> =>
    createRequestStateCodec<QuestionState>({
      key: await sharedSecret(store, SECRET, SECRET_TTL_MS),
      ttlSeconds: TTL_SECONDS,
    });
  return {
    isShared: shared !== undefined,
    seal: async (state) => (await codec()).mint({ ...state, nonce: crypto.randomUUID() }),
    async open(sealed, { tool, args, caller }) {
      const verify = (await codec()).verify(sealed, {} as never);
      const state = await verify.catch(() => undefined);
      const isSame = state?.tool === tool && state.args === args && state.caller === caller;
      if (!state || !isSame) return undefined;
      const isFirst = await store.compareAndSet(`approvals:${state.nonce}`, undefined, "1", TTL_MS);
      return isFirst ? state : undefined;
    },
  };
}
