/**
 * Inputs of kept tools, adapted to the API: what the regenerated type of the input has gained or
 * lost is added to the kept definition, or removed from it.
 */
import { ts } from "ts-morph";
import type { TextEdit } from "./imports.js";
import { readSource, type SourceText, type Statement } from "./statements.js";
import { interfaceMembers, nameOf, readToolStatement } from "./tool-statement.js";

/** Inputs of a kept tool that a run adds or removes. */
export interface AdaptedTool {
  readonly statement: Statement;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

interface AdaptedSource {
  readonly source: SourceText;
  readonly kept: readonly Statement[];
  readonly tools: readonly AdaptedTool[];
}

/**
 * Adapts kept tools of a file. A tool stays as it is if its type is kept, too, or if its code does
 * not have the form of a generated definition. The compiler reports it then.
 * @param edited file with the kept statements
 * @param generated file that receives them
 */
export function adaptInputs(
  edited: SourceText,
  kept: readonly Statement[],
  generated: SourceText,
): AdaptedSource {
  const adapted = kept.flatMap((statement) => {
    const changes = changedInputs(statement, { edited, kept, generated });
    const edits = changes && inputEdits(changes);
    return changes && edits ? [{ ...changes, edits }] : [];
  });
  if (adapted.length === 0) return { source: edited, kept, tools: [] };
  const text = applyEdits(
    edited.text,
    adapted.flatMap(({ edits }) => edits),
  );
  const source = readSource(edited.path, text);
  const position = (one: Statement): Statement =>
    source.statements[edited.statements.indexOf(one)] ?? one;
  return {
    source,
    kept: kept.map(position),
    tools: adapted.map((tool) => ({ ...tool, statement: position(tool.statement) })),
  };
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: by }) => result.slice(0, start) + by + result.slice(end),
      text,
    );
}

interface InputChanges extends AdaptedTool {
  readonly edited: ts.ObjectLiteralExpression;
  readonly generated: ts.ObjectLiteralExpression;
}

/** Changes of the inputs of a tool; undefined for other statements and without any. */
function changedInputs(
  statement: Statement,
  {
    edited,
    kept,
    generated,
  }: Record<"edited" | "generated", SourceText> & {
    readonly kept: readonly Statement[];
  },
): InputChanges | undefined {
  const tool = readToolStatement(statement.nodes[0]);
  const next = generated.statements.find(({ names }) => names[0] === statement.names[0]);
  const planned = readToolStatement(next?.nodes[0]);
  if (!tool || !planned || kept.some(({ names }) => names.includes(tool.inputType)))
    return undefined;
  const before = interfaceMembers(edited.file, tool.inputType);
  const after = interfaceMembers(generated.file, planned.inputType);
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return added.length + removed.length === 0
    ? undefined
    : { statement, added, removed, edited: tool.definition, generated: planned.definition };
}

function valueAt(node: ts.Expression | undefined, ...path: readonly string[]) {
  return path.reduce<ts.Expression | undefined>((object, name) => {
    const member = object && ts.isObjectLiteralExpression(object) ? memberOf(object, name) : object;
    return member && ts.isPropertyAssignment(member) ? member.initializer : undefined;
  }, node);
}

const memberOf = ({ properties }: ts.ObjectLiteralExpression, name: string) =>
  properties.find((property) => nameOf(property.name) === name);

interface ListChange {
  readonly node: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression;
  readonly isRemoved: (item: ts.Node) => boolean;
  /** Texts of further items. */
  readonly added: readonly string[];
}

/** Edits of a kept definition; undefined if it does not have the form of a generated one. */
function inputEdits(changes: InputChanges): readonly TextEdit[] | undefined {
  const schema = schemaChanges(changes);
  const mappings = mappingChanges(changes);
  const lists = schema && mappings && [...schema, ...mappings, ...adviceChanges(changes)];
  return lists?.flatMap((change) => listEdit(change) ?? []);
}

const PROPERTIES = ["inputSchema", "properties"];
const REQUIRED = ["inputSchema", "required"];

function schemaChanges({
  edited,
  generated,
  added,
  removed,
}: InputChanges): readonly ListChange[] | undefined {
  const properties = valueAt(edited, ...PROPERTIES);
  const required = valueAt(edited, ...REQUIRED);
  const planned = valueAt(generated, ...PROPERTIES);
  const plannedRequired = valueAt(generated, ...REQUIRED);
  if (!isLiteral(properties) || !isLiteral(planned)) return undefined;
  const nowRequired = added.filter(
    (name) =>
      plannedRequired &&
      ts.isArrayLiteralExpression(plannedRequired) &&
      plannedRequired.elements.some((item) => ts.isStringLiteral(item) && item.text === name),
  );
  const missing = added.filter((name) => !memberOf(properties, name));
  const texts = missing.flatMap((name) => memberOf(planned, name)?.getText() ?? []);
  const list = { node: properties, isRemoved: isNamed(removed), added: texts };
  if (!required || !ts.isArrayLiteralExpression(required))
    return nowRequired.length > 0 ? undefined : [list];
  return [
    list,
    {
      node: required,
      isRemoved: (item) => ts.isStringLiteral(item) && removed.includes(item.text),
      added: nowRequired.map((name) => JSON.stringify(name)),
    },
  ];
}

