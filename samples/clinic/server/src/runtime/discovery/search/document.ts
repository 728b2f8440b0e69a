import type { AnyTool } from "../../hooks.js";
import type { JsonSchema } from "../../types.js";

/** What a tool is searched by. */
export const fields = [
  "name",
  "title",
  "summary",
  "description",
  "inputs",
  "outputs",
  "resource",
  "producers",
] as const;

export type ToolDocument = Readonly<Record<(typeof fields)[number], string>> & {
  readonly id: number;
};

/**
 * How much a word counts, by where it stands: measured with `npm run bench:retrieval`, and on tasks
 * of another API.
 */
export const weights: Readonly<Record<(typeof fields)[number], number>> = {
  name: 2,
  title: 3,
  summary: 2,
  description: 1.5,
  inputs: 0.3,
  outputs: 1,
  resource: 1.5,
  producers: 0.3,
};

const deepest = 4;
const mostNames = 200;

/** The texts of a tool, by field. */
export function documentOf(tool: AnyTool): Omit<ToolDocument, "id"> {
  const {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    toolset = "",
    producers = {},
  } = tool;
  const sentence = /^.*?[.!?\u3002](?=\s|$)/s.exec(description.slice(0, 500))?.[0] ?? description;
  const inputs = Object.keys(
    (inputSchema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const paths =
    "requests" in tool
      ? tool.requests.map(({ send }) => send.path.replace(/\{[^{}]*\}/g, " "))
      : [];
  return {
    name,
    title,
    summary: sentence,
    description: description.slice(sentence.length),
    inputs: inputs.join(" "),
    outputs: [...namesIn(outputSchema)].join(" "),
    resource: [toolset, ...new Set(paths)].join(" "),
    producers: [...new Set(Object.values(producers).flat())].join(" "),
  };
}

/** The names of a result's fields, and of the fields of these. */
function namesIn(
  schema: unknown,
  depth = 0,
  names = new Set<string>(),
  root = schema,
): Set<string> {
  if (typeof schema !== "object" || schema === null || depth > deepest || names.size >= mostNames)
    return names;
  const {
    properties = {},
    items,
    anyOf,
    oneOf,
    allOf,
    $ref,
  } = schema as Readonly<Record<string, unknown>>;
  for (const [name, property] of Object.entries(properties as object)) {
    names.add(name);
    namesIn(property, depth + 1, names, root);
  }
  for (const part of [
    items,
    ...[anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])),
  ])
    namesIn(part, depth + 1, names, root);
  if (typeof $ref === "string") namesIn(definitionOf(root, $ref), depth + 1, names, root);
  return names;
}

function definitionOf(root: unknown, ref: string): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root as Readonly<Record<string, Readonly<Record<string, unknown>>>>)["$defs"] ?? {};
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}
