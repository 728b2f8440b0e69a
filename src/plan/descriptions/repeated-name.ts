import type { Response } from "../../model/types.js";
import type { ClassifiedOperation } from "../classified-operation.js";
import { singularize } from "../names/grammar.js";
import { isJsonMediaType } from "../outputs/success-responses.js";
import { splitSentence } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";

/**
 * Removes sentences that only repeat the tool's name (`Start a container.`) from a description that
 * consists of them, but for sentences about the result and errors. Without such a sentence, the description
 * says what is known about the result.
 */
export function dropRepeatedName(
  tool: PlannedTool,
  { successResponses }: ClassifiedOperation,
): PlannedTool {
  const { name, description } = tool.definition;
  const rest = withoutRepeats(description, name);
  if (rest !== "" && !/^(?:Returns|Error codes:) /.test(rest)) return tool;
  if (rest === description || splitSentence(rest)[0].length > MAX_FIRST_SENTENCE) return tool;
  const shown = rest === "" ? resultSentence(successResponses) : rest;
  return { ...tool, definition: { ...tool.definition, description: shown } };
}

/** Longest sentence that begins a description, in characters. A repeat beats a longer one. */
const MAX_FIRST_SENTENCE = 120;

function withoutRepeats(description: string, name: string): string {
  const stems = new Set(name.split("_").map(singularize));
  let remaining = description;
  while (remaining !== "") {
    const [first, rest] = splitSentence(remaining);
    if (!consistsOf(first, stems)) return remaining;
    remaining = rest;
  }
  return remaining;
}

/** Tests whether a sentence has no words but these and fillers. */
function consistsOf(sentence: string, stems: ReadonlySet<string>): boolean {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => FILLERS.has(word) || stems.has(singularize(word)));
}

const FILLERS = new Set("a an the of for to in by with and or given this that its all".split(" "));

/** `Returns no data.`, `Returns text/csv.`; says so if the document does not tell. */
function resultSentence(responses: readonly Response[]): string {
  if (responses.length > 0 && responses.every(({ status }) => NO_CONTENT.has(status)))
    return "Returns no data.";
  const types = responses.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType));
  const type = types.find((mediaType) => MEDIA_TYPE.test(mediaType) && !isJsonMediaType(mediaType));
  return type === undefined ? "The API does not document the result." : `Returns ${type}.`;
}

/** Statuses of responses without content (RFC 9110, sections 15.3.5 and 15.3.6). */
const NO_CONTENT = new Set(["204", "205"]);
const MEDIA_TYPE = /^[\w.-]+\/[\w.+-]+$/;
