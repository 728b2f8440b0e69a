/** Inputs whose default is an environment variable: `env` with `override: true`. */
import type { SourceLocation } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import {
  type BoundParameter,
  boundParameters,
  changeInput,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import { isSecretName } from "../secret-names.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { rejectSelectingInput, selectingInput } from "./input-changes.js";
import { isJsonField, type ValueContext } from "./parameter-values.js";

/** The inputs of a tool that send the matching values. */
export function inputsThatSend(
  tool: PlannedTool,
  matches: (parameter: BoundParameter) => boolean,
): readonly string[] {
  const inputs = boundParameters(tool)
    .filter(matches)
    .flatMap(({ source }) => sourceInput(source) ?? []);
  return [...new Set(inputs)];
}

/** Takes the value of an input from an environment variable where a call gives none. */
export function applyEnvDefault(
  tool: PlannedTool,
  env: string,
  matches: (parameter: BoundParameter) => boolean,
  name: string,
  location: SourceLocation,
  { environment, diagnostics }: ValueContext,
): PlannedTool {
  const selecting = selectingInput(tool, matches);
  if (selecting !== undefined)
    return rejectSelectingInput(tool, selecting, "Use fixed", location, diagnostics);
  environment.addNamed({
    name: env,
    description: `Default of ${name}, which a call may replace.`,
    required: false,
    secret: [name, env].some(isSecretName),
  });
  const names = inputsThatSend(tool, matches);
  const isRequired = new Set(tool.inputs.flatMap((input) => (input.required ? [input.name] : [])));
  const rewired = replaceSources(tool, (parameter) => {
    const { source } = parameter;
    const input = sourceInput(source);
    if (input === undefined || !names.includes(input)) return source;
    const own = typeof source === "string" ? { from: source } : source;
    return {
      ...own,
      from: input,
      defaultEnv: env,
      ...(isRequired.has(input) && { required: true }),
      ...(isJsonField(parameter, tool) && { isJson: true as const }),
    };
  });
  const sentence = `Default: ${env} of this server, if set.`;
  const optional = names.reduce(
    (current, input) =>
      changeInput(current, input, (planned, schema) => {
        const description = appendSentences(planned.description, sentence);
        return {
          input: { ...planned, required: false, description },
          schema: { ...schema, description },
        };
      }),
    rewired,
  );
  const reason = `${quoteText(name, 60)} has the default ${env}, as configured.`;
  return { ...optional, reasons: [...optional.reasons, reason] };
}