const isLiteral = (node: ts.Expression | undefined): node is ts.ObjectLiteralExpression =>
  node !== undefined && ts.isObjectLiteralExpression(node);

const isNamed =
  (names: readonly string[]) =>
  (item: ts.Node): boolean =>
    ts.isPropertyAssignment(item) && names.includes(nameOf(item.name) ?? "");

/** Places of a request that inputs are sent in. */
const MAPPINGS = [
  ["request", "pathParams"],
  ["request", "query"],
  ["request", "headers"],
  ["request", "cookies"],
  ["request", "body", "fields"],
];

/** Changes of the parts of requests; undefined if an added input has no place in one of them. */
function mappingChanges({
  edited,
  generated,
  added,
  removed,
}: InputChanges): readonly ListChange[] | undefined {
  const operations = operationsIn(edited);
  const additions = operationsIn(generated).flatMap((planned) => {
    const same = operations.find((one) => operationKey(one) === operationKey(planned));
    return MAPPINGS.flatMap((path) =>
      sourcesIn(planned, path, added).map((source) => ({
        ...source,
        node: valueAt(same, ...path),
      })),
    );
  });
  const isSent = (name: string): boolean => additions.some(({ input }) => input === name);
  if (!added.every(isSent) || !additions.every(({ node }) => isLiteral(node))) return undefined;
  const parts = operations.flatMap((one) => MAPPINGS.map((path) => valueAt(one, ...path)));
  return parts.filter(isLiteral).map((node) => ({
    node,
    isRemoved: (item) => removed.includes(inputOf(item) ?? ""),
    added: additions
      .filter((one) => one.node === node && !memberOf(node, one.name))
      .map(({ text }) => text),
  }));
}

function operationsIn(definition: ts.ObjectLiteralExpression): readonly ts.Expression[] {
  const operations = valueAt(definition, "operations");
  return operations && ts.isArrayLiteralExpression(operations) ? operations.elements : [];
}

/** Method and path of an operation. */
const operationKey = (operation: ts.Expression): string =>
  ["method", "path"].map((name) => valueAt(operation, "request", name)?.getText()).join(" ");

/** An entry of a part of a request that sends an input. */
interface SourceEntry {
  readonly name: string;
  readonly input: string;
  readonly text: string;
}

/** Entries of a part of a request that send one of some inputs. */
function sourcesIn(
  operation: ts.Expression,
  path: readonly string[],
  inputs: readonly string[],
): readonly SourceEntry[] {
  const node = valueAt(operation, ...path);
  if (!isLiteral(node)) return [];
  return node.properties.flatMap((item) => {
    const input = inputOf(item) ?? "";
    const entry = { name: nameOf(item.name) ?? "", input, text: item.getText() };
    return inputs.includes(input) ? [entry] : [];
  });
}

/** The input that a part of a request sends: `limit: "limit"` or `limit: { from: "limit", … }`. */
function inputOf(item: ts.Node): string | undefined {
  if (!ts.isPropertyAssignment(item)) return undefined;
  const source = isLiteral(item.initializer) ? valueAt(item.initializer, "from") : item.initializer;
  return source && ts.isStringLiteral(source) ? source.text : undefined;
}

/** Removes what a definition says of removed inputs outside of schema and requests. */
function adviceChanges({ edited, removed }: InputChanges): readonly ListChange[] {
  const lookUps = operationsIn(edited).map((operation) => valueAt(operation, "lookUps"));
  return [valueAt(edited, "producers"), ...lookUps]
    .filter(isLiteral)
    .map((node) => ({ node, isRemoved: isNamed(removed), added: [] }));
}

/** The edit of the items between the brackets; undefined without a change. */
function listEdit({ node, isRemoved, added }: ListChange): TextEdit | undefined {
  const items = ts.isArrayLiteralExpression(node) ? node.elements : node.properties;
  const rest = [...items].filter((item) => !isRemoved(item));
  if (rest.length === items.length && added.length === 0) return undefined;
  const { text } = node.getSourceFile();
  const space = /^\s*/.exec(items.at(-1)?.getFullText() ?? "")?.[0] || " ";
  const parts = [
    ...rest.map((item) => text.slice(item.pos, item.end)),
    ...added.map((item) => space + item),
  ];
  if (parts.length === 0) return { start: items.pos, end: node.end - 1, text: "" };
  const end = items.hasTrailingComma ? "," : items.length === 0 ? " " : "";
  return { start: items.pos, end: items.end, text: parts.join(",") + end };
}
