import type { AnyTool } from "../../tools/hooks.js";
import type { ToolEffect } from "../../types.js";
import { tokenize } from "./terms.js";
import { pathWords } from "./tool-text.js";
import { visitSchema } from "./visit-schema.js";
import { weights } from "./weights.js";

/** Properties of a tool that the ranking compares with a query. */
export interface ToolTraits {
  /** Terms of the name, with their weights. */
  readonly nameTerms: ReadonlyMap<string, number>;
  /** Stems of verbs for what the tool does, with their weights. */
  readonly acts: ReadonlyMap<string, number>;
  readonly effect: ToolEffect;
  /** True if it is about things of the user whose credentials are sent. */
  readonly isOwn: boolean;
}

/** Derives the traits of a tool. */
export function toolTraits(tool: AnyTool): ToolTraits {
  const { name, annotations, description } = tool;
  const effect = "effect" in tool ? tool.effect : undefined;
  return {
    nameTerms: nameTerms(name),
    acts: actsOf(tool),
    effect: effect ?? (annotations.readOnlyHint ? "reads" : "changes"),
    isOwn: ownPath.test(pathWords(tool)) || ownText.test(description),
  };
}

const ownPath = /(?:^|[/.])@?(?:me|my|self|viewer|whoami)(?:[/.]|$)/;
const ownText =
  /\b(?:current|authenticated|calling|logged-in|signed-in) user|\byour (?:own )?(?!app|server)/i;

function nameTerms(name: string): ReadonlyMap<string, number> {
  const [main = "", qualifier = ""] = name.split(/_(?:for|of|by|in|with|to)_(.*)/s);
  const terms = new Map<string, number>(
    tokenize(qualifier).map((term) => [term, weights.qualifier]),
  );
  const [verb = "", ...objects] = main.split("_");
  for (const term of tokenize(verb)) terms.set(term, objects.length > 0 ? weights.nameVerb : 1);
  for (const term of tokenize(objects.join(" "))) terms.set(term, 1);
  return terms;
}

/**
 * The first word of name and title, the last word of the paths, and values that choose an action:
 * `{"type": "reboot"}`. A tool that reads has only the first.
 */
function actsOf(tool: AnyTool): ReadonlyMap<string, number> {
  const acts = new Map<string, number>();
  const isReading = tool.annotations.readOnlyHint;
  if (!isReading) for (const term of choiceTerms(tool)) acts.set(term, weights.enumAct);
  const words = [tool.name.split("_")[0] ?? "", tool.title.split(" ")[0] ?? ""];
  if (!isReading) words.push(/[^/.\s]*\s*$/.exec(pathWords(tool))?.[0] ?? "");
  for (const term of words.flatMap(tokenize)) acts.set(term, 1);
  return acts;
}

const choiceNames =
  /^(?:type|action|status|state|event|operation|command|mode|kind|availability)$|_(?:type|action|status|state|event)$/;

const choiceLimits = { depth: 2, count: 30 };

function choiceTerms({ inputSchema }: AnyTool): readonly string[] {
  const terms: string[] = [];
  visitSchema(inputSchema, choiceLimits, (name, { enum: options }) => {
    if (Array.isArray(options) && choiceNames.test(name))
      for (const option of options) if (typeof option === "string") terms.push(...tokenize(option));
  });
  return terms;
}
