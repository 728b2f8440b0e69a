// Compares one label with the tool that holds its operation.
import { operationName, requestOf } from "./plans.mjs";
import {
  claimsIrreversible,
  claimsReplacement,
  containsPhrase,
  nameWords,
  resultText,
  singular,
  squash,
} from "./words.mjs";

/** Measures in the order of the table. */
export const measures = [
  "reads",
  "destroys",
  "verb",
  "object",
  "replaces",
  "irreversible",
  "producers",
  "payload",
];

/** Words at which a name must not end, and the remains of a possessive. */
const dangling = new Set("with of by for in to from at on into as and or the a s".split(" "));

/**
 * Judges a label.
 * @param planned the document's tools
 * @param labelOf the label of an operation, for the other operations of a merged tool
 * @returns an outcome per measure: `{want, got}` for a yes or no, `{right}` otherwise, each with
 *   `text` for a miss; undefined where the label says nothing
 */
export function judge(label, planned, labelOf) {
  const tools = planned.toolsOf(label.operation);
  const [tool] = tools;
  if (!tool) return undefined;
  const { name, description, annotations } = tool.definition;
  const others = tool.operations
    .map((reference) => labelOf(operationName(reference)))
    .filter((other) => other !== undefined && other !== label);
  const any = (field) => label[field] === true || others.some((other) => other[field] === true);
  const all = (field) => label[field] === true && others.every((other) => other[field] === true);
  const isMerged = tool.operations.length > 1;
  return {
    tool: name,
    reads: yesOrNo(label.reads, all("reads"), annotations.readOnlyHint),
    destroys: yesOrNo(label.destroys, any("destroys"), annotations.destructiveHint),
    ...judgeName(label, name, isMerged),
    replaces: yesOrNo(label.replaces, any("replaces"), claimsReplacement(description)),
    irreversible: yesOrNo(label.irreversible, any("irreversible"), claimsIrreversible(description)),
    producers: judgeProducers(label, tool, planned),
    payload: judgePayload(label, description),
  };
}

/** `either` is not counted. */
function yesOrNo(labelled, want, got) {
  return labelled === "either" ? undefined : { want, got, right: want === got, text: `${got}` };
}

function judgeName({ verbs, objects, noise, reads }, name, isMerged) {
  const accepted = isMerged && reads === true ? [...verbs, "find"] : verbs;
  const verb = accepted.find((one) => name === one || name.startsWith(`${one}_`));
  const rest = verb === undefined ? name.split("_").slice(1).join("_") : name.slice(verb.length);
  const words = nameWords(rest);
  const isClean =
    !dangling.has(rest.split("_").at(-1)) && !noise.some((word) => words.includes(word));
  const names = objects.map((object) => object.split("_").map(singular));
  return {
    verb: verbs.length === 0 ? undefined : { right: verb !== undefined, text: name },
    object:
      objects.length === 0
        ? undefined
        : {
            right: names.some((object) => containsPhrase(words, object)) && isClean,
            text: name,
          },
  };
}

/**
 * Hints of all labelled path parameters. A hint is right if its tool holds an operation of the
 * label. A parameter is found if it has a right hint. A tool that lists and gets is the producer of
 * the ID by which it gets.
 */
function judgeProducers({ operation, producers }, tool, planned) {
  const { pathParams, selectedBy } = requestOf(tool, operation);
  const outcome = { hints: 0, right: 0, wanted: 0, found: 0, misses: [] };
  for (const [parameter, { operations, isRequired }] of Object.entries(producers)) {
    const source = pathParams[parameter];
    const input = typeof source === "string" ? source : source?.from;
    if (input === undefined) continue;
    const accepted = new Set(
      operations.flatMap((one) => planned.toolsOf(one)).map(({ definition }) => definition.name),
    );
    const hints = tool.inputs.find(({ name }) => name === input)?.producers ?? [];
    const right = hints.filter((hint) => accepted.has(hint));
    const isOwn = selectedBy.includes(input) && accepted.has(tool.definition.name);
    outcome.hints += hints.length;
    outcome.right += right.length;
    if (isRequired) outcome.wanted += 1;
    if (isRequired && (right.length > 0 || isOwn)) outcome.found += 1;
    for (const hint of hints)
      if (!right.includes(hint)) outcome.misses.push(`${parameter}: not ${hint}`);
    if (isRequired && right.length === 0 && !isOwn)
      outcome.misses.push(`${parameter}: none of ${[...accepted].join(", ")}`);
  }
  return outcome;
}

function judgePayload({ payload }, description) {
  if (payload.length === 0) return undefined;
  const text = squash(resultText(description));
  return {
    right: payload.some((word) => text.includes(squash(word))),
    text: resultText(description).slice(0, 120) || "nothing about the result",
  };
}
