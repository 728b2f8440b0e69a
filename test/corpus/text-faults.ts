import type { PlannedTool } from "../../src/index.js";
import { containsStatement } from "../../src/plan/descriptions/content-words.js";
import { isUninformative } from "../../src/plan/inputs/infer-description.js";
import { toSentenceCase } from "../../src/plan/names/format-name.js";
import { splitSentence } from "../../src/plan/text/sentences.js";

/** Maximum length of a first sentence: more if the name would only repeat it. */
function maxOpening(sentence: string, name: string): number {
  const [verb = ""] = name.split("_");
  const saysVerb = sentence.toLowerCase().startsWith(`${verb} `);
  return saysVerb || containsStatement(sentence, toSentenceCase(name.split("_"))) ? 240 : 120;
}

const faults: readonly (readonly [string, (tool: PlannedTool) => boolean])[] = [
  [
    "a first sentence over 120 characters",
    ({ definition: { name, description } }) => {
      const [first] = splitSentence(description);
      return first.length > maxOpening(first, name);
    },
  ],
  [
    "a description that does not open with its purpose",
    ({ definition }) => /^(?:Returns|The API(?:'s)?|This API) /.test(definition.description),
  ],
  ["a description over 1,000 characters", ({ definition }) => definition.description.length > 1000],
  [
    "Markdown or HTML",
    ({ definition }) =>
      /\]\(|```|\*\*[A-Z]|<\/[a-z]+>|&(?:amp|lt|gt|nbsp|quot);/.test(definition.description),
  ],
  [
    "an HTTP request in its first sentence",
    ({ definition }) =>
      /\b(?:GET|POST|PUT|PATCH|DELETE) (?:\/|request)|[ "(]\/v\d+\//.test(
        splitSentence(definition.description)[0],
      ),
  ],
  [
    "a reference to a page",
    ({ definition }) =>
      /\bFor more information,? see [^.]{0,80}\.(?: |$)/.test(definition.description),
  ],
  [
    "a title that is not in sentence case",
    ({ definition }) =>
      definition.title === "" ||
      definition.title.length > 60 ||
      /^[a-z]|\.$/.test(definition.title),
  ],
  [
    "an input described by its name",
    ({ inputs }) =>
      inputs.some(
        ({ name, description }) => description !== "" && isUninformative(description, name),
      ),
  ],
];

/** Lists the faults of a tool's texts, which are short, plain, and without unusable parts. */
export function textFaults(tool: PlannedTool): string[] {
  const { name, description } = tool.definition;
  return faults.flatMap(([fault, isFaulty]) =>
    isFaulty(tool) ? [`${name} has ${fault}: ${description.slice(0, 160)}`] : [],
  );
}
