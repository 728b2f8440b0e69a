import { oneLine } from "../diagnostics/clean.js";
import type { Operation } from "../model/types.js";
import type { SendBinding, ToolAnnotations, ToolDefinition } from "../runtime/types.js";
import { annotate } from "./annotations.js";
import { type BodyPlan, planBody } from "./binding/body.js";
import { sendBinding } from "./binding/send.js";
import { imperative } from "./describe/imperative.js";
import { isGenerated } from "./describe/opening.js";
import { describeTool } from "./describe/tool.js";
import type { Findings } from "./findings.js";
import type { InputPlan, InputPlanner } from "./inputs/index.js";
import type { RoleContext } from "./inputs/role.js";
import type { Subject } from "./kind.js";
import type { ToolName } from "./name/index.js";
import { identifierOf } from "./name/identifier.js";
import { singularPhrase } from "./name/inflect.js";
import { withoutOwnName } from "./name/own-name.js";
import type { PathPart } from "./name/path.js";
import { titleOf } from "./name/title.js";
import { prose } from "./describe/prose.js";
import type { OutputPlanner, PlannedOutput } from "./schema/output.js";
import { namedSchema, type Schemas } from "./schema/refs.js";
import type { SecurityPlan } from "./security/index.js";
import { refOf } from "./select/index.js";
import type { ServerPlanner } from "./servers.js";
import type { Paged } from "./tasks/paged.js";
import type { WantedMerge } from "./tasks/wanted.js";
import type { PlannedTool } from "./types.js";
import { headersSentence, toldHeaders } from "./told-headers.js";

/** What the tools of one plan share. */
export interface ToolContext {
  readonly schemas: Schemas;
  readonly findings: Findings;
  readonly output: OutputPlanner;
  /** `Returns …` for an output. */
  readonly returns: (output: PlannedOutput) => string | undefined;
  readonly inputs: InputPlanner;
  readonly security: SecurityPlan;
  readonly servers: ServerPlanner;
  /** `--base-url` stands for every server, also those of single operations. */
  readonly baseUrlGiven: boolean;
  readonly namespace: string | undefined;
  /** What decides whether a value of a request is for a caller to give. */
  readonly roles: RoleContext;
  /** Operations that are never a part of a tool of several. */
  readonly alone: ReadonlySet<Operation>;
  /** Operations that are a tool of several, whatever inference says. */
  readonly merges: readonly WantedMerge[];
  /** Operations whose pages are to be followed. */
  readonly paged: Paged;
}

/** The part of one operation in a tool: its inputs, and the body that some of them go into. */
export interface PlannedRequest {
  readonly subject: Subject;
  readonly body: BodyPlan | undefined;
  readonly inputs: InputPlan;
}

/** Plans what an operation takes. */
export function planRequest(
  subject: Subject,
  { schemas, findings, security, inputs }: ToolContext,
): PlannedRequest {
  const { operation } = subject;
  const body = planBody(operation, schemas, findings);
  const requirement = security.ownOf(operation) ?? security.common ?? [];
  const isAuthenticated = (scheme: string): boolean =>
    requirement.some((alternative) => Object.hasOwn(alternative, scheme));
  return { subject, body, inputs: inputs(operation, body?.candidates ?? [], isAuthenticated) };
}

/** The request itself, as data. */
export function sendOf(
  { subject, body, inputs }: PlannedRequest,
  context: ToolContext,
): SendBinding {
  const { operation, success } = subject;
  return sendBinding({
    operation,
    success,
    inputs,
    body,
    servers: ownServers(operation, context),
    security: context.security.ownOf(operation),
  });
}

