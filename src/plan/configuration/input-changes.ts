/** Changes of a tool's inputs: new names, and inputs that keep one value. */
import type { InputConfig } from "../../configuration/types.js";
import type { SourceLocation } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { isObject, type JsonSchema } from "../../json.js";
import type { JsonValue, OperationBinding } from "../../runtime/types.js";
import {
  type BoundParameter,
  boundParameters,
  changeInput,
  type InputChange,
  replaceSources,
  sourceInput,
} from "../bound-parameters.js";
import { renameTextInput } from "../text/parts.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { fixedValueSchema, fixedValueSentence } from "../merges/merge-inputs.js";
import { displayWord } from "../names/format-name.js";
import { splitWords } from "../../language/words.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/** Returns the location of a key of an input rule; the empty key for the rule itself. */
export type LocationOf = (key: keyof InputConfig | "") => ReturnType<Rule["locationOf"]>;

/**
 * Renames an input of a tool, in its schemas, its requests and its generated texts. A name that
 * another input has is an error.
 */
export function renameInput(
  tool: PlannedTool,
  from: string,
  to: string,
  locationOf: LocationOf,
  { diagnostics }: { readonly diagnostics: DiagnosticCollector },
): PlannedTool {
  if (to === "__proto__" || tool.inputs.some(({ name }) => name === to)) {
    diagnostics.add(
      "config-unknown-input",
      `${tool.definition.name} already has an input ${quoteText(to)}.`,
      locationOf("name"),
      "Choose another name.",
    );
    return tool;
  }
  const rewired = renameSources(tool, from, to);
  const advice = (text: string): string => replaceWord(text, from, to);
  const renamed = changeInput(rewired, from, (input, schema) => ({
    input: { ...input, name: to },
    schema,
  }));
  const { definition, inputs } = renamed.inputs.reduce(
    (current, { name }) =>
      changeInput(current, name, (input, schema) => renameMentions(input, schema, from, to)),
    renamed,
  );
  const onError =
    definition.onError &&
    Object.fromEntries(
      Object.entries(definition.onError).map(([status, text]) => [status, advice(text)]),
    );
  const updated = renameInputReferences(
    { ...rewired, inputs, definition: { ...definition, ...(onError && { onError }) } },
    from,
    to,
  );
  return {
    ...updated,
    reasons: [...rewired.reasons, `${quoteText(from, 60)} is called ${to}, as configured.`],
  };
}

/** Replaces a name where it is a whole word, as in `{pet_id}`. */
function replaceWord(text: string, from: string, to: string): string {
  return text
    .split(/([A-Za-z0-9_]+)/)
    .map((part) => (part === from ? to : part))
    .join("");
}

/** Renames an input in the result (`next`) and in generated sentences. */
function renameInputReferences(tool: PlannedTool, from: string, to: string): PlannedTool {
  const { definition, output } = tool;
  const operations = definition.operations.map((request) =>
    request.response.next && Object.hasOwn(request.response.next, from)
      ? {
          ...request,
          response: { ...request.response, next: renameKey(request.response.next, from, to) },
        }
      : request,
  );
  return {
    ...tool,
    text: renameTextInput(tool.text, from, to, splitWords(to).map(displayWord).join(" ")),
    ...(output && { output: renameNextField(output, from, to) }),
    definition: {
      ...definition,
      operations,
      ...(definition.outputSchema && {
        outputSchema: renameNextField(definition.outputSchema as JsonSchema, from, to),
      }),
    },
  };
}

function renameNextField(schema: JsonSchema, from: string, to: string): JsonSchema {
  const next = schema.properties?.next;
  if (!isObject(next) || !isObject(next.properties) || !Object.hasOwn(next.properties, from))
    return schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      next: {
        ...next,
        properties: renameKey(next.properties as NonNullable<JsonSchema["properties"]>, from, to),
      },
    },
  };
}

/** Renames a key and keeps its position. */
function renameKey<T>(
  record: Readonly<Record<string, T>>,
  from: string,
  to: string,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key === from ? to : key, value]),
  );
}

