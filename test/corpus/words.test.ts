import { describe, expect, it } from "vitest";
import { generate, type PlannedTool } from "../../src/index.js";
import { isUninformative } from "../../src/plan/inputs/infer-description.js";
import { splitSentence } from "../../src/plan/text/sentences.js";
import { corpusDocuments } from "./documents.js";

/** Tool descriptions of published documents: short, plain, and without unusable text. */
const documents = corpusDocuments().filter(
  ({ name, operations = 0 }) => operations > 40 || name.endsWith("petstore.json"),
);

const FAULTS: readonly (readonly [string, (tool: PlannedTool) => boolean])[] = [
  [
    "a first sentence over 120 characters",
    ({ definition }) => splitSentence(definition.description)[0].length > 120,
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

describe.each(documents)("$name", ({ file, refRoot }) => {
  const tools = generate(file, undefined, { ...(refRoot !== undefined && { refRoot }) }).then(
    ({ plan }) => plan?.tools ?? [],
  );
  it.each(FAULTS)("no tool has %s", async (_, isFaulty) => {
    expect(
      (await tools)
        .filter(isFaulty)
        .map(({ definition }) => `${definition.name}: ${definition.description.slice(0, 160)}`),
    ).toEqual([]);
  });
});
