/** Stands in for keywords that no schema of the API has. */
import { leftOut } from "../left-out.js";
import type { KeywordCompiler } from "./check.js";

type Keywords = readonly (readonly [string, KeywordCompiler])[];

/** A keyword in a schema of a custom tool. Its calls fail, because they cannot be validated. */
function failing(keyword: string): Keywords[number] {
  const fail = (): never => {
    throw new Error(leftOut(`the keyword ${keyword} of JSON Schema`, "all"));
  };
  return [keyword, fail];
}

export const rareArrayKeywords = ["prefixItems", "contains"].map(failing);

export const rareObjectKeywords = [
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
].map(failing);

export const rareCombinators = ["not", "if"].map(failing);
