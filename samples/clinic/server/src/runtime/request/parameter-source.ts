/** Inputs of a request: the value that each parameter takes from them, and their names. */
import { isObject, ownProperty } from "../data/values.js";
import { isForm, isMultipart } from "../data/media-types.js";
import type {
  EnvironmentSource,
  InputSource,
  OperationBinding,
  ParameterSource,
  RequestMapping,
  ToolInput,
} from "../types.js";
import type { PinnedRequest } from "./pinned-names.js";
import { type SerializableValue, serializationProblem } from "./serialize.js";
import type { Env, InputProblem } from "./types.js";

/** The binding of one call: its input, and the problems found so far. */
export interface BindingContext {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly problems: InputProblem[];
  /** Names that no input may give a value. */
  readonly pinned: PinnedRequest;
}

/** A value under its wire name, with the style of its location. */
export interface ParameterValue extends Omit<InputSource, "from" | "default"> {
  readonly name: string;
  readonly value: SerializableValue;
  /** Reports a problem with this value: a clause without a subject. */
  readonly reportProblem: ReportProblem;
}

export type ReportProblem = (problem: string) => void;

/**
 * Resolves the value of a source; `undefined` when there is none or it is rejected.
 * @param missingProblem problem to report when a required value is missing
 */
export function resolveValue(
  name: string,
  source: ParameterSource,
  call: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveSource(name, source, call);
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

/**
 * Resolves a value where `null` cannot be written and means that there is none. RFC 6570, section
 * 2.3.
 */
export function resolveParameter(
  name: string,
  source: ParameterSource,
  call: BindingContext,
  missingProblem?: string,
): ParameterValue | undefined {
  const resolved = resolveValue(name, source, call, missingProblem);
  if (resolved?.value !== null) return resolved;
  if (missingProblem !== undefined) resolved.reportProblem(missingProblem);
  return undefined;
}

interface ResolvedSource {
  readonly value: unknown;
  readonly reportProblem: ReportProblem;
  /** Problem of a missing value that is required. */
  readonly missingProblem?: string | undefined;
}

function resolveSource(
  name: string,
  source: ParameterSource,
  call: BindingContext,
): ResolvedSource {
  if (typeof source === "string") return fromInput(source, undefined, call);
  if ("from" in source) return joinList(fromInput(source.from, source.default, call), source);
  if ("env" in source) return fromEnvironment(source, call);
  const value = "generate" in source ? crypto.randomUUID() : source.value;
  return {
    value,
    reportProblem: (problem) =>
      addProblem(call, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}

function fromInput(input: string, fallback: unknown, call: BindingContext): ResolvedSource {
  const value = ownProperty(call.input, input);
  return {
    value: value === undefined ? fallback : value,
    reportProblem: (problem) => addProblem(call, input, problem),
  };
}

function joinList(resolved: ResolvedSource, { separator }: InputSource): ResolvedSource {
  const { value } = resolved;
  if (separator === undefined || !Array.isArray(value)) return resolved;
  return {
    ...resolved,
    value: separator === "json" ? JSON.stringify(value) : value.join(separator),
  };
}

function fromEnvironment(source: EnvironmentSource, call: BindingContext): ResolvedSource {
  return {
    value: ownProperty(call.env, source.env) || undefined,
    reportProblem: (problem) =>
      addProblem(call, "", `the environment variable ${source.env} ${problem}`),
    missingProblem:
      source.required === true
        ? "is not set; set it for this server, then restart it; do not retry"
        : undefined,
  };
}

/** Name of the input that a parameter takes its value from. */
export function inputOf(source: ParameterSource): string | undefined {
  if (typeof source === "string") return source;
  return "from" in source ? source.from : undefined;
}

/** Adds a problem once, however often the request uses the input. */
export function addProblem(call: BindingContext, input: string, problem: string): void {
  if (
    !call.problems.some((candidate) => candidate.input === input && candidate.problem === problem)
  )
    call.problems.push({ input, problem });
}

/** Lists the inputs that a request is built from. */
export function mappedInputs(request: RequestMapping): readonly string[] {
  const { pathParams, query, headers, cookies, querystring, body } = request;
  const sources: ParameterSource[] = [pathParams, query, headers, cookies, body?.fields].flatMap(
    (location) => Object.values(location ?? {}),
  );
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

/**
 * Restores the digits of numbers that a call gave as text (`"1678901234.567890"`), where requests
 * write them as text, too. APIs use such numbers as IDs.
 * @param args arguments of the call before validation
 */
export function restoreDigits(
  input: ToolInput,
  args: unknown,
  operations: readonly OperationBinding[],
): ToolInput {
  if (!isObject(args)) return input;
  const texts = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "number" && Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof text === "string" && text.trim() !== String(value)
      ? [[name, text.trim()] as const]
      : [];
  });
  const restored = texts.filter(([name]) =>
    operations.every(({ request }) => isTextOnly(name, request)),
  );
  return restored.length === 0 ? input : { ...input, ...Object.fromEntries(restored) };
}

/** True if a request writes the input as text only: outside of JSON. */
function isTextOnly(input: string, { body, ...request }: RequestMapping): boolean {
  const { pathParams, query, headers, cookies, querystring } = request;
  const isInput = (source: ParameterSource): boolean => inputOf(source) === input;
  const isOther = (source: ParameterSource): boolean =>
    typeof source !== "string" &&
    "from" in source &&
    source.from === input &&
    source.contentType !== undefined;
  const sources = [pathParams, query, headers, cookies].flatMap((part) =>
    Object.values(part ?? {}),
  );
  if (sources.some(isOther) || querystring?.from === input || body?.from === input) return false;
  const isText = isForm(body?.contentType ?? "") || isMultipart(body?.contentType ?? "");
  return Object.entries(body?.fields ?? {}).every(
    ([name, source]) =>
      !isInput(source) || (isText && body?.encoding?.[name]?.contentType === undefined),
  );
}
