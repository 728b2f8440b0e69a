/** Parts of the checks of objects. */
import { isObject } from "../data/values.js";
import { type Check, type Compilation, report, type ValidationContext } from "./check.js";

type Fields = Readonly<Record<string, unknown>>;

/** A check for objects. Other values are valid. */
export function checkObject(check: (value: Fields, context: ValidationContext) => boolean): Check {
  return (value, context) => !isObject(value) || check(value, context);
}

export function compileEntries(
  rule: unknown,
  { compile }: Compilation,
): readonly (readonly [string, Check])[] {
  return typeof rule === "object" && rule !== null
    ? Object.entries(rule).map(([key, schema]) => [key, compile(schema)] as const)
    : [];
}

export function reportMissing(context: ValidationContext, key: string): false {
  context.path.push(key);
  report(context, "required", key, undefined);
  context.path.pop();
  return false;
}
