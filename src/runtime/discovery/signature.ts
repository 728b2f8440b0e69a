import { propertiesOf, targetOf } from "../schema/subschemas.js";
import type { AnyTool } from "../tools/definitions.js";
import type { JsonSchema } from "../types.js";
import { fullDescriptionOf, fullInputSchemaOf } from "../tools/full-description.js";

/** Characters of a signature, about 120 tokens. Required inputs are never left out. */
const maxSignature = 420;

/** Detail of types, the fullest first. The first whose required inputs fit is used. */
const typeDetails: readonly Omit<TypeTextOptions, "root">[] = [
  { depth: 3, maxValues: 12, maxMembers: 6 },
  { depth: 2, maxValues: 6, maxMembers: 3 },
  { depth: 1, maxValues: 4, maxMembers: 0 },
  { depth: 0, maxValues: 3, maxMembers: 0 },
];

/** Characters of the names of inputs that a signature leaves out. */
const maxOmittedNames = 400;

/**
 * Writes the call of a tool on one line:
 * `replace_status(userId: string, action: "activate" | "deactivate", reason?: string)`.
 * @param namesAll true to name the optional inputs that do not fit, at the end
 */
export function callSignature({ name, inputSchema: root }: AnyTool, namesAll = true): string {
  const members = membersOf(root);
  const required = members.filter(({ isRequired }) => isRequired);
  const optional = members.filter(({ isRequired }) => !isRequired);
  const text = (list: readonly Member[], detail: Omit<TypeTextOptions, "root">) =>
    list.map((member) => memberText(member, { root, ...detail }));
  const least = typeDetails.length - 1;
  const level = typeDetails.findIndex((detail) => lengthOf(text(required, detail)) <= maxSignature);
  const shown = [...text(required, typeDetails[level < 0 ? least : level]!)];
  const brief = typeDetails[Math.max(level < 0 ? least : level, 1)]!;
  const rest = text(optional, brief);
  while (rest.length > 0 && lengthOf([...shown, rest[0]!]) <= maxSignature)
    shown.push(rest.shift()!);
  if (rest.length > 0) shown.push(omittedInputs(optional.slice(-rest.length), namesAll));
  return `${name}(${shown.join(", ")})`;
}

/** `…3 more optional: color, size, weight` */
function omittedInputs(members: readonly Member[], namesAll: boolean): string {
  if (!namesAll) return `\u2026${members.length} more optional`;
  const names = members.map((member) => member.name);
  while (lengthOf(names) > maxOmittedNames) names.pop();
  const rest = names.length < members.length ? ", \u2026" : "";
  return `\u2026${members.length} more optional: ${names.join(", ")}${rest}`;
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length + 2, 0);

const fullDetail = { depth: 6, maxValues: 50, maxMembers: 100 } as const;

/** Characters of the comments of nested fields of a result, and of a concise declaration. */
const maxNestedComments = 4000;
/** Characters of the comment of one of these fields. */
const maxNestedComment = 160;
/** Characters of a comment that is written at every field which has it. */
const maxRepeatedComment = 60;

/**
 * Detail of a declaration. The whole one has every text as the document has it. The concise one has
 * the listed texts, and those of nested fields are shortened, and left out after
 * `maxNestedComments` characters. The brief one has only comments of inputs. The compact one has
 * their beginnings, and fewer nested fields.
 */
export type DeclarationForm = "whole" | "concise" | "brief" | "compact";

const compactDetail = { depth: 4, maxValues: 12, maxMembers: 6 } as const;

/** Characters of the comment of an input in the compact form. */
const maxCompactComment = 90;

/**
 * Writes a tool as a TypeScript function with comments: its description, each input and nested
 * field with its type, constraints and description, and the type of the result on request.
 */
export function toolDeclaration(
  tool: AnyTool,
  withResult: boolean,
  form: DeclarationForm = "whole",
): string {
  const { name, outputSchema } = tool;
  const isWhole = form === "whole";
  const description = isWhole ? fullDescriptionOf(tool) : tool.description;
  const inputSchema = isWhole ? fullInputSchemaOf(tool) : tool.inputSchema;
  const options: TypeTextOptions = {
    root: inputSchema,
    ...(form === "compact" ? compactDetail : fullDetail),
    ...(isWhole && { comments: { remaining: Infinity, longest: Infinity, written: new Set() } }),
    ...(form === "concise" && { comments: boundedComments() }),
  };
  const inputs = membersOf(inputSchema).flatMap((member) => {
    const text = commentOf(member.schema);
    const comment = form === "compact" ? shortened(text, maxCompactComment) : text;
    const lines = comment === "" ? [] : [`  /** ${comment} */`];
    return [...lines, `  ${memberText(member, options)};`];
  });
  if (inputSchema["additionalProperties"] === undefined) inputs.push("  [key: string]: unknown;");
  const result =
    withResult && outputSchema
      ? `: ${typeText(outputSchema, {
          root: outputSchema,
          ...fullDetail,
          comments: boundedComments(),
        })}`
      : "";
  const parameters = inputs.length > 0 ? `{\n${inputs.join("\n")}\n}` : "{}";
  return `/** ${inComment(description)} */\n${name}(${parameters})${result};`;
}

