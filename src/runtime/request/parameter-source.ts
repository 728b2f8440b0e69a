/** Sources of a request: the value that each parameter takes from the input. */
import { parseJsonText } from "../data/json-text.js";
import { ownProperty } from "../data/values.js";
import type {
  ConstantSource,
  EnvironmentSource,
  InputSource,
  ParameterSource,
  RequestMapping,
} from "../types.js";
import type { PinnedRequest } from "./pinned-names.js";
import { type SerializableValue, serializationProblem } from "./serialize.js";
import type { Env, InputProblem } from "./types.js";

/** The binding of one call: its input, and the problems found so far. */
export interface BindingContext {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly problems: InputProblem[];
  /** Names whose values inputs must not set. */
  readonly pinned: PinnedRequest;
  /** Variables that are not sent. Absent: all are sent. */
  readonly withheld?: WithheldVariables | undefined;
}

/** Variables that a request does not carry. */
export interface WithheldVariables {
  readonly names: ReadonlySet<string>;
  /** A clause. Absent: the request is sent without them. */
  readonly reason?: string;
}

/** A value under its wire name, with the style of its location. */
export interface ParameterValue extends Omit<
  InputSource,
  "from" | "default" | "defaultEnv" | "required"
> {
  readonly name: string;
  readonly value: SerializableValue;
  /** Reports a problem with this value: a clause without a subject. */
  readonly reportProblem: ReportProblem;
}

/** Reports a problem with a value, as a clause without a subject: `is empty`. */
export type ReportProblem = (problem: string) => void;

/**
 * Resolves the value of a source; `undefined` when there is none or it is rejected.
 * @param missingProblem problem to report when a required value is missing
 */
export function resolveValue(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveSource(name, source, binding);
  const problem =
    resolved.value === undefined
      ? (resolved.missingProblem ?? missingProblem)
      : serializationProblem(resolved.value);
  if (problem !== undefined) resolved.reportProblem(problem);
  if (problem !== undefined || resolved.value === undefined) return undefined;
  return {
    ...(typeof source === "string" ? undefined : source),
    name,
    value: resolved.value as SerializableValue,
    reportProblem: resolved.reportProblem,
  };
}

/** Resolves a value for a location where `null` means an absent value. RFC 6570, section 2.3. */
export function resolveParameter(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveValue(name, source, binding, missingProblem);
  if (resolved?.value !== null) return resolved;
  if (missingProblem !== undefined) resolved.reportProblem(missingProblem);
  return undefined;
}

export interface ResolvedSource {
  readonly value: unknown;
  readonly reportProblem: ReportProblem;
  /** Problem of a missing value that is required. */
  readonly missingProblem?: string | undefined;
}

