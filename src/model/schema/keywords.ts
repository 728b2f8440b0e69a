import type { JsonSchema } from "../../json.js";
import type { At } from "../at.js";
import type { Context } from "../context.js";
import { isModern } from "../context.js";
import { reportDialect } from "../dialect.js";
import { quote } from "../findings.js";
import { isExtension, type Raw } from "../read.js";
import { settleValues } from "./settle.js";
import { invalid, type KeywordReader, type Step } from "./step.js";
import { schemaReaders } from "./subschemas.js";
import { valueReaders } from "./value-keywords.js";

const ignore: KeywordReader = () => {};

/**
 * Keywords that are dealt with around this table, or that carry nothing once references are
 * resolved.
 */
const ELSEWHERE = [
  ...["discriminator", "nullable", "x-nullable", "additionalItems"],
  ...[
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "$vocabulary",
    "$comment",
    "$defs",
    "definitions",
  ],
];

const reference: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") invalid(step, key, "text", value);
};

/** Draft 4's `$id`; or a property for which `properties` was forgotten. */
const id: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") unknown(step, key);
};

const dialect: KeywordReader = ({ c, at }, value, key) => reportDialect(c, value, at.child(key));

const allOf: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) invalid(step, key, "a list of schemas", value);
};

const READERS: ReadonlyMap<string, KeywordReader> = new Map([
  ...ELSEWHERE.map((key) => [key, ignore] as const),
  ...Object.entries({ $ref: reference, $dynamicRef: reference, $schema: dialect, allOf, id }),
  ...Object.entries(valueReaders),
  ...Object.entries(schemaReaders),
]);

/**
 * Reads every keyword of a schema object but references, `allOf`, `nullable` and `discriminator`
 * into JSON Schema 2020-12. Wrong and unknown keywords are left out with a diagnostic.
 */
export function readKeywords(c: Context, raw: Raw, at: At, convert: Step["convert"]): JsonSchema {
  const step: Step = { c, raw, at, out: {}, convert };
  for (const key in raw) {
    const reader = READERS.get(key);
    if (reader) {
      if (raw[key] !== null || NULL_IS_A_VALUE.has(key)) reader(step, raw[key], key);
    } else if (!isExtension(key)) {
      unknown(step, key);
    }
  }
  settleValues(step);
  return step.out;
}

/** For these `null` is data; for any other keyword it is an empty value in YAML. */
const NULL_IS_A_VALUE = new Set(["const", "default", "example"]);

/**
 * From 3.1 on JSON Schema says that unknown keywords are annotations; before, they are mistakes.
 */
function unknown({ c, at }: Step, key: string): void {
  const code = isModern(c) ? "model-schema-annotation" : "model-schema-unknown";
  c.findings.add(
    code,
    at.child(key),
    `The schema keyword ${quote(key)} is not one of OpenAPI ${c.version}; it is left out.`,
  );
}
