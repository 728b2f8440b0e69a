/**
 * Bounds of the texts that patterns of superlinear time are matched with. A pattern without a bound
 * is changed instead.
 */

/** Longest text for which the square of the length is fast. */
export const MAX_CHARACTERS = 40_000;

/** Files whose patterns are matched with short texts, or look ahead a short distance. */
interface Bound {
  readonly path: string;
  /** The only pattern that is meant; absent for all patterns of the files. */
  readonly source?: RegExp;
  /** Maximum number of characters of the text, or of the distance that each match looks ahead. */
  readonly max: number;
  /** The texts, and what bounds them. */
  readonly input: string;
}

const flattened = "plain text of at most MAX_SOURCE_LENGTH characters (flattenMarkdown)";
const ownFile = "a file of the user's own project, or its first lines";
const query = "a query, of which the search reads maxLength characters";

export const bounds: readonly Bound[] = [
  {
    path: "src/runtime/response/secret-forms.ts",
    source:
      /\\+(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^\w\s])|%u[0-9a-f]{4}|(?:%[0-9a-f]{2}){1,1000}(?:%[89ab][0-9a-f]){0,3}|&(?:#0{0,9}\d{1,7}|#x0{0,9}[0-9a-f]{1,6}|[a-z]{2,6});?/gi,
    max: 3_009,
    input: "a distance: a row of encoded bytes. All but the last of a row of backslashes match",
  },
  {
    path: "src/runtime/call/select-fields.ts",
    max: 1_000,
    input: "the name of a field, of at most MAX_NAME characters",
  },
  {
    path: "src/runtime/call/read-urls.ts",
    source: /^(https?:\/\/)([^/]*)(.*)$/i,
    max: 2_000,
    input: "a URL form of the user's mcp-gen.yaml",
  },
  {
    path: "src/runtime/discovery/search/rank-clause.ts",
    source: /[^_]*$/,
    max: 64,
    input: "the name of a tool",
  },
  { path: "src/cli/terminal.ts", max: 32_000, input: "an argument of a command line" },
  { path: "src/diagnostics/text.ts", max: 30, input: "the digits of a number" },
  { path: "src/render/views/apis.ts", max: 24, input: "the name of an API" },
  { path: "src/render/views/readme.ts", max: 30, input: "the digits of a number" },
  { path: "src/load/refs/hoist-components.ts", max: 4_096, input: "the name of a file" },
  { path: "src/mock/xml.ts", max: 40_000, input: "the XML that the project's own tests send" },
  { path: "src/model/suspicious-text.ts", max: 40, input: "a distance: words before “user”" },
  { path: "src/plan/bound-parameters.ts", max: 6_000, input: flattened },
  { path: "src/plan/configuration/input-changes.ts", max: 6_000, input: flattened },
  {
    path: "src/plan/cross-references/link.ts",
    max: 700,
    input: "a distance: the text, target and noun of a link",
  },
  { path: "src/language/preamble.ts", max: 6_000, input: flattened },
  { path: "src/plan/descriptions/", max: 6_000, input: flattened },
  {
    path: "src/plan/documented-errors.ts",
    max: 20_000,
    input: "a cell of a text of at most MAX_SOURCE_LENGTH characters",
  },
  { path: "src/plan/effects/", max: 6_000, input: flattened },
  {
    path: "src/plan/jobs/followed-things.ts",
    max: 500,
    input: "the text of a response, of which MAX_HEADER_TEXT characters are read",
  },
  {
    path: "src/plan/inputs/inferred-roles.ts",
    max: 300,
    input: "a distance: words before “stream”",
  },
  {
    path: "src/plan/names/tokenize-operation-id.ts",
    max: 1_000,
    input: "an operationId, of which MAX_ID_LENGTH characters are read",
  },
  {
    path: "src/language/words.ts",
    max: 64,
    input: "a distance: the capitals of an abbreviation",
  },
  {
    path: "src/plan/pagination/first-page.ts",
    max: 2_000,
    input: "a description, of which MAX_DESCRIPTION characters are read",
  },
  { path: "src/plan/outputs/outcome-field.ts", max: 6_000, input: flattened },
  {
    path: "src/plan/schemas/portable/patterns.ts",
    max: 500,
    input: "a token of MAX_PATTERN_LENGTH characters",
  },
  { path: "src/plan/text/markdown.ts", max: 6_000, input: flattened },
  {
    path: "src/language/patterns.ts",
    max: 6_000,
    input: "parts of patterns of the modules that compose them",
  },
  {
    path: "src/plan/requests/partial-update.ts",
    max: 60,
    input: "a distance: words between a condition and its effect",
  },
  {
    path: "src/render/configuration-proposal/workflows.ts",
    max: 6_000,
    input: "the description of an input, which has a limit",
  },
  { path: "src/render/import-list.ts", max: 40_000, input: "a file of src/runtime" },
  {
    path: "src/render/source-declarations.ts",
    max: 40_000,
    input: "a file of src/runtime or src/mock",
  },
  { path: "src/project-code/", max: 40_000, input: "a file of the user's src/custom" },
  {
    path: "src/runtime/data/values.ts",
    max: 1,
    input: "valid JSON, in which each quote ends a string; numbers are not rescanned",
  },
  {
    path: "src/runtime/discovery/search/tool-facts.ts",
    max: 6_000,
    input: "the description of an input, which has a limit",
  },
  { path: "src/runtime/discovery/search/phrases.ts", max: 6_000, input: query },
  { path: "src/runtime/discovery/frequent-reads.ts", max: 128, input: "the name of a tool" },
  { path: "src/runtime/discovery/search/producers.ts", max: 128, input: "the name of a tool" },
  {
    path: "src/runtime/errors/api-error/extract.ts",
    max: 32_768,
    input: "the first MAX_READ characters of a page",
  },
  {
    path: "src/runtime/errors/",
    max: 8_000,
    input: "a message and errors of fields, each of at most MAX_CHARACTERS characters (limitSize)",
  },
  { path: "src/source-parts.ts", max: 40_000, input: ownFile },
  { path: "src/write/", max: 40_000, input: ownFile },
];

