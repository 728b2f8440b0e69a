import { validate as cfworker, type Schema } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../src/json.js";

const ajv = new Ajv2020({
  strict: false,
  inlineRefs: false,
  validateSchema: false,
  addUsedSchema: false,
  validateFormats: false,
  logger: false,
});

/**
 * Validates a value with two independent validators.
 * @returns undefined when they disagree or fail
 */
export function validatorOf(schema: JsonSchema | boolean): (value: unknown) => boolean | undefined {
  const compiled = attempt(() => ajv.compile(schema));
  return (value) => {
    const one = compiled && attempt(() => compiled(value));
    const other = attempt(
      () => cfworker(value, structuredClone(schema) as Schema | boolean, "2020-12").valid,
    );
    return one === other ? one : undefined;
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
