import type { Configuration } from "../../configuration/types.js";
import { sanitizeText, quoteText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { splitSentence, toSentence, truncateText } from "../text/sentences.js";
import { mapWrittenText, type ToolText } from "../text/parts.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import type { PlannedTool } from "../types.js";
import type { References, Rule } from "./rules.js";
import { sourceInput, boundParameters } from "../bound-parameters.js";

interface TextContext {
  readonly references: References;
  readonly diagnostics: DiagnosticCollector;
  /** Names the content of an output. */
  readonly describeOutput: (output: OutputPlan) => string | undefined;
}

/**
 * Applies `description`, `useWhen` and `notFor`, and describes the result anew if the rule changed
 * it.
 */
export function applyDescription(
  tool: PlannedTool,
  before: PlannedTool,
  { config, locationOf, isPartial }: Rule,
  { references, describeOutput: returns }: TextContext,
): PlannedTool {
  const phrase = outputPhrase(tool, returns);
  const isSameResult = phrase === outputPhrase(before, returns);
  const { description, useWhen, notFor } = config;
  const resolve = (text: string, key: "description" | "useWhen" | "notFor"): string =>
    references.resolve(text, locationOf(key));
  const written =
    description === undefined
      ? tool.text
      : isPartial
        ? mapWrittenText(tool.text, (text) => resolve(text, "description"))
        : describedBy(tool.text, resolve(description, "description"));
  const text: ToolText = {
    ...written,
    ...(useWhen !== undefined && { useWhen: useWhenSentence(resolve(useWhen, "useWhen")) }),
    ...(notFor !== undefined && { notFor: notForSentence(resolve(notFor, "notFor")) }),
    ...(!isSameResult && { result: phrase === undefined ? [] : [phrase] }),
  };
  return { ...tool, text };
}

/** Replaces the document's text by a configured one. Facts about the call stay. */
function describedBy({ steps: _, ...text }: ToolText, description: string): ToolText {
  const [purpose, rest] = splitSentence(toSentence(flattenText(description)));
  return { ...text, purpose, details: rest === "" ? [] : [{ text: rest }], isConfigured: true };
}

/** Names the content of the result of a planned tool. */
function outputPhrase(
  { output, definition }: PlannedTool,
  returns: TextContext["describeOutput"],
): string | undefined {
  if (!output || !definition.outputSchema) return undefined;
  const read = definition.operations[0]?.response ?? {};
  const wrap =
    read.wrap ?? (read.items !== undefined || read.item !== undefined ? "items" : undefined);
  const inner =
    wrap === undefined
      ? undefined
      : (output.properties as Readonly<Record<string, OutputPlan["responseSchema"]>> | undefined)?.[
          wrap
        ];
  return returns({
    responseSchema: inner ?? output,
    subject: definition.name.split("_").slice(1),
    ...(inner && wrap && { wrap }),
    resultSchema: output,
    schema: definition.outputSchema as OutputPlan["schema"],
  });
}

const MAX_WHEN = 300;
const MAX_TITLE = 100;
const MAX_ADVICE = 1000;

/** `the user names a product` → Use when the user names a product. */
function useWhenSentence(text: string): string {
  const rest = flattenText(text).replace(/^(?:use\s+(?:this\s+(?:tool\s+)?|it\s+)?)?when\s+/i, "");
  return truncateText(toSentence(`Use when ${rest}`), MAX_WHEN, false);
}

/** `a single book; use get_book` → Not for a single book; use get_book. */
function notForSentence(text: string): string {
  const rest = flattenText(text).replace(/^not for\s+/i, "");
  return truncateText(toSentence(`Not for ${rest}`), MAX_WHEN, false);
}

const flattenText = (text: string): string => sanitizeText(text.replace(/\s+/g, " ")).trim();

/** Applies title, keywords, annotations, approval and timeout. Keywords of several rules add up. */
export function applyMetadata(
  tool: PlannedTool,
  { config: { title, keywords = [], annotations, approve, timeoutMs } }: Rule,
): PlannedTool {
  const { definition } = tool;
  const named = title === undefined ? "" : truncateText(flattenText(title), MAX_TITLE, false);
  const words = [...new Set([...(definition.keywords ?? []), ...keywords.map(flattenText)])];
  return {
    ...tool,
    definition: {
      ...definition,
      ...(named !== "" && { title: named }),
      ...(words.length > 0 && { keywords: words.filter((word) => word !== "") }),
      ...(annotations && { annotations: { ...definition.annotations, ...annotations } }),
      ...(approve !== undefined && { approve }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
  };
}

/**
 * Adds advice by status. A tool's own advice beats advice for all tools, and both beat inferred
 * advice.
 */
export function applyErrorAdvice(
  tool: PlannedTool,
  errors: Readonly<Record<string, string>> | undefined,
  locationOf: Rule["locationOf"],
  original: PlannedTool,
  isToolRule: boolean,
  { references, diagnostics }: TextContext,
): PlannedTool {
  const entries = Object.entries(errors ?? {});
  if (entries.length === 0) return tool;
  const advice = entries.map(([status, text]) => {
    const location = locationOf("errors", status);
    const filled = references
      .resolve(text, location)
      .replace(
        /\{(\w+)\}/g,
        (match, name: string) =>
          `{${resolvePlaceholder(match, name, tool, original, isToolRule, location, diagnostics)}}`,
      );
    return [status, truncateText(flattenText(filled), MAX_ADVICE, false)] as const;
  });
  return {
    ...tool,
    definition: {
      ...tool.definition,
      onError: Object.fromEntries([...Object.entries(tool.definition.onError ?? {}), ...advice]),
    },
  };
}

/** Reports placeholders in advice for all tools that no tool has. */
export function checkPlaceholders(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  tools: readonly PlannedTool[],
  diagnostics: DiagnosticCollector,
): void {
  const entries = Object.entries(content.errors ?? {});
  if (entries.length === 0) return;
  const known = new Set(
    tools.flatMap((tool) => [
      ...tool.inputs.map(({ name }) => name),
      ...boundParameters(tool).flatMap(({ wireName }) => wireName ?? []),
    ]),
  );
  for (const [status, text] of entries) {
    for (const [match, name = ""] of text.matchAll(/\{(\w+)\}/g)) {
      if (!known.has(name))
        diagnostics.add(
          "config-unknown-input",
          `${match} is not an input of any tool${suggestionFor(name, known) || "."}`,
          locationOf(["errors", status]),
          "Write the name of an input, or remove the braces.",
        );
    }
  }
}

/** Resolves a placeholder to an input, by its name or by its name before it was renamed. */
function resolvePlaceholder(
  match: string,
  name: string,
  tool: PlannedTool,
  original: PlannedTool,
  isToolRule: boolean,
  location: ReturnType<Rule["locationOf"]>,
  diagnostics: DiagnosticCollector,
): string {
  if (tool.inputs.some((input) => input.name === name)) return name;
  const before = new Set(
    boundParameters(original)
      .filter(({ source, wireName }) => sourceInput(source) === name || wireName === name)
      .flatMap(({ wireName }) => wireName ?? []),
  );
  const current = boundParameters(tool).find(
    ({ source, wireName }) =>
      wireName !== undefined && before.has(wireName) && sourceInput(source) !== undefined,
  );
  const found = current && sourceInput(current.source);
  if (found === undefined && isToolRule)
    diagnostics.add(
      "config-unknown-input",
      `${match} is not an input of ${tool.definition.name}${
        suggestionFor(
          name,
          tool.inputs.map((input) => input.name),
        ) || "."
      }`,
      location,
      `Its inputs: ${tool.inputs.map((input) => quoteText(input.name)).join(", ") || "none"}.`,
    );
  return found ?? name;
}
