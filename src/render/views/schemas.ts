/** Views of the modules of schemas, and the imports of other modules from them. */
import { groupBy } from "../../groups.js";
import type { NamedType, SharedSchema, ToolPlan } from "../../plan/types.js";
import {
  type Code,
  constantLiteral,
  type ConstantLookup,
  docComment,
  fileName,
  type FilePath,
  flattenString,
  joinCode,
  lineComment,
  stringLiteral,
  ts,
  uniqueIdentifier,
} from "../code/index.js";
import { circularAliases, typeDeclaration, unlistedText } from "../typescript/schema-type.js";
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
  const files = [...groupBy(entries, ({ file }) => file)].sort(([a], [b]) => (a < b ? -1 : 1));
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
      doc: type && schemaComment(type.schema, shared?.schema),
      type:
        type &&
        flattenString(
          typeDeclaration(identifier, type.schema, { nameOf, circular }, shared?.schema),
        ),
      identifier: shared && identifier,
      schema: shared && flattenString(constantLiteral(shared.schema, constantOf)),
    },
    uses,
  };
}

function schemaComment(
  { description, title, deprecated }: NamedType["schema"],
  listed: SharedSchema["schema"] | undefined,
): Code | undefined {
  const text = unlistedText(description ?? title, listed);
  return docComment(text, 0, deprecated === true) || undefined;
}

/** First line of a generated TypeScript file. */
export function fileHeader(from: string): Code {
  return lineComment(`Generated by mcp-gen from ${from}. Do not edit; see src/custom.`);
}

/** Names of the types and schemas in `src/schemas.ts`. A type and its schema have the same name. */
export interface SchemaNames {
  /** By key of the type. */
  readonly types: ReadonlyMap<string, Code>;
  readonly constants: ReadonlyMap<object, Code>;
}

interface SchemaImport {
  readonly local: Code;
  isValue: boolean;
}

/** Imports of named types and schemas. Gives each a name that is unused in the module. */
export class SchemaImports {
  readonly #used = new Map<Code, SchemaImport>();

  /** @param taken names that the module declares */
  constructor(
    private readonly names: SchemaNames,
    private readonly taken: Set<string>,
  ) {}

  /** Returns the local name of a type and imports it; undefined when there is no such type. */
  nameOf(ref: string): Code | undefined {
    const type = this.names.types.get(ref);
    return type && this.#import(type).local;
  }

  /** Returns the local name of a shared schema and imports it; undefined for other schemas. */
  readonly constantOf: ConstantLookup = (schema) => {
    const name = this.names.constants.get(schema);
    if (name === undefined) return undefined;
    const entry = this.#import(name);
    entry.isValue = true;
    return entry.local;
  };

  #import(name: Code): SchemaImport {
    const known = this.#used.get(name);
    if (known) return known;
    const local = uniqueIdentifier(this.taken.has(name) ? `${name}Schema` : name, this.taken);
    this.taken.add(local);
    const entry = { local, isValue: false };
    this.#used.set(name, entry);
    return entry;
  }

  /** Returns the import clause; undefined without used names. */
  clause(): Code | undefined {
    return importedNames([...this.#used].map(([name, use]) => ({ name, ...use })));
  }
}

/**
 * The sorted import clause: `type { Owner }` for types only, or `{ Pet, type Owner }`; undefined
 * without names.
 */
function importedNames(
  names: readonly { readonly name: Code; readonly local?: Code; readonly isValue: boolean }[],
): Code | undefined {
  if (names.length === 0) return undefined;
  const isTypeOnly = names.every(({ isValue }) => !isValue);
  const sorted = [...names].sort((a, b) => (a.name < b.name ? -1 : 1));
  const clauses = sorted.map(({ name, local = name, isValue }) => {
    const clause = local === name ? name : ts`${name} as ${local}`;
    return isValue || isTypeOnly ? clause : ts`type ${clause}`;
  });
  return isTypeOnly ? ts`type ${importClause(clauses)}` : importClause(clauses);
}

/** Names of an import in braces: on one line when they are short, else one per line. */
export function importClause(names: readonly Code[]): Code {
  const line = joinCode(names, ts`, `);
  return line.length <= 55 ? ts`{ ${line} }` : ts`{\n  ${joinCode(names, ts`,\n  `)},\n}`;
}