/** Plans the tool of one operation. */
export function planTool(
  request: PlannedRequest,
  named: ToolName,
  toolset: string,
  context: ToolContext,
): PlannedTool {
  const { subject, body, inputs } = request;
  const { operation } = subject;
  const output = context.output(subject);
  const headers = toldHeaders(subject);
  const name = verbFirst(named.name, context);
  const { summary, description } = said(operation);
  const annotations = annotate(subject, name);
  const definition: ToolDefinition = {
    name: named.name,
    title: titleOf(name, imperative(summary) ?? (isGenerated(summary, name) ? "" : summary)),
    description: describeTool({
      name,
      method: operation.method,
      reads: annotations.readOnlyHint,
      summary,
      description,
      returns:
        [needs(request), output && context.returns(output), headersSentence(headers)]
          .filter((text) => text !== undefined)
          .join(" ") || undefined,
      deprecated: operation.deprecated,
      within: ownersOf(subject.parts),
    }),
    annotations,
    inputSchema: inputs.schema,
    ...(output && { outputSchema: output.schema }),
    requests: [
      {
        given: [],
        send: withSafety(sendOf(request, context), annotations),
        read: {
          ...(output?.wrap && { wrap: output.wrap }),
          ...(headers.length > 0 && { headers }),
        },
      },
    ],
  };
  return {
    definition,
    toolset,
    identifier: identifierFor(named.name, context),
    inputs: inputs.inputs,
    ...(output && { output: output.result }),
    operations: [refOf(operation)],
    reasons: [nameReason(named, operation), ...bodyReasons(body), ...inputs.reasons],
  };
}

/** The document's words, without the operation's own name in front. */
function said({ operationId, summary = "", description }: Operation): {
  readonly summary: string;
  readonly description: string | undefined;
} {
  return {
    summary: withoutOwnName(prose(summary), operationId),
    description: description && withoutOwnName(description, operationId),
  };
}

/** A safe method that is said to change something (RFC 9110, section 9.2.1). */
const withSafety = (send: SendBinding, { readOnlyHint }: ToolAnnotations): SendBinding =>
  send.method === "GET" && !readOnlyHint ? { ...send, unsafe: true } : send;

const MOST_NAMED = 6;

/** A body of optional fields that must have some of them. */
function needs({ body, inputs }: PlannedRequest): string | undefined {
  if (body?.least === undefined) return undefined;
  const names = inputs.wires.flatMap(([{ place }, wire]) =>
    place !== "body" ? [] : typeof wire === "string" ? [wire] : "from" in wire ? [wire.from] : [],
  );
  const some =
    names.slice(0, MOST_NAMED).join(", ") +
    (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "");
  return names.length > 0 ? `Needs at least ${body.least} of ${some}.` : undefined;
}

/**
 * The things that the parameters of a path pick out, before its last piece:
 * `/channels/{id}/messages` → channel.
 */
function ownersOf(parts: readonly PathPart[]): string[] {
  const last = parts.findLastIndex((part) => part.kind === "words");
  return parts
    .slice(0, Math.max(last, 0))
    .flatMap((part, i) =>
      part.kind === "words" && parts[i + 1]?.kind === "param"
        ? [singularPhrase(part.words).join(" ")]
        : [],
    )
    .slice(-1);
}

/** camelCase, and no name that the types of the project have. */
export function identifierFor(name: string, { schemas }: ToolContext): string {
  return identifierOf(name, (typeName) => namedSchema(schemas, typeName) !== undefined);
}

/** The name without its namespace: verb first. */
export const verbFirst = (name: string, { namespace }: ToolContext): string =>
  namespace === undefined ? name : name.slice(namespace.length + 1);

/**
 * Servers of the operation itself. Ones that cannot be called are reported, and the API's are used.
 */
export function ownServers(
  { servers, place }: Operation,
  context: Pick<ToolContext, "servers" | "baseUrlGiven" | "findings">,
): ReturnType<ServerPlanner["callable"]> {
  if (!servers || servers.length === 0 || context.baseUrlGiven) return [];
  const callable = context.servers.callable(servers);
  if (callable.length === 0)
    context.findings.add(
      "plan-server",
      "The servers of this operation are no absolute http or https URLs; those of the API are used.",
      place,
    );
  return callable;
}

function nameReason({ from, clash }: ToolName, operation: Operation): string {
  if (from === "curation") return "Named by the curation.";
  const source =
    from === "operationId"
      ? `Named by its operationId ${oneLine(operation.operationId ?? "")}.`
      : "Named by its method and path.";
  if (clash === undefined) return source;
  return `${source} ${clash === "qualified" ? "Another operation has the shorter name." : "Another operation has the name; a hash of method and path tells them apart."}`;
}

function bodyReasons(body: BodyPlan | undefined): string[] {
  if (!body) return [];
  const whole = body.candidates[0]?.whole ? "in one input" : "each field of it is an input";
  return [`Body sent as ${body.content.mediaType}, ${whole}.`];
}
