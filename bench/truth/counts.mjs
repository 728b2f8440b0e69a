// Counts over all tools of a document, which need no labels.
import { nameWords, singular } from "./words.mjs";

/** Findings in the tools of a document: `{tool, text}` by kind. */
export function countFindings({ tools, diagnostics }) {
  return {
    "descriptions that repeat the name": tools.filter(repeatsName).map((tool) => finding(tool)),
    "unreachable $defs": tools.flatMap((tool) =>
      unreachableDefs(tool.definition).map((name) => finding(tool, name)),
    ),
    "emptied inputs without a diagnostic": tools.flatMap((tool) =>
      emptiedInputs(tool, diagnostics).map((name) => finding(tool, name)),
    ),
  };
}

function finding({ definition: { name, description } }, text = description) {
  return { tool: name, text };
}

const fillers = new Set("a an the of for to in by with and or given this that its all".split(" "));

/** True if nothing but the words of the name stands before the sentence about the result. */
function repeatsName({ definition: { name, description } }) {
  const own = description.slice(0, lastResultSentence(description));
  const known = new Set([...nameWords(name), ...fillers]);
  const words = (own.toLowerCase().match(/\p{L}+/gu) ?? []).map(singular);
  return words.length > 0 && words.every((word) => known.has(word));
}

function lastResultSentence(description) {
  const start = description.lastIndexOf("Returns ");
  return start < 0 ? description.length : start;
}

/** Names of definitions in the schemas of a tool that no `$ref` leads to from the root. */
function unreachableDefs({ inputSchema, outputSchema }) {
  return [inputSchema, outputSchema].flatMap((schema) => {
    const { $defs = {}, ...root } = schema ?? {};
    const reached = new Set();
    const visit = (value) => {
      if (typeof value !== "object" || value === null) return;
      const name = typeof value.$ref === "string" ? refName(value.$ref) : undefined;
      if (name !== undefined && !reached.has(name)) {
        reached.add(name);
        visit($defs[name]);
      }
      Object.values(value).forEach(visit);
    };
    visit(root);
    return Object.keys($defs).filter((name) => !reached.has(name));
  });
}

function refName(ref) {
  const [, name] = /^#\/\$defs\/([^/]+)/.exec(ref) ?? [];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Keywords that only describe. A schema of nothing else accepts every value. */
const annotations = new Set(
  "title description default examples deprecated readOnly writeOnly".split(" "),
);

const spelling = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");

/**
 * Inputs that accept every value, without a diagnostic about them. A diagnostic is about an input
 * if it is located in its operation and names the input in its pointer or message, as the document
 * spells it: `missing type` for `missing_type`.
 */
function emptiedInputs({ definition, operations }, diagnostics) {
  const pointers = operations.map(({ location }) => location.pointer);
  const isReported = (input) =>
    diagnostics.some(
      ({ location, message }) =>
        pointers.some((pointer) => location?.pointer.startsWith(pointer)) &&
        [message, location.pointer].some((text) => spelling(text).includes(spelling(input))),
    );
  return Object.entries(definition.inputSchema.properties ?? {})
    .filter(([, schema]) => Object.keys(schema).every((keyword) => annotations.has(keyword)))
    .map(([name]) => name)
    .filter((name) => !isReported(name));
}
