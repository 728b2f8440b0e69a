/** The calls that `run_reads` and `run_steps` make of the tools of the API. */
import { isObject } from "../json.js";
import { fillReferences } from "../runtime/tools/step-references.js";
import type { Inputs, MadeCall } from "./types.js";

/** Names of the tools: `run_reads`, `shop_run_tool_steps`. */
const STEPS = /(?:^|_)run_(?:(?:tool_|several_tool_)?reads|(?:tool_)?steps|several_tool_calls)$/;

/** Result of a call, as a host shows it. */
interface ShownResult {
  readonly isError: boolean;
  /** Structured result, or its text. */
  readonly result: unknown;
}

/**
 * The calls of the steps that were made, with the values of earlier results in place of references.
 * @returns undefined for a call of another tool
 */
export function stepCalls(
  name: string,
  { steps }: Inputs,
  { isError, result }: ShownResult,
): readonly MadeCall[] | undefined {
  if (!STEPS.test(name) || !Array.isArray(steps)) return undefined;
  const given = steps.filter(isObject);
  if (isError) return given.map((step) => failedCall(step, result));
  const { steps: shown, incomplete } = toObject(result);
  const made = new Map(
    (Array.isArray(shown) ? shown : []).filter(isObject).map((one) => [one.step, one]),
  );
  const results = given.map((_, i) => made.get(i + 1)?.result);
  return given.flatMap((step, i): readonly MadeCall[] => {
    const one = made.get(i + 1);
    // A quiet step has no result. After a failure nobody can tell whether it was made.
    if (!one && (step.quiet !== true || incomplete !== undefined)) return [];
    if (typeof one?.error === "string") return [failedCall(step, one.error, results)];
    return [{ ...callOf(step, results), isError: false }];
  });
}

function failedCall(
  step: Readonly<Record<string, unknown>>,
  text: unknown,
  results: readonly unknown[] = [],
): MadeCall {
  return { ...callOf(step, results), isError: true, text: String(text) };
}

function callOf(
  { tool, arguments: given }: Readonly<Record<string, unknown>>,
  results: readonly unknown[],
): Pick<MadeCall, "tool" | "input"> {
  const input = isObject(given) ? given : {};
  const filled = fillReferences(input, results);
  return { tool: String(tool), input: filled.ok && isObject(filled.value) ? filled.value : input };
}

function toObject(result: unknown): Readonly<Record<string, unknown>> {
  if (isObject(result)) return result;
  try {
    const value: unknown = JSON.parse(String(result));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
