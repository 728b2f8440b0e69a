import type { Curated } from "../../curation/types.js";
import { cleanText, quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import { ended, fit } from "../describe/sentences.js";
import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { Findings } from "../findings.js";
import type { PlannedOutput } from "../schema/output.js";
import type { PlannedTool } from "../types.js";
import type { References } from "./references.js";
import type { Rule } from "./rules.js";
import { inputOf, wiresOf } from "./wires.js";

export interface WordsContext {
  readonly references: References;
  readonly findings: Findings;
  /** `Returns …` for an output. */
  readonly returns: (output: PlannedOutput) => string | undefined;
}

/**
 * The description as people wrote it, when it is to be used, and what comes back as it is after the
 * rule.
 */
export function withDescription(
  tool: PlannedTool,
  before: PlannedTool,
  { rule, placeOf, isPart }: Rule,
  { references, returns }: WordsContext,
): PlannedTool {
  const old = returnsOf(before, returns);
  const now = returnsOf(tool, returns);
  if (rule.description === undefined && rule.useWhen === undefined && old === now) return tool;
  const { lead, tail } = parted(tool.definition.description, old);
  const own =
    rule.description === undefined
      ? lead
      : isPart
        ? references.resolve(lead, placeOf("description"))
        : ended(flat(references.resolve(rule.description, placeOf("description"))));
  const when =
    rule.useWhen === undefined
      ? undefined
      : useWhen(references.resolve(rule.useWhen, placeOf("useWhen")));
  const parts = [when, now, tail].filter((part) => part !== undefined && part !== "").join(" ");
  const description = [fit(own, MAX_DESCRIPTION - parts.length - 1), parts]
    .filter((part) => part !== "")
    .join(" ");
  return { ...tool, definition: { ...tool.definition, description } };
}

/**
 * What stands before and after the sentence about the result; without one, what is said of a
 * deletion is the end.
 */
function parted(
  description: string,
  returns: string | undefined,
): { readonly lead: string; readonly tail: string } {
  const at = returns === undefined ? -1 : description.lastIndexOf(returns);
  if (at >= 0)
    return {
      lead: description.slice(0, at).trim(),
      tail: description.slice(at + (returns as string).length).trim(),
    };
  const end =
    /(?:Deletes data; cannot be undone\.)?(?: ?Deprecated\.)?$/.exec(description)?.index ??
    description.length;
  return { lead: description.slice(0, end).trim(), tail: description.slice(end).trim() };
}

/** The sentence about the result of a planned tool. */
function returnsOf(
  { output, definition }: PlannedTool,
  returns: WordsContext["returns"],
): string | undefined {
  if (!output || !definition.outputSchema) return undefined;
  const read = definition.requests[0]?.read ?? {};
  const wrap =
    read.wrap ?? (read.items !== undefined || read.item !== undefined ? "items" : undefined);
  const inner =
    wrap === undefined
      ? undefined
      : (output.properties as Readonly<Record<string, PlannedOutput["sent"]>> | undefined)?.[wrap];
  return returns({
    sent: inner ?? output,
    ...(inner && wrap && { wrap }),
    result: output,
    schema: definition.outputSchema as PlannedOutput["schema"],
  });
}

const MAX_WHEN = 300;
const MAX_TITLE = 100;
const MAX_ADVICE = 1000;

/** `the user names a product` → Use when the user names a product. */
function useWhen(text: string): string {
  const rest = flat(text).replace(/^(?:use\s+(?:this\s+(?:tool\s+)?|it\s+)?)?when\s+/i, "");
  return fit(ended(`Use when ${rest}`), MAX_WHEN, false);
}

const flat = (text: string): string => cleanText(text.replace(/\s+/g, " ")).trim();

/** Title, hints, deadline and the like: as the rule says. */
export function withFacts(
  tool: PlannedTool,
  { rule: { title, annotations, timeoutMs } }: Rule,
): PlannedTool {
  const { definition } = tool;
  const named = title === undefined ? "" : fit(flat(title), MAX_TITLE, false);
  if (title === undefined && !annotations && timeoutMs === undefined) return tool;
  return {
    ...tool,
    definition: {
      ...definition,
      ...(named !== "" && { title: named }),
      ...(annotations && { annotations: { ...definition.annotations, ...annotations } }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
  };
}

/** Advice by status: a tool's own before that for all tools, both before what was inferred. */
export function withErrors(
  tool: PlannedTool,
  errors: Readonly<Record<string, string>> | undefined,
  placeOf: Rule["placeOf"],
  original: PlannedTool,
  isOwn: boolean,
  { references, findings }: WordsContext,
): PlannedTool {
  const entries = Object.entries(errors ?? {});
  if (entries.length === 0) return tool;
  const advice = entries.map(([status, text]) => {
    const place = placeOf("errors", status);
    const filled = references
      .resolve(text, place)
      .replace(
        /\{(\w+)\}/g,
        (whole, name: string) =>
          `{${placeholder(whole, name, tool, original, isOwn, place, findings)}}`,
      );
    return [status, fit(flat(filled), MAX_ADVICE, false)] as const;
  });
  return {
    ...tool,
    definition: {
      ...tool.definition,
      onError: Object.fromEntries([...Object.entries(tool.definition.onError ?? {}), ...advice]),
    },
  };
}

/** Reports what advice for all tools speaks of and none has. */
export function checkPlaceholders(
  { curation, placeOf }: Pick<Curated, "curation" | "placeOf">,
  tools: readonly PlannedTool[],
  findings: Findings,
): void {
  const entries = Object.entries(curation.errors ?? {});
  if (entries.length === 0) return;
  const known = new Set(
    tools.flatMap((tool) => [
      ...tool.inputs.map(({ name }) => name),
      ...wiresOf(tool).flatMap(({ wireName }) => wireName ?? []),
    ]),
  );
  for (const [status, text] of entries) {
    for (const [whole, name = ""] of text.matchAll(/\{(\w+)\}/g)) {
      if (!known.has(name))
        findings.add(
          "curation-input",
          `${whole} names no input of any tool${didYouMean(name, known) || "."}`,
          placeOf(["errors", status]),
          "Write the name of an input, or leave the braces out.",
        );
    }
  }
}

/**
 * The input that a placeholder means: by the name that it has, or that it had before it was
 * renamed.
 */
function placeholder(
  whole: string,
  name: string,
  tool: PlannedTool,
  original: PlannedTool,
  isOwn: boolean,
  place: ReturnType<Rule["placeOf"]>,
  findings: Findings,
): string {
  if (tool.inputs.some((input) => input.name === name)) return name;
  const before = new Set(
    wiresOf(original)
      .filter(({ wire, wireName }) => inputOf(wire) === name || wireName === name)
      .flatMap(({ wireName }) => wireName ?? []),
  );
  const now = wiresOf(tool).find(
    ({ wire, wireName }) =>
      wireName !== undefined && before.has(wireName) && inputOf(wire) !== undefined,
  );
  const found = now && inputOf(now.wire);
  if (found === undefined && isOwn)
    findings.add(
      "curation-input",
      `${whole} names no input of ${tool.definition.name}${
        didYouMean(
          name,
          tool.inputs.map((input) => input.name),
        ) || "."
      }`,
      place,
      `Its inputs: ${tool.inputs.map((input) => quoteText(input.name)).join(", ") || "none"}.`,
    );
  return found ?? name;
}