function renameSources(tool: PlannedTool, from: string, to: string): PlannedTool {
  const requests = replaceSources({ ...tool, inputs: [] }, ({ source }) =>
    sourceInput(source) !== from
      ? source
      : typeof source === "string"
        ? to
        : { ...source, from: to },
  ).definition.operations;
  const nameOf = (name: string): string => (name === from ? to : name);
  const renamed = requests.map((request, i) => ({
    ...request,
    ...renameChoice(tool.definition.operations[i]?.choice, nameOf),
    whenProvided:
      tool.definition.operations[i]?.whenProvided.map((inputName) =>
        inputName === from ? to : inputName,
      ) ?? [],
  }));
  return {
    ...tool,
    definition: {
      ...tool.definition,
      operations: renamed.map((request) => ({
        ...request,
        request: renameFilenameInput(request.request, from, to),
      })),
    },
  };
}

/** The choice of an operation with new names of inputs. */
function renameChoice(
  choice: OperationBinding["choice"],
  nameOf: (name: string) => string,
): Pick<OperationBinding, "choice"> {
  if (!choice) return {};
  const { input, required } = choice;
  return { choice: { ...choice, input: nameOf(input), required: required.map(nameOf) } };
}

/** True for the input whose value chooses the operation. */
export const isChoice = ({ definition }: PlannedTool, input: string): boolean =>
  definition.operations.some(({ choice }) => choice?.input === input);

function renameFilenameInput(
  send: PlannedTool["definition"]["operations"][number]["request"],
  from: string,
  to: string,
): typeof send {
  if (!send.body?.encoding) return send;
  const encoding = Object.fromEntries(
    Object.entries(send.body.encoding).map(([field, one]) => [
      field,
      one.filenameInput === from ? { ...one, filenameInput: to } : one,
    ]),
  );
  return { ...send, body: { ...send.body, encoding } };
}

/** Renames an input in generated sentences about other inputs. */
function renameMentions(
  input: PlannedInput,
  schema: JsonSchema,
  from: string,
  to: string,
): ReturnType<InputChange> {
  const description = input.description.replace(
    /(?:Not together with|Goes only with|File name of) [^.]*\.|For the next page: next\.\w+ of/g,
    (sentence) => replaceWord(sentence, from, to),
  );
  return description === input.description
    ? { input, schema }
    : { input: { ...input, description }, schema: { ...schema, description } };
}

/** Input whose presence selects one of several operations. */
export function selectingInput(
  tool: PlannedTool,
  matches: (parameter: BoundParameter) => boolean,
): string | undefined {
  const inputs = new Set(
    boundParameters(tool).flatMap((parameter) =>
      matches(parameter) ? (sourceInput(parameter.source) ?? []) : [],
    ),
  );
  const selecting = tool.definition.operations.flatMap(({ whenProvided }) => whenProvided);
  return selecting.find((name) => inputs.has(name));
}

/** Keeps an input that selects an operation, with the configured value only. */
export function keepSelectingInput(tool: PlannedTool, name: string, value: JsonValue): PlannedTool {
  const schema = fixedValueSchema(value);
  const kept = changeInput(tool, name, (input) => {
    const description = appendSentences(input.description, fixedValueSentence(value));
    return { input: { ...input, type: schema, description }, schema: { ...schema, description } };
  });
  return {
    ...kept,
    reasons: [
      ...kept.reasons,
      `${quoteText(name, 60)} takes one value, as configured; it selects the operation.`,
    ],
  };
}

/**
 * Rejects a rule for an input that selects an operation.
 * @param advice what the rule can be instead
 */
export function rejectSelectingInput(
  tool: PlannedTool,
  name: string,
  advice: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  diagnostics.add(
    "config-incompatible-value",
    `${quoteText(name)} selects one of the operations of ${tool.definition.name}.`,
    location,
    `${advice}, or give that operation a tool of its own.`,
  );
  return tool;
}
