// Writes docs/configuration-reference.md from mcp-gen.schema.json, and docs/diagnostics.md from the
// codes in src/diagnostics. `npm run reference`; a test compares the files.
import { readFileSync, writeFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** Rows of a table for the keys of an object schema, with nested keys as paths. */
function keyRows(schema, path, definitions) {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    rowsOf([...path, key], resolveRef(value, definitions), definitions),
  );
}

function rowsOf(path, schema, definitions) {
  const row = `| \`${path.join(".")}\` | ${typeOf(schema)} | ${escapeCell(schema.description ?? "")} |`;
  const items = schema.items && resolveRef(schema.items, definitions);
  const values = isObject(schema.additionalProperties)
    ? resolveRef(schema.additionalProperties, definitions)
    : undefined;
  return [
    row,
    ...keyRows(schema, path, definitions),
    ...(schema.oneOf ?? schema.anyOf ?? []).flatMap((form) => keyRows(form, path, definitions)),
    ...(items?.properties ? keyRows(items, [`${path.join(".")}[]`], definitions) : []),
    ...(values?.properties ? keyRows(values, [...path, "*"], definitions) : []),
  ];
}

const isObject = (value) => typeof value === "object" && value !== null;

function resolveRef(schema, definitions) {
  // A key of one API of several: its table is that of the top level.
  const [, key] = /^#\/properties\/(\w+)$/.exec(schema.$ref ?? "") ?? [];
  if (key) return { like: key, description: `\`${key}\` of this API.` };
  return schema.$ref ? definitions[schema.$ref.replace("#/$defs/", "")] : schema;
}

function typeOf({ type, enum: values, const: constant, oneOf, anyOf, items, ...others }) {
  if (others.like) return `as \`${others.like}\``;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (oneOf ?? anyOf) return (oneOf ?? anyOf).map(typeOf).join(" or ");
  if (type === "array") return items?.type ? `list of ${typeOf(items)}s` : "list";
  const names = {
    string: "string",
    integer: "integer",
    object: "object",
    boolean: "boolean",
  };
  return names[type] ?? (others.properties ? "object" : "any value");
}

const escapeCell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

export function configurationReference() {
  const schema = JSON.parse(read("mcp-gen.schema.json"));
  return [
    "# Reference: mcp-gen.yaml",
    "",
    "Generated from `mcp-gen.schema.json` by `npm run reference`. `*` is a name that you choose, `[]` an item of a list. [configuration.md](configuration.md) explains the keys.",
    "",
    "| key | value | meaning |",
    "|---|---|---|",
    ...keyRows(schema, [], schema.$defs ?? {}),
    "",
  ].join("\n");
}

/** Codes with severity and meaning, by the group that declares them. */
function diagnosticGroups(source) {
  return [
    ...source.matchAll(
      /\/\*\* Codes reported by ([^*]*?)\. ?\*?[^]*?export const \w+ = \{\n([^]*?)\n\} as const;/g,
    ),
  ].map(([, reporter, body]) => ({
    reporter: reporter.replace(/\s+/g, " "),
    rows: [...body.matchAll(/(?:\/\*\*([^*]*(?:\*(?!\/)[^*]*)*)\*\/\s*)?"([\w-]+)": "(\w+)"/g)].map(
      ([, comment = "", code, severity]) => ({
        code,
        severity,
        meaning: comment.replace(/\s*\n\s*\* ?/g, " ").trim(),
      }),
    ),
  }));
}

export function diagnosticsReference() {
  const sources = ["codes", "document-codes"].map((name) => read(`src/diagnostics/${name}.ts`));
  const groups = sources.flatMap(diagnosticGroups);
  return [
    "# Troubleshooting by diagnostic code",
    "",
    "Generated from `src/diagnostics` by `npm run reference`. Each message ends with its code. A warning means that a part of the document was left out or weakened; `--strict` makes warnings errors. Findings about operations that are not selected are notes. `--verbose` prints every diagnostic with its location and a suggested fix.",
    "",
    ...groups.flatMap(({ reporter, rows }) => [
      `## ${reporter.replaceAll("`", "")}`,
      "",
      "| code | severity | meaning |",
      "|---|---|---|",
      ...rows.map(
        ({ code, severity, meaning }) => `| \`${code}\` | ${severity} | ${escapeCell(meaning)} |`,
      ),
      "",
    ]),
  ].join("\n");
}

if (process.argv[1]?.endsWith("reference.mjs")) {
  const target = (name) => new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(target("configuration-reference.md"), configurationReference());
  writeFileSync(target("diagnostics.md"), diagnosticsReference());
}
