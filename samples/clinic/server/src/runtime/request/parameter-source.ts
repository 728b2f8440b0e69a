/**
 * From a wire of the binding to the value that is sent, and to the one who is told when it cannot
 * be.
 */
import { ownProperty } from "../object.js";
import type { EnvironmentSource, InputSource, ParameterSource } from "../types.js";
import { type SerializableValue, serializationProblem } from "./serializable.js";
import type { Env, InputProblem } from "./types.js";

/** One tool call while it is bound: what was given, and every problem found so far. */
export interface BindingContext {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly problems: InputProblem[];
}

/** A value under its wire name, with the style that its place asks for. */
export interface ParameterValue extends Omit<InputSource, "from" | "default"> {
  readonly name: string;
  readonly value: SerializableValue;
  /** Reports a problem with this value: a clause without a subject. */
  readonly reportProblem: ReportProblem;
}

export type ReportProblem = (problem: string) => void;

/**
 * The value to send under `name`; `undefined` when there is none, or when it was refused. With
 * `absence`, the request cannot do without the value, and that is what is said when there is none.
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
 * Like `resolve`, where nothing can be written for `null`: it is "not given" then (RFC 6570,
 * section 2.3).
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
  /** What to say when there is no value, if there must be one. */
  readonly missingProblem?: string | undefined;
}

function resolveSource(
  name: string,
  source: ParameterSource,
  call: BindingContext,
): ResolvedSource {
  if (typeof source === "string") return fromInput(source, undefined, call);
  if ("from" in source) return fromInput(source.from, source.default, call);
  if ("env" in source) return fromEnvironment(source, call);
  const value = "generate" in source ? crypto.randomUUID() : source.value;
  return {
    value,
    reportProblem: (problem) =>
      addProblem(call, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}

function fromInput(input: string, fallback: unknown, call: BindingContext): ResolvedSource {
  const given = ownProperty(call.input, input);
  return {
    value: given === undefined ? fallback : given,
    reportProblem: (problem) => addProblem(call, input, problem),
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

/** The same fault of the same input is said once, however often the request uses it. */
export function addProblem(call: BindingContext, input: string, problem: string): void {
  if (!call.problems.some((known) => known.input === input && known.problem === problem))
    call.problems.push({ input, problem });
}
