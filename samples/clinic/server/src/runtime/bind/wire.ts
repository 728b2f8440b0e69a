/**
 * From a wire of the binding to the value that is sent, and to the one who is told when it cannot
 * be.
 */
import type { Wire, WireEnv, WireInput } from "../types.js";
import { unsendable, type Sendable } from "./sendable.js";
import type { Env, InputProblem } from "./types.js";

/** One tool call while it is bound: what was given, and every problem found so far. */
export interface Call {
  readonly input: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly problems: InputProblem[];
}

/** A value under its wire name, with the style that its place asks for. */
export interface WireValue extends Omit<WireInput, "from" | "default"> {
  readonly name: string;
  readonly value: Sendable;
  /** Reports a problem with this value: a clause without a subject. */
  readonly refuse: Refuse;
}

export type Refuse = (problem: string) => void;

/**
 * The value to send under `name`; `undefined` when there is none, or when it was refused. With
 * `absence`, the request cannot do without the value, and that is what is said when there is none.
 */
export function resolve(
  name: string,
  wire: Wire,
  call: Call,
  absence?: string,
): WireValue | undefined {
  const source = sourceOf(name, wire, call);
  const problem =
    source.value === undefined ? (source.absence ?? absence) : unsendable(source.value);
  if (problem !== undefined) source.refuse(problem);
  if (problem !== undefined || source.value === undefined) return undefined;
  return {
    ...(typeof wire === "string" ? undefined : wire),
    name,
    value: source.value as Sendable,
    refuse: source.refuse,
  };
}

/**
 * Like `resolve`, where nothing can be written for `null`: it is "not given" then (RFC 6570,
 * section 2.3).
 */
export function resolveParameter(
  name: string,
  wire: Wire,
  call: Call,
  absence?: string,
): WireValue | undefined {
  const resolved = resolve(name, wire, call, absence);
  if (resolved?.value !== null) return resolved;
  if (absence !== undefined) resolved.refuse(absence);
  return undefined;
}

/** `record[key]`, if it is the record's own: names such as `constructor` occur in documents. */
export function own<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

interface Source {
  readonly value: unknown;
  readonly refuse: Refuse;
  /** What to say when there is no value, if there must be one. */
  readonly absence?: string | undefined;
}

function sourceOf(name: string, wire: Wire, call: Call): Source {
  if (typeof wire === "string") return fromInput(wire, undefined, call);
  if ("from" in wire) return fromInput(wire.from, wire.default, call);
  if ("env" in wire) return fromEnvironment(wire, call);
  const value = "generate" in wire ? crypto.randomUUID() : wire.value;
  return {
    value,
    refuse: (problem) => report(call, "", `the fixed value of ${JSON.stringify(name)} ${problem}`),
  };
}

function fromInput(input: string, fallback: unknown, call: Call): Source {
  const given = own(call.input, input);
  return {
    value: given === undefined ? fallback : given,
    refuse: (problem) => report(call, input, problem),
  };
}

function fromEnvironment(wire: WireEnv, call: Call): Source {
  return {
    value: own(call.env, wire.env) || undefined,
    refuse: (problem) => report(call, "", `the environment variable ${wire.env} ${problem}`),
    absence:
      wire.required === true
        ? "is not set; set it for this server, then restart it; do not retry"
        : undefined,
  };
}

/** The same fault of the same input is said once, however often the request uses it. */
export function report(call: Call, input: string, problem: string): void {
  if (!call.problems.some((known) => known.input === input && known.problem === problem))
    call.problems.push({ input, problem });
}
