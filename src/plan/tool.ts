import { oneLine } from "../diagnostics/clean.js";
import type { JsonSchema } from "../json.js";
import type { Operation, Parameter } from "../model/types.js";
import type { ToolDefinition } from "../runtime/types.js";
import { annotate } from "./annotations.js";
import { type BodyPlan, planBody } from "./binding/body.js";
import { sendBinding } from "./binding/send.js";
import { returnsSentence } from "./describe/fields.js";
import { describeTool } from "./describe/tool.js";
import type { Findings } from "./findings.js";
import type { Candidate } from "./inputs/candidate.js";
import { planInputs } from "./inputs/index.js";
import type { Subject } from "./kind.js";
import type { ToolName } from "./name/index.js";
import { identifierOf } from "./name/identifier.js";
import { titleOf } from "./name/title.js";
import { flatten } from "./describe/markdown.js";
import type { OutputPlanner } from "./schema/output.js";
import type { Projector } from "./schema/portable.js";
import { namedSchema, resolve, type Schemas } from "./schema/refs.js";
import type { SecurityPlan } from "./security.js";
import { refOf } from "./select/index.js";
import type { ServerPlanner } from "./servers.js";
import type { PlannedTool } from "./types.js";

/** What the tools of one plan share. */
export interface ToolContext {
  readonly schemas: Schemas;
  readonly findings: Findings;
  readonly projector: Projector;
  readonly output: OutputPlanner;
  readonly security: SecurityPlan;
  readonly servers: ServerPlanner;
  /** `--base-url` stands for every server, also those of single operations. */
  readonly baseUrlGiven: boolean;
  readonly namespace: string | undefined;
}

/** Plans the tool of one operation. */
export function planTool(subject: Subject, named: ToolName, toolset: string, context: ToolContext): PlannedTool {
  const { operation } = subject;
  const { schemas, findings, projector, security } = context;
  const body = planBody(operation, schemas, findings);
  const requirement = security.ownOf(operation) ?? security.common ?? [];
  const isAuthenticated = (scheme: string): boolean => requirement.some((alternative) => Object.hasOwn(alternative, scheme));
  const inputs = planInputs(operation, candidatesOf(operation, body, schemas), { schemas, findings, projector, securitySchemes: security.schemes, isAuthenticated });
  const output = context.output(operation);
  const verb = named.name.slice(context.namespace === undefined ? 0 : context.namespace.length + 1).split("_", 1)[0] as string;
  const definition: ToolDefinition = {
    name: named.name,
    title: titleOf(verbFirst(named, context), operation.summary === undefined ? undefined : flatten(operation.summary)),
    description: describeTool({
      name: verbFirst(named, context), method: operation.method, summary: operation.summary, description: operation.description,
      returns: returnsSentence(output && { schema: output.sent, ...(output.wrap && { wrap: output.wrap }) }, schemas), deprecated: operation.deprecated,
    }),
    annotations: annotate(subject, verb),
    inputSchema: inputs.schema,
    ...(output && { outputSchema: output.schema }),
    requests: [{ given: [], send: sendBinding({ operation, inputs, body, servers: ownServers(operation, context), security: security.ownOf(operation) }), read: output?.wrap ? { wrap: output.wrap } : {} }],
  };
  return {
    definition,
    toolset,
    identifier: identifierOf(named.name, (name) => namedSchema(schemas, name) !== undefined),
    inputs: inputs.inputs,
    ...(output && { output: output.result }),
    operations: [refOf(operation)],
    reasons: [nameReason(named, operation), ...bodyReasons(body), ...inputs.reasons],
  };
}

const verbFirst = ({ name }: ToolName, { namespace }: ToolContext): string => (namespace === undefined ? name : name.slice(namespace.length + 1));

function candidatesOf(operation: Operation, body: BodyPlan | undefined, schemas: Schemas): readonly Candidate[] {
  return [...operation.parameters.map((parameter) => parameterCandidate(parameter, schemas)), ...(body?.candidates ?? [])];
}

function parameterCandidate(parameter: Parameter, schemas: Schemas): Candidate {
  const { in: place, name, schema, required, deprecated, place: at } = parameter;
  const description = parameter.description ?? schema.description ?? resolve(schemas, schema).description;
  return { place, wireName: name, schema: schema as JsonSchema, required, deprecated, description, parameter, at };
}

/** Servers of the operation itself. Ones that cannot be called are reported, and the API's are used. */
function ownServers({ servers, place }: Operation, context: ToolContext): ReturnType<ServerPlanner["callable"]> {
  if (!servers || servers.length === 0 || context.baseUrlGiven) return [];
  const callable = context.servers.callable(servers);
  if (callable.length === 0) context.findings.add("plan-server", "The servers of this operation are no absolute http or https URLs; those of the API are used.", place);
  return callable;
}

function nameReason({ from, clash }: ToolName, operation: Operation): string {
  const source = from === "operationId" ? `Named by its operationId ${oneLine(operation.operationId ?? "")}.` : "Named by its method and path.";
  if (clash === undefined) return source;
  return `${source} ${clash === "qualified" ? "Another operation has the shorter name." : "Another operation has the name; a hash of method and path tells them apart."}`;
}

function bodyReasons(body: BodyPlan | undefined): string[] {
  if (!body) return [];
  const whole = body.candidates[0]?.whole ? "in one input" : "each field of it is an input";
  return [`Body sent as ${body.content.mediaType}, ${whole}.`];
}