const boundedComments = () => ({
  remaining: maxNestedComments,
  longest: maxNestedComment,
  written: new Set<string>(),
});

/** Description and constraints of an input, on one line. */
function commentOf(schema: JsonSchema): string {
  const { description } = schema;
  const text = typeof description === "string" ? description.trim() : "";
  const added = constraintsOf(schema);
  const end = added.length > 0 && /[\p{L}\p{N})\]"'`]$/u.test(text) ? "." : "";
  return inComment([text + end, ...added].filter(Boolean).join(" "));
}

/** A text in a comment, on one line unless it has code blocks or tables. */
const inComment = (text: string): string =>
  (BLOCK_LINE.test(text) ? text : text.replace(/(?<!\s)\s*\n\s*/g, " ")).replaceAll("*/", "* /");

const BLOCK_LINE = /^[ \t]*(?:```|~~~|\||<(?:pre|table)\b)/m;

/** Constraints that the type does not show, unless the description has the number. */
function constraintsOf(schema: JsonSchema): readonly string[] {
  const text = typeof schema["description"] === "string" ? schema["description"] : "";
  return constraints.flatMap(([keyword, label]) => {
    const value = schema[keyword];
    const isStated = typeof value === "number" && hasNumber(text, value);
    if (value === undefined || typeof value === "object" || isStated) return [];
    return [`${label} ${String(value)}.`];
  });
}

const hasNumber = (text: string, value: number): boolean =>
  text.split(/[^\d.-]+/).some((word) => Number(word.replace(/\.$/, "")) === value && word !== "");

const constraints = [
  ["minimum", "At least"],
  ["exclusiveMinimum", "Above"],
  ["maximum", "At most"],
  ["exclusiveMaximum", "Below"],
  ["multipleOf", "A multiple of"],
  ["minItems", "Least number of items:"],
  ["maxItems", "Most items:"],
  ["maxLength", "Most characters:"],
  ["pattern", "Pattern:"],
] as const;

interface TypeTextOptions {
  /** Schema whose `$defs` are referred to. */
  readonly root: JsonSchema;
  /** Levels of objects that are written out. Deeper ones are `object`. */
  readonly depth: number;
  /** Values of an enum that are written out. */
  readonly maxValues: number;
  /** Members of an object that are written out; required ones always are. */
  readonly maxMembers: number;
  /**
   * Characters that the comments of fields may still take, and those of one of them. Absent for
   * types without comments.
   */
  readonly comments?: {
    remaining: number;
    readonly longest: number;
    /** Long comments that were written, with the names of their fields. */
    readonly written: Set<string>;
  };
}

/** A schema as a TypeScript type on one line: `"a" | "b"`, `{id: string, tags?: string[]}`. */
function typeText(schema: unknown, options: TypeTextOptions): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const { $ref, enum: values, const: value, anyOf, oneOf, allOf, type } = schema as JsonSchema;
  if (typeof $ref === "string") return typeText(targetOf($ref, options.root), deeper(options));
  if (Array.isArray(values)) return unionText(valueTexts(values, options.maxValues));
  if (value !== undefined) return JSON.stringify(value);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) {
    const forms = alternatives.map((one) => typeText(withType(one, type), options));
    return withOwnFields(schema as JsonSchema, forms, " | ", options);
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((one) => typeText(one, options));
    return withOwnFields(schema as JsonSchema, parts, " & ", options);
  }
  if (Array.isArray(type))
    return unionText(type.map((one) => typeText({ ...(schema as object), type: one }, options)));
  return plainText(schema as JsonSchema, options);
}

/** Alternatives or parts of an object, with the fields that the object itself has. */
function withOwnFields(
  schema: JsonSchema,
  forms: readonly string[],
  operator: " & " | " | ",
  options: TypeTextOptions,
): string {
  const text = operator === " | " ? unionText(forms) : forms.join(operator);
  if (membersOf(schema).length === 0) return text;
  // An alternative without fields of its own only says which of the others it needs.
  if (forms.every((one) => one === "object" || one === "unknown"))
    return objectText(schema, options);
  const group = operator === " | " && forms.length > 1 ? `(${text})` : text;
  return `${objectText(schema, options)} & ${group}`;
}

const deeper = (options: TypeTextOptions): TypeTextOptions => ({
  ...options,
  depth: options.depth - 1,
});

/** An alternative often has its type in the enclosing schema. */
function withType(alternative: unknown, type: unknown): unknown {
  if (type === undefined || typeof alternative !== "object" || alternative === null)
    return alternative;
  return Object.keys(alternative).some((key) => typeKeywords.has(key))
    ? alternative
    : { ...alternative, type };
}

const typeKeywords = new Set(["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"]);

function valueTexts(values: readonly unknown[], max: number): readonly string[] {
  const shown = values.slice(0, max).map((value) => JSON.stringify(value));
  return values.length > max ? [...shown, `\u2026${values.length - max} more`] : shown;
}

function unionText(types: readonly string[]): string {
  if (types.length === 0) return "unknown";
  // Several alternatives may be null.
  const others = types.map((one) => (one === "null" ? "" : one.replace(/ \| null$/, "")));
  const isNullable = others.some((one, i) => one !== types[i]);
  const unique = new Set(others.filter((one) => one !== ""));
  return [...unique, ...(isNullable ? ["null"] : [])].join(" | ");
}

function plainText(schema: JsonSchema, options: TypeTextOptions): string {
  const { type, items, format, maxLength } = schema;
  switch (type) {
    case "string":
      // A parameter without a value, such as `?effective`.
      if (maxLength === 0) return '""';
      return typeof format === "string" && statedFormats.has(format)
        ? `string<${format}>`
        : "string";
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "array":
      return items === undefined ? "unknown[]" : arrayText(typeText(items, options));
    default:
      return "properties" in schema || type === "object" ? objectText(schema, options) : "unknown";
  }
}

/** Formats that a value of a plain string would miss. */
const statedFormats = new Set(["date", "date-time", "time", "duration", "email", "uri", "uuid"]);

const arrayText = (item: string): string => (/[ |&]/.test(item) ? `(${item})[]` : `${item}[]`);

function objectText(schema: JsonSchema, options: TypeTextOptions): string {
  const { additionalProperties } = schema;
  const members = membersOf(schema);
  if (members.length === 0)
    return typeof additionalProperties === "object" && options.depth > 0
      ? `Record<string, ${typeText(additionalProperties, deeper(options))}>`
      : "object";
  if (options.depth <= 0) return "object";
  const shown = members.filter(({ isRequired }, i) => isRequired || i < options.maxMembers);
  const texts = shown.map(
    (member) => nestedComment(member, options) + memberText(member, deeper(options)),
  );
  const omitted = members.length - shown.length;
  return `{${[...texts, ...(omitted > 0 ? [`\u2026${omitted} more`] : [])].join(", ")}}`;
}

/**
 * Comment in front of a nested field; empty without a text, without room for it, and for a long one
 * that a field of the same name has had.
 */
function nestedComment({ name, schema }: Member, { comments, root }: TypeTextOptions): string {
  if (!comments) return "";
  const { $ref } = schema;
  const text = commentOf({ ...targetOf($ref, root), ...schema });
  const short = shortened(text, comments.longest);
  if (text === "" || short.length > comments.remaining) return "";
  const key = `${name} ${text}`;
  if (text.length > maxRepeatedComment && comments.written.has(key)) return "";
  comments.written.add(key);
  comments.remaining -= short.length;
  return `/** ${short} */ `;
}

/** A text or its beginning with a mark, without half of a surrogate pair. */
const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;

/** An input or a field of an object. */
interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Properties of a schema, required ones first. */
function membersOf(object: JsonSchema): readonly Member[] {
  const { required } = object;
  const names = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const members = Object.entries(propertiesOf(object)).map(([name, schema]): Member => ({
    name,
    schema,
    isRequired: names.includes(name),
  }));
  return [...members.filter((one) => one.isRequired), ...members.filter((one) => !one.isRequired)];
}

/** `limit?: integer = 20` */
function memberText({ name, schema, isRequired }: Member, options: TypeTextOptions): string {
  const key = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
  const initial = schema["default"];
  const isShort = initial !== undefined && JSON.stringify(initial).length <= 24;
  const preset = isShort ? ` = ${JSON.stringify(initial)}` : "";
  return `${key}${isRequired ? "" : "?"}: ${typeText(schema, options)}${preset}`;
}
