/** The schema of `mcp-gen.yaml` with the names of one document, which editors complete. */
import { isObject } from "../json.js";
import { allTools } from "../plan/hidden-tools.js";
import type { OperationRef } from "../plan/operations/types.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";

type Node = Readonly<Record<string, unknown>>;

/** Beginning of the title, by which the next run recognizes its file. */
export const SCHEMA_TITLE = "mcp-gen.yaml of ";

/** The plans of one document. */
export interface DocumentPlans {
  /** The configured tools; those of the document if the configuration has errors. */
  readonly plan: ToolPlan;
  /** The tools without rules, which have the inputs and fields that rules take away. */
  readonly inferred: ToolPlan;
}

/**
 * Adds names of tools, operations, inputs and fields to the schema of the configuration. Other
 * names stay valid, because rules may name what the document gets later, and mcp-gen checks names
 * itself.
 * @param base mcp-gen.schema.json
 */
export function documentSchema(base: Node, plans: DocumentPlans, parametersOf: ParametersOf): Node {
  const { plan } = plans;
  const added = plan.apis
    ? serverNodes(plans, plan.apis, parametersOf)
    : documentNodes(plans, parametersOf);
  const { $id: _, ...schema } = combine(base, added);
  return { ...schema, title: `${SCHEMA_TITLE}${plan.api.title}` };
}

/** Names of the parameters and body fields in requests of an API. */
type ParametersOf = (plan: ToolPlan) => readonly string[];

function documentNodes(plans: DocumentPlans, parametersOf: ParametersOf): Node {
  const operation = oneOf(operationNames(plans));
  const { tools, ...others } = apiNodes(plans, parametersOf);
  const listed = { items: oneOf(ruleNames(plans.plan)) };
  return {
    properties: { tools, ...others, budget: { properties: { listed } } },
    $defs: {
      tool: { properties: { operation, ...toolReferences(plans) } },
      mergeEntry: operation,
      input: { properties: { resolve: resolveNode(plans) } },
    },
  };
}

/** Keys of a rule that name other tools. */
function toolReferences({ plan }: DocumentPlans): Node {
  const tool = oneOf(ruleNames(plan));
  return {
    includeLists: { additionalProperties: tool },
    job: { properties: { follow: tool } },
  };
}

/** The tools that look names up, and the fields of the items of each. */
function resolveNode({ plan }: DocumentPlans): Node {
  const lists = allTools(plan).flatMap((tool) => {
    const { annotations, operations } = tool.definition;
    const isList = operations.some(
      ({ response }) => (response.items ?? response.wrap) !== undefined,
    );
    const fields = annotations.readOnlyHint && isList ? itemFields(tool) : [];
    return fields.length > 0 ? [{ via: ruleName(tool, plan.api.namespace), fields }] : [];
  });
  return {
    properties: { via: oneOf(lists.map(({ via }) => via)) },
    allOf: lists.map(({ via, fields }) => ({
      if: { properties: { via: { const: via } }, required: ["via"] },
      then: {
        properties: {
          match: { ...oneOf(fields), items: oneOf(fields) },
          id: oneOf(fields.filter((field) => !field.includes("."))),
        },
      },
    })),
  };
}

/** Names below each of several APIs, and those of all tools in keys of the server. */
function serverNodes(
  { plan, inferred }: DocumentPlans,
  apis: NonNullable<ToolPlan["apis"]>,
  parametersOf: ParametersOf,
): Node {
  const nodes = apis.map(({ name, plan: member }) => {
    const original = inferred.apis?.find((api) => api.name === name)?.plan;
    const plans = { plan: member, inferred: original ?? member };
    const properties = apiNodes(plans, parametersOf, operationRule(plans));
    return [name, { allOf: [{ $ref: "#/$defs/api" }], properties }];
  });
  const tools = plan.tools.map(({ definition }) => definition.name);
  const inputs = plan.tools.flatMap((tool) =>
    tool.inputs.map(({ name }) => `${tool.definition.name}.${name}`),
  );
  const link = { properties: { input: oneOf(inputs), from: oneOf(tools) } };
  return {
    properties: {
      apis: { properties: Object.fromEntries(nodes) },
      budget: { properties: { listed: { items: oneOf(tools) } } },
      links: { items: link },
    },
  };
}

/** Nodes of the keys that have names of one API. @param rule what every rule of a tool has */
function apiNodes(plans: DocumentPlans, parametersOf: ParametersOf, rule: Node = {}): Node {
  const operations = { items: oneOf(operationNames(plans)) };
  const match = { properties: { operations } };
  const parameters = [...parametersOf(plans.plan), ...parametersOf(plans.inferred)];
  return {
    tools: { properties: ruleNodes(plans, rule) },
    parameters: { properties: keys(parameters) },
    select: { properties: { rules: { items: { properties: { match } } } } },
  };
}

/** Rules of the tools, and of those that the configuration does not select. */
function ruleNodes({ plan, inferred }: DocumentPlans, rule: Node): Node {
  const originals = allTools(inferred);
  const configured = allTools(plan);
  const others = originals.filter((one) => !configured.some((tool) => sharesOperation(one, tool)));
  const nodes = [...others, ...configured].map((tool) => [
    ruleName(tool, plan.api.namespace),
    combine(toolNode(tool, originals), rule),
  ]);
  return Object.fromEntries(nodes);
}

