import process from "node:process";
import type {
  jsonSchemaValidator,
  JsonSchemaType,
  JsonSchemaValidator,
} from "@modelcontextprotocol/server";
import { compile, describeProblem, formatPath } from "../schema/index.js";

/**
 * What the MCP SDK takes from the platform it runs on, in the place of its own choice for Node: the
 * script `bundle` puts it there. That choice is Ajv, which is a quarter of a bundle and makes code
 * of schemas at run time; this is the validator that the server has anyway.
 */
export { process };

/** Checks what clients answer to forms (elicitation). */
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
