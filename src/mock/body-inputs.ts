import { toList } from "./inspect-schema.js";
import { contentFor, mediaTypeOf } from "./media-types.js";
import {
  type Fill,
  inputName,
  ownValue,
  type SampledValue,
  sampleValue,
} from "./sampled-values.js";
import type { SchemaSet } from "./schema-set.js";
import type { ContractTool, MockBody, MockContent, MockOperation } from "./types.js";

/** An input without the fields that the server sets inside it. */
export function withoutInnerFields(
  input: Record<string, unknown>,
  { from, fields = {}, innerFields = [] }: MockBody = { contentType: "" },
): Record<string, unknown> {
  return innerFields.reduce((current, { path }) => {
    const [name = "", ...rest] = path;
    const source = from ?? inputName(fields[name]);
    const inner = from === undefined ? rest : path;
    return source === undefined || !Object.hasOwn(current, source)
      ? current
      : { ...current, [source]: withoutPath(current[source], inner) };
  }, input);
}

/** A value without the field at a path. A list on the way stands for each of its items. */
function withoutPath(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, path));
  if (typeof value !== "object" || value === null || name === undefined) return value;
  const entries = Object.entries(value).flatMap(([key, member]) =>
    key !== name ? [[key, member]] : rest.length === 0 ? [] : [[key, withoutPath(member, rest)]],
  );
  return Object.fromEntries(entries) as unknown;
}

/** Tests whether the tool requires a field of an optional body. */
export function needsBody(tool: ContractTool, body: MockBody | undefined): boolean {
  const required = new Set(toList(tool.inputSchema["required"]));
  return [body?.from, ...Object.values(body?.fields ?? {}).map(inputName)].some(
    (name) => name !== undefined && required.has(name),
  );
}

/** A sample of the body of an operation that inputs give. */
export function bodyValues(
  operation: MockOperation,
  body: MockBody | undefined,
  schemas: SchemaSet,
  fill: Fill,
): readonly SampledValue[] {
  if (!body || !operation.body) return [];
  const content = contentFor(operation.body.contents, mediaTypeOf(body.contentType));
  if (!content) return [];
  const value = sampleValue(content.schema, schemas, fill, "body");
  return [
    {
      at: "body",
      value,
      schema: content.schema,
      inputs:
        body.from === undefined
          ? fieldInputs(valueInside(value, body), body)
          : [[body.from, wholeInput(value, content)]],
    },
  ];
}

/** The fields of a body, without the objects around them. */
const valueInside = (value: unknown, { envelope = [] }: MockBody): unknown =>
  envelope.reduce(
    (current, name) => ownValue(Object(current) as Readonly<Record<string, unknown>>, name),
    value,
  );

function fieldInputs(value: unknown, body: MockBody): readonly (readonly [string, unknown])[] {
  const fields = new Map(Object.entries(body.fields ?? {}));
  return Object.entries(Object(value) as Record<string, unknown>).flatMap(([field, item]) => {
    const from = inputName(fields.get(field));
    const isFile =
      ownValue(body.encoding, field) !== undefined &&
      (ownValue(body.encoding, field) as { readonly file?: boolean }).file === true;
    return from === undefined ? [] : [[from, isFile ? toBase64(item) : item] as const];
  });
}

/** Files are base64 inputs, alone or in arrays. */
function toBase64(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toBase64) : Buffer.from(String(value)).toString("base64");
}

function wholeInput(value: unknown, content: MockContent): unknown {
  const isText =
    /[/+](json|xml)$|^text\/|x-www-form-urlencoded|^multipart\/|ndjson|jsonl|json-seq/u.test(
      mediaTypeOf(content.mediaType),
    );
  return isText ? value : toBase64(typeof value === "string" ? value : JSON.stringify(value));
}
