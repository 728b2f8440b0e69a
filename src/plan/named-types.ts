import type { JsonSchema } from "../json.js";
import type { ApiModel, Operation, Parameter } from "../model/types.js";
import { isCredential } from "./inputs/roles.js";
import { changesOnlySentFields, withoutRequired } from "./requests/partial-update.js";
import { flattenObject } from "./schemas/flat-object.js";
import { issuesToken, withAnonymous } from "./security/token-operation.js";
import {
  namedSchema,
  referencedNames,
  resolveSchema,
  type SchemaGraph,
  type Schemas,
} from "./schemas/refs.js";
import { shareSchemas } from "./shared-schemas/index.js";
import type { FinalState } from "./state.js";
import type { PlannedTool, PlannedWorkflow, ToolPlan } from "./types.js";

/** Toolset of the types that only workflows use. */
const WORKFLOWS = "workflows";

/**
 * Named types that inputs and results of the tools use, transitively, and the schemas that the
 * definitions share, each with its toolset.
 */
export function collectSchemas(
  { model, tools, schemaGraph: graph, schemaOrigins }: FinalState,
  workflows: readonly PlannedWorkflow[] = [],
): Pick<ToolPlan, "types" | "sharedSchemas"> {
  const users = new SchemaUsers(graph);
  for (const tool of tools) users.addTypes(typesOfTool(tool), tool.toolset);
  for (const workflow of workflows) users.addTypes(typesOfWorkflow(workflow), WORKFLOWS);
  const types = [...graph.closure(users.names)].sort(compareCodeUnits);
  const shared = shareSchemas(tools, schemaOrigins, new Set(types));
  for (const { name, references } of shared) users.addReferences(name, references);
  for (const { name, toolsets } of shared) for (const toolset of toolsets) users.add(name, toolset);
  return {
    types: types.map((name) => ({
      name,
      schema: namedSchema(model.schemas, name) as JsonSchema,
      ...users.toolsetOf(name),
    })),
    sharedSchemas: shared.map(({ toolsets: _, ...schema }) => ({
      ...schema,
      ...users.toolsetOf(schema.name),
    })),
  };
}

const typesOfTool = ({ inputs, output }: PlannedTool): readonly (JsonSchema | undefined)[] => [
  ...inputs.map(({ type }) => type),
  output,
];

const typesOfWorkflow = ({ inputs, outputs, steps }: PlannedWorkflow): readonly JsonSchema[] =>
  [...inputs, ...outputs, ...steps.flatMap((step) => step.outputs)].map(({ type }) => type);

/** The toolsets that use each named type and the shared schema of its name. */
class SchemaUsers {
  readonly #toolsets = new Map<string, Set<string>>();
  readonly #references = new Map<string, readonly string[]>();
  readonly #seen = new Map<string, Set<JsonSchema>>();

  constructor(private readonly graph: SchemaGraph) {}

  get names(): Iterable<string> {
    return this.#toolsets.keys();
  }

  /** Adds the types that schemas refer to. A schema that many tools share is read once. */
  addTypes(schemas: readonly (JsonSchema | undefined)[], toolset: string): void {
    const seen = this.#seen.get(toolset) ?? new Set();
    this.#seen.set(toolset, seen);
    for (const schema of schemas) {
      if (schema === undefined || seen.has(schema)) continue;
      seen.add(schema);
      for (const name of referencedNames(schema)) this.add(name, toolset);
    }
  }

  /** Adds the references of a shared schema. Their users are also those of its type. */
  addReferences(name: string, references: readonly string[]): void {
    this.#references.set(name, references);
    for (const toolset of this.#toolsets.get(name) ?? [])
      for (const reference of references) this.add(reference, toolset);
  }

  /** Adds a user of a name and of all that it refers to. Chains of references can be long. */
  add(name: string, toolset: string): void {
    const pending = [name];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const toolsets = this.#toolsets.get(next) ?? new Set();
      if (toolsets.has(toolset)) continue;
      this.#toolsets.set(next, toolsets.add(toolset));
      pending.push(...this.graph.refs(next), ...(this.#references.get(next) ?? []));
    }
  }

  toolsetOf(name: string): { readonly toolset?: string } {
    const [toolset, ...others] = this.#toolsets.get(name) ?? [];
    return toolset === undefined || others.length > 0 ? {} : { toolset };
  }
}

/** Model of the mock: the operations and every schema they refer to. */
export function mockModel(
  model: ApiModel,
  operations: readonly Operation[],
  graph: SchemaGraph,
): ToolPlan["mock"] {
  const { names, add } = refCollector();
  const served = operations.map((operation) =>
    relaxUpdate(withoutToken(withoutCredentials(operation, model), model), model.schemas),
  );
  for (const operation of served) {
    for (const parameter of operation.parameters) add(parameter.schema);
    for (const content of operation.body?.contents ?? []) add(content.schema);
    for (const response of operation.responses) {
      for (const content of response.contents) add(content.schema);
      for (const header of response.headers) add(header.schema);
    }
  }
  const schemas = Object.fromEntries(
    [...graph.closure(names)]
      .sort(compareCodeUnits)
      .map((name) => [name, namedSchema(model.schemas, name) as JsonSchema]),
  );
  return { operations: served, schemas, securitySchemes: model.securitySchemes };
}

const requiresFields = (schema: JsonSchema, schemas: Schemas): boolean =>
  resolveSchema(schemas, schema).required !== undefined ||
  (flattenObject(schemas, schema)?.required.size ?? 0) > 0;

/** An operation that issues a token is called without it. */
function withoutToken(operation: Operation, model: ApiModel): Operation {
  const { security } = operation;
  if (!security || !issuesToken(operation, model.schemas)) return operation;
  return { ...operation, security: withAnonymous(security, model) };
}

/** The body of an update requires none of its fields, as in the tool. */
function relaxUpdate(operation: Operation, schemas: ApiModel["schemas"]): Operation {
  const { body } = operation;
  if (!body || !changesOnlySentFields(operation)) return operation;
  const contents = body.contents.map((content) =>
    content.schema && requiresFields(content.schema, schemas)
      ? { ...content, schema: withoutRequired(content.schema, schemas) }
      : content,
  );
  return { ...operation, body: { ...body, contents } };
}

/** Removes examples of credentials, because they may be real ones. */
function withoutCredentials(operation: Operation, model: ApiModel): Operation {
  const schemes = Object.values(model.securitySchemes);
  const isSecret = ({ in: location, name }: Parameter): boolean =>
    schemes.some((scheme) => isCredential(scheme, location, name));
  if (!operation.parameters.some(isSecret)) return operation;
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) =>
      isSecret(parameter) ? { ...parameter, schema: { type: "string" } } : parameter,
    ),
  };
}

const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Collects the names in schemas. A schema that many operations share is read once. */
function refCollector(): {
  readonly names: Set<string>;
  readonly add: (schema: JsonSchema | undefined) => void;
} {
  const names = new Set<string>();
  const seen = new Set<JsonSchema>();
  const add = (schema: JsonSchema | undefined): void => {
    if (schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    for (const name of referencedNames(schema)) names.add(name);
  };
  return { names, add };
}
