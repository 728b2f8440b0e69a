import schema from "../../mcp-gen-eval.schema.json" with { type: "json" };
import type { Diagnostic, SourceLocation } from "../diagnostics/index.js";
import { parseValidatedYaml } from "../configuration/parse-configuration.js";
import { readTextFile } from "../load/index.js";
import type { Task } from "./types.js";

/** The tasks of a file, or the reasons why it cannot be used. */
interface TaskFile {
  readonly tasks?: readonly Task[];
  /** Location of a part of the file: `[0, "expect", 1, "tool"]`. */
  readonly locationOf: (path: readonly (string | number)[]) => SourceLocation;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a file of tasks, YAML or JSON.
 * @returns the tasks, or every fault with its line, column and a suggestion
 */
export async function readTasks(file: string): Promise<TaskFile> {
  const text = await readTextFile(file);
  if (text.problem)
    return { locationOf: () => ({ file, pointer: "#" }), diagnostics: [text.problem] };
  const { content, ...rest } = parseValidatedYaml<readonly Task[]>(text.value, file, schema);
  return { ...rest, ...(content && { tasks: content }) };
}
