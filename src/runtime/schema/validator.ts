import type { JsonSchema } from "../types.js";
import { compile, type Validator } from "./index.js";

export const validators = new WeakMap<JsonSchema, Validator>();

/** The validator of a schema, compiled when the first value comes. */
export function validatorFor(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) validators.set(schema, (validator = compile(schema)));
  return validator;
}
