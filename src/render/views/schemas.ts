import type { NamedType, SharedSchema, ToolPlan } from "../../plan/types.js";
import {
  type Code,
  constantLiteral,
  docComment,
  fileName,
  type FilePath,
  flattenString,
  stringLiteral,
  uniqueIdentifier,
} from "../code/index.js";
import { circularAliases, typeDeclaration } from "../typescript/schema-type.js";
import { fileHeader, importedNames, type SchemaNames } from "./module.js";
import type { SchemasView } from "./views.js";

/** Name of the runtime's type of schemas, which no schema can have. */
const SCHEMA_TYPE = "JsonSchema";

/**
 * Names the types and schemas in `src/schemas.ts`: their own names, changed where TypeScript
 * reserves the word. A schema that was made from a type has the name of the type.
 */
export function schemaNames({ types, sharedSchemas }: ToolPlan): SchemaNames {
  const keys = new Set([...types, ...sharedSchemas].map(({ name }) => name));
  const names = new Map<string, Code>();
  const taken = new Set<string>([SCHEMA_TYPE]);
  for (const key of keys) {
    const free = uniqueIdentifier(key, {
      has: (name) => taken.has(name) || (name !== key && keys.has(name)),
    });
    taken.add(free);
    names.set(key, free);
  }
  return {
    types: new Map(types.map(({ name }) => [name, names.get(name)!])),
    constants: new Map(sharedSchemas.map(({ name, schema }) => [schema, names.get(name)!])),
  };
}

/** A type, a schema, or both under one name, as text. */
interface Entry {
  readonly identifier: Code;
  /** File that it belongs to in a large project. */
  readonly file: FilePath;
  readonly declaration: SchemasView["schemas"][number];
  /** Used names, and whether the schema or only the type is used. */
  readonly uses: ReadonlyMap<Code, { isValue: boolean }>;
}

/** A file with schemas. */
interface SchemaFile {
  /** Name without its folder and extension; undefined for `src/schemas.ts`. */
  readonly name: FilePath | undefined;
  readonly view: SchemasView;
}

/** Maximum lines of schemas in one file. */
const MAX_LINES = 1500;
/** File of the schemas that several toolsets use. */
const SHARED_FILE = fileName("shared");

/**
 * `src/schemas.ts`. A large one exports a file for each toolset, and one with the schemas that
 * several toolsets use. The files of toolsets import only from the latter.
 */
export function schemaFiles(plan: ToolPlan, names: SchemaNames): readonly SchemaFile[] {
  const entries = schemaEntries(plan, names);
  const lines = entries.reduce((sum, { declaration }) => sum + countLines(declaration), 0);
  const header = fileHeader(plan.source);
  if (lines <= MAX_LINES)
    return entries.length === 0
      ? []
      : [{ name: undefined, view: schemasView(header, "./runtime/index.js", entries) }];
  const groups = new Map<FilePath, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.file);
    if (group) group.push(entry);
    else groups.set(entry.file, [entry]);
  }
  const files = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const exported = files.map(([name]) => ({ module: stringLiteral(`./schemas/${name}.js`) }));
  return [
    { name: undefined, view: { ...schemasView(header, "", []), files: exported } },
    ...files.map(([name, group]) => ({
      name,
      view: schemasView(header, "../runtime/index.js", group),
    })),
  ];
}

function countLines({ doc, type, schema }: Entry["declaration"]): number {
  return [doc, type, schema].reduce((sum, text) => sum + (text?.split("\n").length ?? 0), 1);
}

function schemasView(header: Code, runtime: string, entries: readonly Entry[]): SchemasView {
  const own = new Set(entries.map(({ identifier }) => identifier));
  const imported = new Map<Code, boolean>();
  for (const { uses } of entries)
    for (const [name, { isValue }] of uses)
      if (!own.has(name)) imported.set(name, isValue || imported.get(name) === true);
  const hasSchemas = entries.some(({ declaration }) => declaration.schema !== undefined);
  return {
    header,
    files: [],
    runtime: hasSchemas ? stringLiteral(runtime) : undefined,
    imports: importedNames([...imported].map(([name, isValue]) => ({ name, isValue }))),
    schemas: entries.map(({ declaration }) => declaration),
  };
}

/** All entries: in name order, but each after the ones whose schemas it contains. */
function schemaEntries(plan: ToolPlan, names: SchemaNames): readonly Entry[] {
  const types = new Map(plan.types.map((type) => [type.name, type]));
  const shared = new Map(plan.sharedSchemas.map((schema) => [schema.name, schema]));
  const circular = circularAliases(plan.types);
  const ordered = new Map<string, Entry>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    shared.get(name)?.references.forEach(visit);
    ordered.set(
      name,
      schemaEntry(types.get(name), shared.get(name), names, circular.get(name) ?? noNames),
    );
  };
  [...new Set([...types.keys(), ...shared.keys()])].sort(compareCodeUnits).forEach(visit);
  return [...ordered.values()];
}

const noNames: ReadonlySet<string> = new Set();
const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function schemaEntry(
  type: NamedType | undefined,
  shared: SharedSchema | undefined,
  names: SchemaNames,
  circular: ReadonlySet<string>,
): Entry {
  const uses = new Map<Code, { isValue: boolean }>();
  const use = (name: Code | undefined, isValue: boolean): Code | undefined => {
    if (name !== undefined)
      uses.set(name, { isValue: isValue || uses.get(name)?.isValue === true });
    return name;
  };
  const nameOf = (ref: string): Code | undefined => use(names.types.get(ref), false);
  const constantOf = (schema: object): Code | undefined => use(names.constants.get(schema), true);
  const identifier = shared ? names.constants.get(shared.schema)! : names.types.get(type!.name)!;
  const { toolset } = type ?? shared!;
  return {
    identifier,
    file: toolset === undefined ? SHARED_FILE : fileName(toolset),
    declaration: {
      doc: type && schemaComment(type.schema),
      type: type && flattenString(typeDeclaration(identifier, type.schema, { nameOf, circular })),
      identifier: shared && identifier,
      schema: shared && flattenString(constantLiteral(shared.schema, constantOf)),
    },
    uses,
  };
}

function schemaComment({ description, title, deprecated }: NamedType["schema"]): Code | undefined {
  return docComment(description ?? title ?? "", 0, deprecated === true) || undefined;
}