function resolveSource(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
): ResolvedSource {
  if (typeof source === "string") return fromInput(source, binding);
  if ("from" in source)
    return joinList(withDefault(fromInput(source.from, binding), source, binding), source);
  if ("env" in source) return fromEnvironment(source, binding);
  const { withheld } = binding;
  const isWithheld = "value" in source && source.isSecret === true && withheld !== undefined;
  const value = "generate" in source ? crypto.randomUUID() : source.value;
  return {
    value: isWithheld ? undefined : value,
    ...(isWithheld && { missingProblem: withheldProblem(withheld) }),
    reportProblem: (problem) =>
      addProblem(binding, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}

function fromInput(input: string, binding: BindingContext): ResolvedSource {
  return {
    value: ownProperty(binding.input, input),
    reportProblem: (problem) => addProblem(binding, input, problem),
  };
}

/** The default of a value that a call does not give: an environment variable, else a constant. */
function withDefault(
  resolved: ResolvedSource,
  { defaultEnv: env, required, isJson, default: constant }: InputSource,
  binding: BindingContext,
): ResolvedSource {
  if (resolved.value !== undefined) return resolved;
  const variable =
    env === undefined
      ? undefined
      : fromEnvironment({ env, ...(isJson && { isJson }) }, binding).value;
  const value = variable ?? constant;
  if (value !== undefined || required !== true) return { ...resolved, value };
  const problem = `is missing; pass it, because this server has no default: ${env} is not set`;
  return { ...resolved, missingProblem: problem };
}

function joinList(resolved: ResolvedSource, { separator }: InputSource): ResolvedSource {
  const { value } = resolved;
  if (separator === undefined || !Array.isArray(value)) return resolved;
  return {
    ...resolved,
    value: separator === "json" ? JSON.stringify(value) : value.join(separator),
  };
}

function fromEnvironment(source: EnvironmentSource, binding: BindingContext): ResolvedSource {
  const { withheld } = binding;
  const isWithheld = withheld?.names.has(source.env) === true;
  const missingProblem = isWithheld
    ? withheldProblem(withheld)
    : "is not set; set it for this server, then restart it; do not retry";
  const text = isWithheld ? undefined : ownProperty(binding.env, source.env) || undefined;
  return {
    value: text !== undefined && source.isJson ? parseOrKeep(text) : text,
    reportProblem: (problem) =>
      addProblem(binding, "", `the environment variable ${source.env} ${problem}`),
    missingProblem: source.required === true ? missingProblem : undefined,
  };
}

/** The value of a JSON text; the text itself if it is not JSON, so that the API can report it. */
function parseOrKeep(text: string): unknown {
  const value = parseJsonText(text);
  return value === undefined ? text : value;
}

/** The problem of a variable that a request needs and does not carry, as a clause. */
export function withheldProblem({ reason }: WithheldVariables): string | undefined {
  return reason && `is not sent: ${reason}; tell the user, and do not retry`;
}

/** Name of the input with the value of a parameter. */
export function inputOf(source: ParameterSource): string | undefined {
  if (typeof source === "string") return source;
  return "from" in source ? source.from : undefined;
}

/** Adds a problem once, however often the request uses the input. */
export function addProblem(binding: BindingContext, input: string, problem: string): void {
  if (
    !binding.problems.some(
      (candidate) => candidate.input === input && candidate.problem === problem,
    )
  )
    binding.problems.push({ input, problem });
}

/** Lists the credentials that the configuration fixes in a request. */
export function secretConstants(request: RequestMapping): readonly string[] {
  return secretSources(request).map(([, { value }]) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

/** Constants of a request that are credentials, by name. */
export function secretSources(
  request: RequestMapping,
): readonly (readonly [name: string, source: ConstantSource])[] {
  return namedSources(request).flatMap(([name, source]) =>
    typeof source === "object" && "value" in source && source.isSecret
      ? [[name, source] as const]
      : [],
  );
}

const sourcesOf = (request: RequestMapping): readonly ParameterSource[] =>
  namedSources(request).map(([, source]) => source);

/** Sources of a request, with the names of their parameters and fields. */
export function namedSources({
  pathParams,
  query,
  headers,
  cookies,
  body,
}: RequestMapping): readonly (readonly [name: string, source: ParameterSource])[] {
  const inner = (body?.innerFields ?? []).flatMap(({ path, source }) =>
    source ? [[String(path.at(-1) ?? ""), source] as const] : [],
  );
  const locations = [pathParams, query, headers, cookies, body?.fields];
  return [...locations.flatMap((location) => Object.entries(location ?? {})), ...inner];
}

/** Lists the inputs that a request is built from. */
export function mappedInputs(request: RequestMapping): readonly string[] {
  const { querystring, body } = request;
  const sources = [...sourcesOf(request)];
  if (querystring) sources.push(querystring);
  if (body?.from !== undefined) sources.push(body.from);
  const fileNames = Object.values(body?.encoding ?? {}).flatMap(
    ({ filenameInput }) => filenameInput ?? [],
  );
  return [...sources.flatMap((source) => inputOf(source) ?? []), ...fileNames];
}

/** Lists the inputs that select or limit what a request returns: those of its query. */
export function queryInputs({ query = {}, querystring }: RequestMapping): readonly string[] {
  const inputs = Object.values(query).flatMap((source) => inputOf(source) ?? []);
  return querystring ? [...inputs, querystring.from] : inputs;
}
