/** The input of a call before its request: validated, with its texts encoded. */
import type { InputProblem } from "../request/types.js";
import type { GivenValue } from "../schema/coerce-input.js";
import type { ToolDefinition, ToolInput } from "../types.js";
import type { AnyTool, BuiltInTool } from "./definitions.js";
import { restoreDigits } from "./number-inputs.js";
import { encodeByteInputs } from "./text-inputs.js";
import { findUndocumentedInputs } from "./undocumented-inputs.js";
import { unwrapBody, wrapFields } from "./unwrap-body.js";
import { validateInput, withLargeIntegers } from "./validate-input.js";

/** Parts of an input that are sent in another form than given, or without being documented. */
export interface InputChanges {
  /** Those that were `null` where the schema does not allow it. */
  readonly omittedNulls?: readonly string[];
  /** Those that were converted to the type of the schema. */
  readonly converted?: readonly string[];
  /** Booleans and numbers that were converted to text, as given. */
  readonly givenValues?: readonly GivenValue[];
  /** Integers beyond 2^53 that the input has as texts. */
  readonly largeIntegers?: readonly GivenValue[];
  /** Identifiers that were sent where the API's description declares a number. */
  readonly identifiers?: readonly string[];
  /** IDs of parts that the API's description requires and the call lacks. */
  readonly omittedIds?: readonly string[];
  /** Objects and lists that were sent where the API's description declares a text. */
  readonly structures?: readonly string[];
  /** Names that the tool does not declare. */
  readonly undocumented?: readonly string[];
  /** Inputs that the API's description has for other calls of the tool. */
  readonly otherQuery?: readonly string[];
  /** Base64 that may have been meant as text, with its value. */
  readonly doubtfulBytes?: readonly (readonly [path: string, text: string])[];
}

/** An input that can be sent. */
export interface ValidInput {
  readonly ok: true;
  readonly input: ToolInput;
  readonly changes: InputChanges;
}

/** An input that can be sent, or its problems. */
export type PreparedInput =
  | ValidInput
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Validates the input of a call. That of a tool of the API may have undocumented fields and plain
 * text in place of base64.
 * @param strict true if values of another type and undocumented fields are refused
 */
export function prepareInput(
  tool: AnyTool | BuiltInTool,
  args: unknown,
  strict: boolean,
): PreparedInput {
  if ("operations" in tool) return prepareApiInput(tool, args, strict);
  const validated = validateInput(tool.inputSchema, args, { strict });
  return validated.ok ? { ok: true, input: validated.input, changes: validated } : validated;
}

function prepareApiInput(tool: ToolDefinition, args: unknown, strict: boolean): PreparedInput {
  const schema = tool.inputSchema;
  const fields = strict ? args : wrapFields(tool, args);
  const given = encodeByteInputs(schema, unwrapBody(tool, fields)).input;
  const validated = validateInput(schema, given, {
    allowLargeIntegers: true,
    allowIdentifiers: true,
    strict,
  });
  const undocumented = findUndocumentedInputs(tool, validated.ok ? validated.input : given, strict);
  if (!validated.ok) {
    const known = new Set(validated.problems.map(({ input }) => input));
    const others = undocumented.problems.filter((problem) => !known.has(problem.input));
    return { ok: false, problems: [...validated.problems, ...others] };
  }
  const encoded = encodeByteInputs(schema, validated.input);
  const problems = [...undocumented.problems, ...encoded.problems];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    input:
      "run" in tool
        ? withLargeIntegers(encoded.input, validated.largeIntegers)
        : restoreDigits(encoded.input, given, tool.operations),
    changes: { ...validated, undocumented: undocumented.names, doubtfulBytes: encoded.doubtful },
  };
}
