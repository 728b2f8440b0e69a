import type { InputProblem } from "../request/types.js";
import type { JsonSchema, ToolDefinition } from "../types.js";

/** What is known about a tool's inputs beyond what is wrong with them. */
export type ToolInputs = Pick<ToolDefinition, "name"> &
  Partial<Pick<ToolDefinition, "inputSchema" | "producers">>;

/**
 * Problems that a good value mends, unlike those that name the allowed values or the limit already.
 */
const SOLVED_BY_EXAMPLE =
  /^(?:is required|is empty|is missing|must not be empty|expected |.* is not an? |.* does not match )/s;

/**
 * Where a good value comes from, or what one looks like, as a clause: `; get it from find_pets`.
 * Empty when nobody knows.
 */
export function problemHint({ input, problem }: InputProblem, tool: ToolInputs): string {
  if (!SOLVED_BY_EXAMPLE.test(problem)) return "";
  const sources = producerPhrase(tool, input);
  if (sources) return `; get ${problem === "is required" ? "it" : "a valid one"} from ${sources}`;
  const example = problem.includes("such as") ? undefined : exampleOf(tool, input);
  return example === undefined ? "" : `; for example ${example}`;
}

/** The tools whose results hold a value for an input, as a phrase. */
export function producerPhrase({ producers }: ToolInputs, input: string): string | undefined {
  return producers && Object.hasOwn(producers, input)
    ? producers[input]!.slice(0, 2).join(" or ")
    : undefined;
}

function exampleOf({ inputSchema }: ToolInputs, input: string): string | undefined {
  const properties = (inputSchema?.["properties"] ?? {}) as Readonly<
    Record<string, JsonSchema | undefined>
  >;
  const examples = Object.hasOwn(properties, input) ? properties[input]?.["examples"] : undefined;
  const text =
    Array.isArray(examples) && examples.length > 0 ? JSON.stringify(examples[0]) : undefined;
  return text !== undefined && text.length <= 200 ? text : undefined;
}

/** Problems told at once; an agent corrects a few and comes back for the rest. */
export const MAX_LISTED_PROBLEMS = 20;
