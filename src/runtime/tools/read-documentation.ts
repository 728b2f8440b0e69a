/** `read_documentation`: what the API's documentation says about the API as a whole. */
import type { ApiDefinition, DocumentationSection } from "../api-definition.js";
import { nearestNames } from "../data/values.js";
import type { ToolInput } from "../types.js";
import { type BuiltInTool, type CallOutcome, errorResult, type StoredTool } from "./definitions.js";
import { ownToolName } from "./own-tool-name.js";

/** Characters of the headings in the description of the tool. */
const MAX_HEADINGS = 400;

/**
 * The tool; none if the instructions have all that is documented.
 * @param tools those of the server, of which each may belong to one of several APIs
 * @param isTaken whether a tool of the API has this name
 */
export function createReadDocumentation(
  api: ApiDefinition,
  tools: readonly Pick<StoredTool, "api">[],
  isTaken: (name: string) => boolean,
  maxCharacters: number,
): readonly BuiltInTool[] {
  const sections = sectionsOf(api, tools);
  if (sections.length === 0) return [];
  const tool: BuiltInTool = {
    ...listingOf(ownToolName(api.namespace, isTaken, NAMES), sections),
    handle: (input) => readSections(sections, input, maxCharacters),
  };
  return [tool];
}

/** Sections of the API, or of those of several APIs that have tools. */
function sectionsOf(
  { documentation = [], apis = {} }: ApiDefinition,
  tools: readonly Pick<StoredTool, "api">[],
): readonly DocumentationSection[] {
  const served = new Set(tools.map(({ api }) => api));
  const ofMembers = Object.entries(apis)
    .filter(([name]) => served.has(name))
    .flatMap(([name, member]) =>
      (member.documentation ?? []).map((one) => ({ ...one, heading: `${name}: ${one.heading}` })),
    );
  return [...documentation, ...ofMembers];
}

const NAMES = [
  "read_documentation",
  "read_api_documentation",
  "read_documentation_of_api",
] as const;

function listingOf(name: string, sections: readonly DocumentationSection[]) {
  return {
    name,
    title: "Read the documentation",
    description:
      "Read what the documentation says about the API as a whole, where the texts of the tools leave " +
      `something open. Sections: ${headingsText(sections)}.`,
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: {
      type: "object",
      properties: {
        heading: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Heading of a section. Default: all sections, as far as they fit.",
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        sections: {
          type: "array",
          items: {
            type: "object",
            properties: { heading: { type: "string" }, text: { type: "string" } },
            required: ["heading", "text"],
          },
        },
        omitted: {
          type: "array",
          items: { type: "string" },
          description: "Headings of the sections that did not fit.",
        },
      },
      required: ["sections"],
    },
  } as const;
}

/** The first headings, and the number of the others. */
function headingsText(sections: readonly DocumentationSection[]): string {
  let length = 0;
  const headings = [...new Set(sections.map(({ heading }) => heading))];
  const end = headings.findIndex((heading) => (length += heading.length + 2) > MAX_HEADINGS);
  const shown = end < 0 ? headings : headings.slice(0, Math.max(end, 1));
  const more = headings.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function readSections(
  sections: readonly DocumentationSection[],
  { heading }: ToolInput,
  maxCharacters: number,
): CallOutcome {
  if (heading === undefined) return sectionsResult(sections, maxCharacters);
  const wanted = String(heading).toLowerCase();
  const named = sections.filter((one) => one.heading.toLowerCase() === wanted);
  const found =
    named.length > 0 ? named : sections.filter((one) => one.heading.toLowerCase().includes(wanted));
  return found.length > 0
    ? sectionsResult(found, maxCharacters)
    : errorResult("invalid", unknownHeading(String(heading), sections));
}

function unknownHeading(heading: string, sections: readonly DocumentationSection[]): string {
  const headings = sections.map((one) => one.heading);
  const nearest = nearestNames(heading, headings);
  const named = nearest.length > 0 ? nearest : headings;
  return `No section has the heading ${JSON.stringify(heading)}.\nNext: call again with one of ${named
    .map((one) => JSON.stringify(one))
    .join(", ")
    .slice(0, MAX_HEADINGS)}, or without heading.`;
}

/** The sections that fit, and the headings of the others. */
function sectionsResult(
  found: readonly DocumentationSection[],
  maxCharacters: number,
): CallOutcome {
  let length = 0;
  const isOver = ({ heading, text }: DocumentationSection): boolean =>
    (length += heading.length + text.length) > maxCharacters;
  const end = found.findIndex(isOver);
  const sections = end < 0 ? found : found.slice(0, Math.max(end, 1));
  const omitted = found.slice(sections.length).map(({ heading }) => heading);
  const structured = { sections, ...(omitted.length > 0 && { omitted }) };
  const text = [
    ...sections.map((one) => `# ${one.heading}\n\n${one.text}`),
    ...(omitted.length > 0 ? [`Omitted, to be read by heading: ${omitted.join(", ")}`] : []),
  ].join("\n\n");
  return {
    outcome: "ok",
    result: { content: [{ type: "text", text }], structuredContent: structured },
  };
}
