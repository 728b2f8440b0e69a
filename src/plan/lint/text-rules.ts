import { diagnostic, type Diagnostic } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { describeEvidence } from "../effects/index.js";
import { singularizeLast } from "../../language/grammar.js";
import { EMPTY_VERBS } from "../../language/lexicon.js";
import { MAX_NAME_LENGTH } from "../names/format-name.js";
import { joinWithAnd, toSentence } from "../text/sentences.js";
import { type LintedTool, type LintRule, suggestToolConfig, toolConfigOf } from "./rule.js";

/** Tools without a description in the document. */
export const noDescription: LintRule = ({ tool, name, operations, main }, context) => {
  if (operations.some(hasDescription)) return undefined;
  if (toolConfigOf(name, context)?.description !== undefined) return undefined;
  return diagnostic(
    "lint-missing-description",
    `The document does not describe ${name}; its description is derived from names`,
    main.location,
    suggestToolConfig(name, { description: toSentence(tool.definition.title) }),
  );
};

function hasDescription({ summary, description, xMcp }: Operation): boolean {
  const isConfigured = isObject(xMcp) && typeof xMcp["description"] === "string";
  return isConfigured || !isBlank(summary) || !isBlank(description);
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === "";

/** Words that apply to everything. */
const EMPTY_NOUNS = new Set(
  (
    "data info information item items object objects resource resources entity entities " +
    "record records value values result results thing things request content details list " +
    "root"
  ).split(" "),
);

/** `get_data`, `run_process`, `search`: names that are not specific enough among other tools. */
export const genericName: LintRule = ({ tool, name, main }, context) => {
  const { names } = context;
  if (names.size < 2 || toolConfigOf(name, context) !== undefined) return undefined;
  const [verb = "", ...noun] = name.split("_");
  const isHashed = tool.reasons.some((reason) => reason.includes("a hash of method and path"));
  const hasGenericVerb = EMPTY_VERBS.has(verb) || verb === "search";
  const isGeneric =
    noun.every((word) => EMPTY_NOUNS.has(word)) && (noun.length > 0 || hasGenericVerb);
  if (!isHashed && !isGeneric) return undefined;
  const nounWithoutHash = noun.filter((word) => !isHashed || !/\d/.test(word));
  const words = [verb, ...singularizeLast(tool.toolset.split("_")), ...nounWithoutHash];
  const better = words.join("_").slice(0, MAX_NAME_LENGTH);
  const isRepetitive = better.split("_").some((word, i, all) => i > 0 && word === all[i - 1]);
  if (isRepetitive && !isHashed) return undefined;
  const problem = isHashed
    ? "ends in a hash, because nothing in the document distinguishes it from another tool"
    : "is too general";
  const key = main.operationId ?? `${main.method} ${main.path}`;
  return diagnostic(
    "lint-generic-name",
    `The name ${name} ${problem}`,
    main.location,
    names.has(better) || isRepetitive
      ? "Give the operation an operationId that consists of a verb and its object"
      : suggestToolConfig(better, { operation: key }),
  );
};

/** Tools with equal descriptions. The later ones name the first. */
export function sameDescriptions(tools: readonly LintedTool[]): readonly Diagnostic[] {
  const firstWith = new Map<string, LintedTool>();
  return tools.flatMap((linted) => {
    const { description } = linted.tool.definition;
    const other = firstWith.get(description);
    if (!other) {
      firstWith.set(description, linted);
      return [];
    }
    const message =
      `${linted.name} and ${other.name} have the same description, ` +
      "so a model cannot choose between them";
    const useWhen = distinction(linted, other);
    const hint =
      useWhen === undefined
        ? "Describe in the document how the operations differ"
        : suggestToolConfig(linted.name, { useWhen });
    return [diagnostic("lint-duplicate-description", message, linted.main.location, hint)];
  });
}

/** Difference between a tool and another: inputs that only it requires, or words of its path. */
function distinction({ tool, main }: LintedTool, other: LintedTool): string | undefined {
  const known = new Set(other.tool.inputs.map(({ name }) => name));
  const own = tool.inputs.filter(({ name, required }) => required && !known.has(name));
  if (own.length > 0) return `${joinWithAnd(own.map(({ name }) => name))} is known`;
  const words = literalSegments(main.path).filter(
    (word) => !literalSegments(other.main.path).includes(word),
  );
  return words.length === 0 ? undefined : `the task is about ${joinWithAnd(words)}`;
}

function literalSegments(path: string): readonly string[] {
  return path.split("/").filter((segment) => /^[a-z][\w-]*$/i.test(segment));
}

/** Tools that are not read-only because the document contradicts itself. */
export const unclearEffect: LintRule = ({ tool, name, main }, context) => {
  const conflict = tool.effects?.find((effects) => effects.conflict)?.conflict;
  if (!conflict || toolConfigOf(name, context)?.annotations !== undefined) return undefined;
  const [reading, writing] = conflict.map(describeEvidence) as [string, string];
  return diagnostic(
    "lint-unclear-effect",
    `${name} is not read-only: ${reading}, but ${writing}`,
    main.location,
    suggestToolConfig(name, { annotations: { readOnlyHint: true } }),
  );
};
