import { Ajv2020 } from "ajv/dist/2020.js";
import type { Diagnostic, DiagnosticCode } from "../../src/diagnostics/index.js";
import type { JsonObject, JsonSchema } from "../../src/json.js";
import type { ApiDocument, SpecVersion } from "../../src/load/types.js";
import { buildModel, type ApiModel, type Operation } from "../../src/model/index.js";

export interface ReadResult {
  readonly model: ApiModel;
  readonly diagnostics: readonly Diagnostic[];
}

/** A document as `load` returns it. */
export function documentOf(root: object, version?: SpecVersion, url?: string): ApiDocument {
  const raw = root as JsonObject;
  const written = JSON.stringify(raw.swagger ?? raw.openapi ?? "3.1.0").replaceAll('"', "");
  const found = version ?? (written.startsWith("2") ? "2.0" : (written.slice(0, 3) as SpecVersion));
  return {
    source: "api.yaml",
    name: "api.yaml",
    version: found,
    root: raw,
    ...(url !== undefined && { url }),
  };
}

/** Builds the model of a usable document. */
export function read(root: object, version?: SpecVersion, url?: string): ReadResult {
  const { model, diagnostics } = buildModel(
    documentOf({ info: { title: "T", version: "1" }, ...root }, version, url),
  );
  if (!model)
    throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return { model, diagnostics };
}

/** The error of an unusable document. */
export function errorsOf(root: object, version?: SpecVersion): readonly Diagnostic[] {
  const { model, diagnostics } = buildModel(
    documentOf({ info: { title: "T", version: "1" }, ...root }, version),
  );
  if (model) throw new Error("a model in spite of errors");
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** `code pointer` of each diagnostic, which most tests compare. */
export function diagnosticsOf({
  diagnostics,
}: {
  readonly diagnostics: readonly Diagnostic[];
}): readonly string[] {
  return diagnostics.map(({ code, location }) => `${code} ${location?.pointer}`);
}

export function codesOf({
  diagnostics,
}: {
  readonly diagnostics: readonly Diagnostic[];
}): readonly DiagnosticCode[] {
  return diagnostics.map(({ code }) => code);
}

/** A document with named schemas and one POST, whose JSON body has the given schema. */
export function withSchema(schema: unknown, version: SpecVersion, named: object = {}): object {
  if (version === "2.0") {
    return {
      paths: { "/x": { post: { parameters: [{ in: "body", name: "b", schema }], responses: {} } } },
      definitions: named,
    };
  }
  return {
    paths: {
      "/x": {
        post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
      },
    },
    components: { schemas: named },
  };
}

export interface ReadSchema extends ReadResult {
  readonly schema: JsonSchema;
}

/** Converts one schema to model form and compiles it as JSON Schema 2020-12. */
export function readSchema(
  schema: unknown,
  version: SpecVersion = "3.1",
  named: object = {},
): ReadSchema {
  const result = read(withSchema(schema, version, named), version);
  const content = result.model.operations[0]?.body?.contents[0];
  if (!content?.schema) throw new Error("no schema");
  assertCompiles(content.schema, result.model.schemas);
  return { ...result, schema: toPlainJson(content.schema) as JsonSchema };
}

/** Reads the only operation of a document with one path. */
export function readOperation(
  operation: object,
  version: SpecVersion = "3.1",
  path = "/x",
  method = "get",
  rest: object = {},
): ReadResult & { readonly operation: Operation } {
  const result = read(
    { ...rest, paths: { [path]: { [method]: { responses: {}, ...operation } } } },
    version,
  );
  const [first] = result.model.operations;
  if (!first) throw new Error("no operation");
  return { ...result, operation: first };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Throws unless a schema, with the named ones as `$defs`, is valid JSON Schema 2020-12. */
export function assertCompiles(schema: JsonSchema, schemas: ApiModel["schemas"]): void {
  ajv.compile({ ...schema, $defs: schemas });
}

/** Validates a value against a schema of a model. */
export function accepts(schema: JsonSchema, schemas: ApiModel["schemas"], value: unknown): boolean {
  return ajv.compile({ ...schema, $defs: schemas })(value);
}

/** Removes prototypes and undefined members for comparison. */
export function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