/** The bound of a pattern in a file: that of the pattern, otherwise of the longest path. */
export function boundOf(source: string, file: string): Bound | undefined {
  const found = bounds.filter(
    (bound) => file.startsWith(bound.path) && (bound.source?.source ?? source) === source,
  );
  return found.toSorted((a, b) => weight(b) - weight(a))[0];
}

const weight = ({ path, source }: Bound): number => path.length + (source ? 1_000 : 0);

/** `RegExp` calls inside of functions, with the reason why their patterns are harmless. */
export const constructedAtRunTime: Readonly<Record<string, string>> = {
  'src/cli/init/hosts.ts: new RegExp(`^(?:# )?${name}=.*$`, "m")': "the name of a variable",
  "src/mock/contract.ts: new RegExp(`^(?:Not sent|${tool.name} (?:stopped at step|completed all steps))`)":
    "the name of a tool",
  'src/mock/media-types.ts: new RegExp(`;\\\\s*${name}=(?:"((?:[^"\\\\\\\\]|\\\\\\\\.)*)"|([^;\\\\s]*))`, "iu")':
    "a constant name; the header has at most 16 KB",
  'src/mock/path-matcher.ts: new RegExp(`^${parts.join("")}$`, "su")':
    "parts of which each matches in one way",
  'src/mock/sample-pattern.ts: new RegExp(pattern, "u")':
    "a pattern of the document, matched with samples",
  'src/mock/schema-set.ts: new RegExp(pattern, "u")': "only compiled",
  'src/plan/configuration/name-resolution.ts: new RegExp(pattern, "u")':
    "a pattern of the user's mcp-gen.yaml, matched with names",
  'src/runtime/call/read-urls.ts: new RegExp(`^${pattern(path, "([^/?#]+)")}${end}`)':
    "a URL form of the user's mcp-gen.yaml",
  'src/runtime/call/read-urls.ts: new RegExp(`^${scheme}${pattern(host, "([^./?#:@]+)")}$`, "i")':
    "a URL form of the user's mcp-gen.yaml",
  'src/runtime/tools/custom-content.ts: new RegExp(`^${pattern.join("")}$`, "u")':
    "a template of the project's own code, matched with a URI of at most MAX_URI characters",
  'src/eval/match-value.ts: new RegExp(`^${source}$`, "su")':
    "a glob of the user's eval.yaml, matched with names of tools",
  "src/eval/match-value.ts: new RegExp(source, `${flags}u`)": "a pattern of the user's eval.yaml",
  "src/plan/documented-statuses.ts: new RegExp(`^${status}\\\\s*[-–—:.]\\\\s*`)":
    "a status of three digits",
  "src/plan/lint/input-rules.ts: new RegExp(`(^|\\\\W)${String(value)}\\\\W`)": "a number",
  'src/plan/schemas/portable/patterns.ts: new RegExp(pattern, "u")': "only compiled",
  'src/render/index.ts: new RegExp(`^( {4}${JSON.stringify(name).replace(/[/.]/g, "\\\\$&")}: )"[^"]*"`, "gm")':
    "the name of a package, in lines of a generated package.json",
  'src/runtime/errors/api-error/extract.ts: new RegExp(`${tag}([^<]{1,2000})<`, "i")':
    "constant names; the text has at most 32 KB",
  'src/runtime/errors/api-error/extract.ts: new RegExp(`\\\\b${name}="([^"]*)"`, "i")':
    "constant names; the header is cut at 2,000 characters",
  "src/runtime/errors/api-error/remaining-values.ts: new RegExp(`^${status}\\\\b`)":
    "a status of three digits",
  'src/runtime/errors/status-names.ts: new RegExp(`^(?:(?:http|error) )*${status}\\\\b`, "i")':
    "a status of three digits",
  "src/runtime/schema/bounded-regexp.absent.ts: new RegExp(pattern, flags)":
    "a pattern of the project's own code",
  "src/runtime/schema/bounded-regexp.ts: new RegExp(pattern, flags)":
    "runs only on texts for which it is fast",
  'src/runtime/transport/http/http-settings.ts: new RegExp(`^(?:${patterns.join("|")})$`, "i")':
    "host names of the operator, matched with a header",
  "src/runtime/workflow/values.ts: new RegExp(pattern, flags)":
    "only compiled; bounded-regexp.ts matches",
  "src/workflow/read-values.ts: new RegExp(text, flags)": "only compiled",
  'src/write/package-json.ts: new RegExp(`.{${2 * HASH_DIGITS}}`, "g")': "a constant",
  "src/write/package-json.ts: new RegExp(field.source)": "a pattern that is also recorded",
};
