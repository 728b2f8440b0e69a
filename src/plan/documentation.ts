/** Texts of a document about the whole API, of which instructions and toolsets have the beginning. */
import { sanitizeText } from "../diagnostics/text.js";
import type { ApiModel } from "../model/types.js";
import type { DocumentationSection } from "../runtime/api-definition.js";
import { MAX_ABOUT } from "./instructions.js";
import { MAX_DESCRIPTION } from "./toolsets.js";
import { FENCED, removeComments } from "./text/markdown.js";

/** Maximum length of a section, so that some fit into one result. */
const MAX_SECTION = 4000;
const MAX_HEADING = 80;

/** The texts of a document about the whole API. */
export type Documented = Pick<ApiModel, "title" | "description" | "tags">;

/**
 * The description of the API by its headings, and those of tags, as the document has them. None if
 * instructions and toolsets show nearly all.
 */
export function apiDocumentation({
  title,
  description = "",
  tags,
}: Documented): readonly DocumentationSection[] | undefined {
  const long = tags.filter(({ description: text = "" }) => text.length > MAX_DESCRIPTION);
  const sections = [
    ...(description.length > MAX_ABOUT ? sectionsOf(title, description) : []),
    ...long.flatMap(({ name, description: text = "" }) => sectionsOf(name, text)),
  ];
  return sections.length === 0 ? undefined : sections;
}

/** Splits a text at its headings. */
function sectionsOf(title: string, markdown: string): readonly DocumentationSection[] {
  const text = sanitizeText(removeComments(markdown)).replaceAll(HTML_HEADING, "\n\n# $1\n");
  const [introduction = "", ...others] = outsideCode(text).split(HEADING);
  const sections = [{ heading: title, text: introduction }];
  for (let i = 0; i < others.length; i += 2)
    sections.push({ heading: others[i] ?? "", text: others[i + 1] ?? "" });
  return sections
    .map(({ heading, text: one }) => ({
      heading: inCode(heading).replace(MARKUP, "").trim().slice(0, MAX_HEADING),
      text: inCode(one).trim(),
    }))
    .filter((section) => section.text !== "")
    .flatMap(splitLong);
}

const HEADING = /(?:^|\n) {0,3}#{1,6}[ \t]+([^\n]+)/;
/** Emphasis and code in a heading, and the marks at its end. */
const MARKUP = /[*`]|[ \t]#+[ \t]*$/g;
const HTML_HEADING = /<h[1-6][^<>]*>([^<\n]{1,200})<\/h[1-6]>/gi;

/** Takes the place of a hash in code while headings are looked for. */
const HASH = "\u0001";
const outsideCode = (text: string): string =>
  text.replace(FENCED, (block) => block.replaceAll("#", HASH));
const inCode = (text: string): string => text.replaceAll(HASH, "#");

/** Parts of a section, each with whole paragraphs if they are short enough. */
function splitLong({ heading, text }: DocumentationSection): readonly DocumentationSection[] {
  const parts: string[] = [];
  for (let rest = text; rest !== "";) {
    const end = rest.length <= MAX_SECTION ? rest.length : endOfPart(rest);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return parts.map((part, i) => ({
    heading: i === 0 ? heading : `${heading} (${i + 1})`,
    text: part,
  }));
}

/** End of the last paragraph, line or word that fits. */
function endOfPart(text: string): number {
  const ends = ["\n\n", "\n", " "].map((end) => text.lastIndexOf(end, MAX_SECTION));
  return ends.find((end) => end > MAX_SECTION / 2) ?? MAX_SECTION;
}
