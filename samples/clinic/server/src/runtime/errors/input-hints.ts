import { ownProperty } from "../object.js";
import type { InputProblem } from "../request/types.js";
import type { JsonSchema, ToolDefinition } from "../types.js";

/** Maximum number of problems in one text. An agent corrects them and learns the rest. */
export const MAX_LISTED_PROBLEMS = 20;

/** Maximum length of an example in characters. */
const MAX_EXAMPLE = 200;

/** The parts of a tool that help to correct its inputs. */
export type ToolInputs = Pick<ToolDefinition, "name"> &
  Partial<Pick<ToolDefinition, "inputSchema" | "producers">>;

/** Problems that an example solves. Others name the allowed values or the limit themselves. */
const SOLVED_BY_EXAMPLE =
  /^(?:is (?:required|empty|missing)|must not be empty|expected |.* is not an? |.* does not match )/s;

/**
 * Names the producers of a valid value or an example, as a clause: `; get it from find_pets`. Empty
 * when neither is known.
 */
export function problemHint({ input, problem }: InputProblem, tool: ToolInputs): string {
  if (!SOLVED_BY_EXAMPLE.test(problem)) return "";
  const sources = producerPhrase(tool, input);
  if (sources) return `; get ${problem === "is required" ? "it" : "a valid one"} from ${sources}`;
  const example = problem.includes("such as") ? undefined : exampleOf(tool, input);
  return example === undefined ? "" : `; for example ${example}`;
}

/** Lists up to two tools whose results hold a value for an input, as a phrase. */
export function producerPhrase({ producers }: ToolInputs, input: string): string | undefined {
  return ownProperty(producers, input)?.slice(0, 2).join(" or ");
}

function exampleOf({ inputSchema }: ToolInputs, input: string): string | undefined {
  const properties = inputSchema?.["properties"] as Readonly<Record<string, JsonSchema>>;
  const examples = ownProperty(properties, input)?.["examples"];
  if (!Array.isArray(examples) || examples.length === 0) return undefined;
  const text = JSON.stringify(examples[0]);
  return text.length <= MAX_EXAMPLE ? text : undefined;
}
