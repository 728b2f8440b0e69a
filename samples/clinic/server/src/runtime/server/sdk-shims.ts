/** The platform module of the MCP SDK, as bundles replace it. */
import process from "node:process";
import type {
  JsonSchemaType, jsonSchemaValidator, JsonSchemaValidator,
} from "@modelcontextprotocol/server";
import { compile, describeProblem, formatPath } from "../schema.js";

/**
 * Replaces the platform module of the MCP SDK in bundles. The one for Node includes Ajv, which is a
 * quarter of a bundle and generates code; this one uses the validator of the runtime.
 */
export { process };

/** Validates responses to elicitation forms. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const check = compile(schema);
    return (input) => {
      const problems = check(input);
      if (problems.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
      const messages = problems.map((problem) =>
        [formatPath(problem.path), describeProblem(problem)].filter(Boolean).join(": "),
      );
      return { valid: false, data: undefined, errorMessage: messages.join("; ") };
    };
  }
}
