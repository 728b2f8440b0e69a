import { diagnostic, type Diagnostic } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { textKey } from "../descriptions/siblings.js";
import { splitSentence } from "../text/sentences.js";
import { singularizeLast } from "../names/grammar.js";
import { type LintedTool, type LintRule, toolConfigOf } from "./rule.js";
import { suggestToolConfig } from "./suggested-fixes.js";

/** Tools without a description in the document. */
export const noDescription: LintRule = ({ tool, name, operations, main }, context) => {
  if (
    operations.some(
      ({ summary, description, xMcp }) =>
        !isBlank(summary) ||
        !isBlank(description) ||
        (isObject(xMcp) && typeof xMcp["description"] === "string"),
    )
  )
    return undefined;
  if (toolConfigOf(name, context)?.description !== undefined) return undefined;
  return diagnostic(
    "lint-missing-description",
    `The document does not say what ${name} does; its description is made of names`,
    main.location,
    suggestToolConfig(name, { description: splitSentence(tool.definition.description)[0] }),
  );
};

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === "";

/** Words that apply to everything. */
const EMPTY_NOUNS = new Set(
  "data info information item items object objects resource resources entity entities record records value values result results thing things request content details list root".split(
    " ",
  ),
);
const EMPTY_VERBS = new Set("run call do execute process handle perform invoke manage".split(" "));

/** `get_data`, `run_process`, `search`: names that say too little beside other tools. */
export const genericName: LintRule = ({ tool, name, main }, context) => {
  const { names } = context;
  if (names.size < 2 || toolConfigOf(name, context) !== undefined) return undefined;
  const [verb = "", ...noun] = name.split("_");
  const hashed = tool.reasons.some((reason) => reason.includes("a hash of method and path"));
  if (
    !hashed &&
    !(
      noun.every((word) => EMPTY_NOUNS.has(word)) &&
      (noun.length > 0 || EMPTY_VERBS.has(verb) || verb === "search")
    )
  )
    return undefined;
  const better = [
    verb,
    ...singularizeLast(tool.toolset.split("_")),
    ...noun.filter((word) => !hashed || !/\d/.test(word)),
  ]
    .join("_")
    .slice(0, 48);
  const isOwn = better.split("_").some((word, i, all) => i > 0 && word === all[i - 1]);
  if (isOwn && !hashed) return undefined;
  const why = hashed
    ? "ends in a hash, because nothing in the document tells it from another tool"
    : "does not say what it is about";
  return diagnostic(
    "lint-generic-name",
    `The name ${name} ${why}`,
    main.location,
    names.has(better) || isOwn
      ? "Give the operation an operationId that says what it does to what"
      : suggestToolConfig(better, { operation: main.operationId ?? `${main.method} ${main.path}` }),
  );
};

/** Tools with equal descriptions. The later ones name the first. */
export function sameDescriptions(tools: readonly LintedTool[]): readonly Diagnostic[] {
  const groups = new Map<string, LintedTool[]>();
  return tools.flatMap((linted) => {
    const { description } = linted.tool.definition;
    const key = textKey(description);
    const group = groups.get(key) ?? [];
    const other = group.find((one) => one.tool.definition.description === description);
    if (!other) groups.set(key, [...group, linted]);
    const hint = suggestToolConfig(linted.name, { useWhen: `${other?.name ?? ""} does not fit` });
    return other
      ? [
          diagnostic(
            "lint-duplicate-description",
            `${linted.name} and ${other.name} have the same description, so a model cannot choose between them`,
            linted.main.location,
            hint,
          ),
        ]
      : [];
  });
}