const sharesOperation = (one: PlannedTool, other: PlannedTool): boolean =>
  one.operations.some((a) =>
    other.operations.some((b) => a.method === b.method && a.path === b.path),
  );

/** The operations of a rule: those of its API. */
function operationRule(plans: DocumentPlans): Node {
  const operation = oneOf(operationNames(plans));
  return {
    properties: { operation, merge: { items: operation, additionalProperties: operation } },
  };
}

const ruleNames = (plan: ToolPlan): readonly string[] =>
  allTools(plan).map((tool) => ruleName(tool, plan.api.namespace));

const operationNames = ({ plan, inferred }: DocumentPlans): readonly string[] =>
  [plan, inferred]
    .flatMap((one) => [...allTools(one).flatMap((tool) => tool.operations), ...one.omitted])
    .flatMap(namesOf);

/** Rules name tools without the namespace. */
function ruleName({ definition: { name } }: PlannedTool, namespace: string | undefined): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function namesOf({ operationId, method, path }: OperationRef): readonly string[] {
  return [...(operationId === undefined ? [] : [operationId]), `${method} ${path}`];
}

/**
 * A rule of one tool: its inputs and fields in addition to what every rule has.
 * @param originals tools without rules, which have those that the rule takes away
 */
function toolNode(tool: PlannedTool, originals: readonly PlannedTool[]): Node {
  const all = [tool, ...originals.filter((one) => sharesOperation(one, tool))];
  const names = [...new Set(all.flatMap(({ inputs }) => inputs.map(({ name }) => name)))];
  const ownNames = tool.inputs.map(({ name }) => name);
  const isList = resultOf(tool.definition.outputSchema).lists[0]?.[0] === "items";
  const fieldList = [...new Set(all.flatMap(isList ? itemFields : resultFields))];
  const fields = oneOf(fieldList);
  return {
    description: tool.definition.description,
    allOf: [{ $ref: "#/$defs/tool" }],
    properties: {
      inputs: { properties: { ...keys(names), only: { items: oneOf(names) } } },
      examples: { items: { properties: { call: { properties: keys(ownNames) } } } },
      output: {
        properties: {
          pick: { items: fields },
          drop: { items: fields },
          fields: { items: fields },
          rename: { properties: keys(fieldList) },
        },
      },
    },
  };
}

/** Fields of the result, and of the items of its only list. */
function resultFields(tool: PlannedTool): readonly string[] {
  const { root } = resultOf(tool.definition.outputSchema);
  return [...fieldsAt(root, root), ...itemFields(tool)];
}

/** Fields of the items of the only list of a result. */
function itemFields({ definition: { outputSchema } }: PlannedTool): readonly string[] {
  const { root, lists } = resultOf(outputSchema);
  return lists.length === 1 ? fieldsAt(lists[0]?.[1], root) : [];
}

/** The fields of a result, and those that are lists of objects. */
function resultOf(outputSchema: unknown) {
  const root = isObject(outputSchema) ? outputSchema : {};
  const own = propertiesOf(root, root);
  const lists = Object.entries(own).filter(
    ([, field]) => hasItems(field, root) && Object.keys(propertiesOf(field, root)).length > 0,
  );
  return { root, own, lists };
}

/** Fields of an object, or of the items of a list, and those one level inside. */
const fieldsAt = (schema: unknown, root: Node): readonly string[] =>
  Object.entries(propertiesOf(schema, root)).flatMap(([name, field]) => [
    name,
    ...Object.keys(propertiesOf(field, root)).map((inner) => `${name}.${inner}`),
  ]);

/** Properties of a schema, of its alternatives, or of the items of a list. */
function propertiesOf(schema: unknown, root: Node, depth = 0): Node {
  if (depth > MAX_DEPTH) return {};
  const { properties, items, anyOf, oneOf: choice, allOf } = resolve(schema, root);
  const parts = [anyOf, choice, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return Object.assign(
    items === undefined ? {} : { ...propertiesOf(items, root, depth + 1) },
    ...parts.map((part) => propertiesOf(part, root, depth + 1)),
    isObject(properties) ? properties : {},
  ) as Node;
}

/** Maximum number of references and alternatives inside each other that are followed. */
const MAX_DEPTH = 6;

const hasItems = (schema: unknown, root: Node): boolean =>
  resolve(schema, root).items !== undefined;

/** The schema that a reference to `$defs` names, or the schema itself. */
function resolve(schema: unknown, root: Node): Node {
  if (!isObject(schema)) return {};
  const [, name] = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref ?? "")) ?? [];
  const found = name !== undefined && isObject(root.$defs) ? root.$defs[name] : undefined;
  return isObject(found) ? found : schema;
}

/** One of some texts, which editors complete, or any other. */
const oneOf = (texts: readonly string[]): Node =>
  texts.length === 0 ? {} : { anyOf: [{ enum: [...new Set(texts)] }, {}] };

const keys = (names: readonly string[]): Node =>
  Object.fromEntries(names.map((name) => [name, {}]));

/** Merges objects deeply. */
function combine(base: Node, added: Node): Node {
  const entries = Object.entries(added).map(([key, value]) => {
    const before = base[key];
    return [key, isObject(before) && isObject(value) ? combine(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
