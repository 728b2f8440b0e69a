import type { JsonSchema } from "../../json.js";
import { type Context, isOpenApi31OrLater } from "../context.js";
import { quote } from "../diagnostics.js";
import type { Pointer } from "../pointer.js";
import { isExtension, type RawObject } from "../raw-object.js";
import { reportUnknownDialect } from "../unsupported.js";
import { finalizeValues } from "./finalize-values.js";
import { loosenByDescription, loosenByExamples } from "./loosen.js";
import { type KeywordContext, type KeywordReader, reportInvalidKeyword } from "./keyword-reader.js";
import { subschemaReaders } from "./subschema-keywords.js";
import { valueReaders } from "./value-keywords.js";

const ignore: KeywordReader = () => {};

/** Keywords that other code handles, or that are meaningless once references are resolved. */
const KEYWORDS_READ_ELSEWHERE = [
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
  if (typeof value !== "string") reportInvalidKeyword(step, key, "a string", value);
};

/** Draft 4's `$id`, or a property of an object whose `properties` keyword is missing. */
const id: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") reportUnknownKeyword(step, key);
};

const dialect: KeywordReader = ({ c, pointer }, value, key) =>
  reportUnknownDialect(c, value, pointer.child(key));

const allOf: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) reportInvalidKeyword(step, key, "an array of schemas", value);
};

const READERS: ReadonlyMap<string, KeywordReader> = new Map([
  ...KEYWORDS_READ_ELSEWHERE.map((key) => [key, ignore] as const),
  ...Object.entries({ $ref: reference, $dynamicRef: reference, $schema: dialect, allOf, id }),
  ...Object.entries(valueReaders),
  ...Object.entries(subschemaReaders),
]);

/**
 * Converts all keywords of a schema object to JSON Schema 2020-12, except references, `allOf`,
 * `nullable` and `discriminator`. Invalid and unknown keywords are left out with a diagnostic.
 */
export function readKeywords(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  convert: KeywordContext["convert"],
): JsonSchema {
  const step: KeywordContext = { c, raw, pointer, out: {}, convert };
  for (const key in raw) {
    const reader = READERS.get(key);
    if (reader) {
      if (raw[key] !== null || KEYWORDS_WITH_NULL.has(key)) reader(step, raw[key], key);
    } else if (!isExtension(key)) {
      reportUnknownKeyword(step, key);
    }
  }
  finalizeValues(step);
  const schema = loosenByDescription(c, step.out, step.out.description, pointer);
  return schema.examples ? loosenByExamples(c, schema, pointer) : schema;
}

/** Keywords for which `null` is data. For all others it is an empty value in YAML. */
const KEYWORDS_WITH_NULL = new Set(["const", "default", "example"]);

/** JSON Schema treats unknown keywords as annotations from 3.1 on. Before, they are mistakes. */
function reportUnknownKeyword({ c, pointer }: KeywordContext, key: string): void {
  const code = isOpenApi31OrLater(c) ? "model-schema-annotation" : "model-schema-unknown";
  c.diagnostics.add(
    code,
    pointer.child(key),
    `The schema keyword ${quote(key)} is not one of OpenAPI ${c.version}; it is left out.`,
  );
}
