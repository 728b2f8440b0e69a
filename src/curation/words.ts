import { quoteText } from "../diagnostics/clean.js";
import { didYouMean } from "../diagnostics/index.js";
import { isObject } from "../json.js";

/** A schema of this file's own: what it uses. */
interface Rule {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly propertyNames?: Rule;
}

const types: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  object: "keys with values",
  null: "null",
};

const letters = "letters, digits and _";
const patterns: Readonly<Record<string, string>> = {
  "^[A-Z][A-Z0-9_]{0,63}$": `capital ${letters}, as in SHOP_TENANT_ID`,
  "^([1-5][0-9][0-9]|[1-5]XX|default)$": "a status such as 404, 4XX or default",
  "^[a-z][a-z0-9_]{0,47}$": `at most 48 small ${letters}, a letter first`,
  "^[a-z][a-z0-9_]{0,15}$": `at most 16 small ${letters}, a letter first`,
  "^[a-zA-Z0-9_]{1,64}$": `at most 64 ${letters}`,
};

/**
 * What a value should be, in words.
 * @param rule the schema that it does not fit; for the name of a key, that of names
 * @returns a clause that follows "is not valid: ", and what to do; absent for what needs no words
 *   of its own
 */
export function wordsFor(
  keyword: string,
  rule: Rule,
  value: unknown,
): { readonly why: string; readonly hint?: string } | undefined {
  const expected = expectation(keyword, rule, value);
  if (expected === undefined) return undefined;
  const isYes =
    typeof value === "string" &&
    /^(?:yes|no|on|off|true|false)$/i.test(value) &&
    (rule.const === true || rule.type === "boolean");
  return {
    why: /^(?:required|min[IPL])/.test(keyword)
      ? expected
      : `it is ${shown(value)}, and must be ${expected}`,
    ...(isYes && {
      hint: "Write true or false, without quotes; yes, no, on and off are text in YAML 1.2.",
    }),
  };
}

function expectation(keyword: string, rule: Rule, value: unknown): string | undefined {
  switch (keyword) {
    case "type":
      return [rule.type ?? []]
        .flat()
        .map((type) => types[type] ?? type)
        .join(" or ");
    case "const":
      return JSON.stringify(rule.const);
    case "enum":
      return `one of ${(rule.enum ?? []).join(", ")}${typeof value === "string" ? didYouMean(value, (rule.enum ?? []).map(String)) : ""}`;
    case "minimum":
      return `at least ${rule.minimum}`;
    case "pattern":
      return patterns[rule.pattern ?? ""];
    case "required":
      return `it lacks ${(rule.required ?? [])
        .filter((key) => !isObject(value) || !Object.hasOwn(value, key))
        .map((key) => `\`${key}\``)
        .join(" and ")}`;
    case "minItems":
    case "minProperties":
    case "minLength":
      return "it must not be empty";
    default:
      return undefined;
  }
}

function shown(value: unknown): string {
  if (typeof value === "string") return quoteText(value, 40);
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : String(value);
}
