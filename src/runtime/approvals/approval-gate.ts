/** Approvals: a write that needs one is withheld until the user has agreed to this very write. */
import { type AnyTool, ASKED, type CallOutcome, errorResult } from "../tools/definitions.js";
import type { ApiCall } from "../request/types.js";
import type { Redact } from "../response/redact.js";
import type { ToolInput } from "../types.js";
import { digest, requestDigest } from "./digest.js";
import type { InputForm } from "./asked-inputs.js";
import { type ApprovalPolicy, needsApproval } from "./policy.js";
import { type ApprovalQuestion, askAbout, type PendingApproval } from "./question.js";
import { cannotAsk, changedSince, refusedBySetting, tooLateToAsk, WAITS } from "./texts.js";
import { describeThing, headingOf, type Thing } from "./thing.js";
import { type PendingWrite, WithheldError, type WriteGate } from "./write-gate.js";

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

/** Sentence for the user who asks for approvals; undefined if they are possible. */
export const approvalsProblem: string | undefined = undefined;

/** Creates the gate of a call, for the approvals of the user; see `createGate`. */
export function createApprovalGate(
  policyOf: (tool: Pick<AnyTool, "api">) => ApprovalPolicy,
  session: ApprovalSession = { grants: new Map() },
): WriteGate | undefined {
  return new ApprovalGate(policyOf, session);
}

/** Withholds the writes that need approval and have none. */
class ApprovalGate implements WriteGate {
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
    const pending = pendingOf(call, key, thing, redact, this.policyOf(call.tool));
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
  { api }: ApprovalPolicy,
): PendingApproval {
  const { tool, input, mapping, request } = call;
  const { pathname, search } = new URL(request.url);
  const shown = redact(`${request.method} ${pathname}${search}`);
  const { method: _, path: __, ...others } = input;
  return {
    ...(mapping.isRaw ? { title: `Send ${shown}` } : headingOf(tool)),
    tool: tool.name,
    ...(tool.api !== undefined && { api: api.title ?? tool.api }),
    digest: key,
    input: mapping.isRaw ? others : input,
    ids: mapping.isRaw ? [] : pathInputs(call),
    requests: [shown],
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
