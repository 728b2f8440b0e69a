/** The rules of `mcp-gen.yaml` and of the document: for tools, and for the selection of operations. */
import type { Configuration, SelectionRule, ToolConfig } from "../../configuration/types.js";
import { type SourceLocation, suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { Operation } from "../../model/types.js";
import { operationKey } from "../operations/identity.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { ToolNames } from "../names/index.js";
import type { SelectionDecision } from "../select/index.js";
import { readPattern } from "../select/patterns.js";
import type { PlannedTool } from "../types.js";
import { type MergeMember, mergeMembers } from "./merge-members.js";

/** Rule about one tool. */
export interface Rule {
  /** Name of the tool, without the namespace. Absent for a rule that does not rename. */
  readonly name?: string;
  readonly config: ToolConfig;
  /** Reference to the tool. A rule by name applies to the tool that has the name anyway. */
  readonly selector: "operation" | "merge" | "workflow" | "name";
  /** Operations of `operation` or `merge`. */
  readonly operations: readonly Operation[];
  /** Entries of `merge` whose operations the document has, in the order of `operations`. */
  readonly members?: readonly MergeMember[];
  /** Location of a key. */
  readonly locationOf: (...path: readonly (string | number)[]) => SourceLocation;
  /** Origin of the rule, for reasons. */
  readonly source: "mcp-gen.yaml" | "x-mcp";
  /**
   * True when the rule concerns one operation of a merged tool, whose description contains its text
   * already.
   */
  readonly isPartial?: boolean;
}

/** Finds operations by operationId or `METHOD /path`. */
export class OperationIndex {
  private readonly byText = new Map<string, Operation>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations)
      this.byText.set(`${operation.method} ${operation.path}`, operation);
    for (const operation of operations)
      if (operation.operationId !== undefined) this.byText.set(operation.operationId, operation);
  }

  /**
   * @returns the operation; undefined, after an error with the nearest name, if the document has
   * none
   */
  find(
    text: string,
    location: SourceLocation,
    diagnostics: DiagnosticCollector,
  ): Operation | undefined {
    const found = this.byText.get(text.trim()) ?? this.byText.get(upperMethod(text));
    if (!found)
      diagnostics.add(
        "config-unknown-operation",
        `The document has no operation ${quoteText(text)}${suggestionFor(text, this.byText.keys()) || "."}`,
        location,
        "Name it by its operationId or as METHOD /path; remove the rule if the operation is gone.",
      );
    return found;
  }
}

const upperMethod = (text: string): string =>
  text.trim().replace(/^[a-z]+(?= )/, (method) => method.toUpperCase());

/** Reads the rules of `tools`. An operation that does not exist, or has two rules, is an error. */
export function readRules(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): readonly Rule[] {
  const ruleNames = new Map<Operation, string>();
  return Object.entries(content.tools ?? {}).map(([name, config]): Rule => {
    const ruleLocation: Rule["locationOf"] = (...path) => locationOf(["tools", name, ...path]);
    const members: MergeMember[] = [];
    const operations = operationReferences(config, ruleLocation).flatMap((reference) => {
      const { text, location, member } = reference;
      const operation = index.find(text, location, diagnostics);
      if (operation && member) members.push(member);
      const otherRule = operation && ruleNames.get(operation);
      if (otherRule !== undefined)
        diagnostics.add(
          "config-duplicate-rule",
          `${quoteText(text)} already has a rule: ${otherRule}.`,
          location,
          "Keep one of the two.",
        );
      if (operation) ruleNames.set(operation, name);
      return operation ?? [];
    });
    return {
      name,
      config,
      selector: selectorOf(config),
      operations,
      ...(members.length > 0 && { members }),
      locationOf: ruleLocation,
      source: "mcp-gen.yaml",
    };
  });
}

/** An operation that a rule names. */
interface OperationReference {
  readonly text: string;
  readonly location: SourceLocation;
  readonly member?: MergeMember;
}

/** Operations that a rule names, with their locations. */
function operationReferences(
  config: ToolConfig,
  locationOf: Rule["locationOf"],
): readonly OperationReference[] {
  const { merge, operation } = config;
  if (merge)
    return mergeMembers(config).map((member) => ({
      text: member.operation,
      location: locationOf(...member.path),
      member,
    }));
  return operation === undefined ? [] : [{ text: operation, location: locationOf("operation") }];
}

function selectorOf({ workflow, merge, operation }: ToolConfig): Rule["selector"] {
  if (workflow !== undefined) return "workflow";
  if (merge) return "merge";
  return operation === undefined ? "name" : "operation";
}

/** Replaces `{tool:name}` in configured texts by the final name of the tool. */
export class References {
  /**
   * @param names every name that the file may use for a tool, with the final name
   * @param others tools of other APIs, which texts may name
   */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly diagnostics: DiagnosticCollector,
    private readonly hidden: ReadonlySet<string> = new Set(),
    private readonly others: ReadonlySet<string> = new Set(),
  ) {}

  /** Final name of a tool. */
  find(name: string): string | undefined {
    return this.names.get(name);
  }

  get known(): Iterable<string> {
    return this.names.keys();
  }

  /** Replaces references in a text. A name without a tool is an error with the nearest name. */
  resolve(text: string, location: SourceLocation): string {
    return text.replace(/\{tool:([^{}]*)\}/g, (match, reference: string) => {
      const name = reference.trim();
      const found = this.names.get(name);
      if (found === undefined && !this.others.has(name))
        this.diagnostics.add(
          "config-unknown-tool-reference",
          `${match} is not the name of a tool${suggestionFor(name, [...this.names.keys(), ...this.others]) || "."}`,
          location,
          "Correct the name.",
        );
      if (found !== undefined && this.hidden.has(found))
        this.diagnostics.add(
          "config-unknown-tool-reference",
          `${match} is hidden, so no agent can call it.`,
          location,
          "Name another tool, or remove `hidden`.",
        );
      return found ?? name;
    });
  }
}

/**
 * Names that the file may use for a tool: the final name with and without the namespace, inferred
 * names, and the name of its rule. Final names beat inferred ones.
 */
export function toolAliases(
  tools: readonly PlannedTool[],
  rulesOf: ReadonlyMap<PlannedTool, readonly Rule[]>,
  names: ToolNames,
  prefix: string,
): ReadonlyMap<string, string> {
  const inferred = new Map(
    [...names].map(([{ operation }, { name }]) => [operationKey(operation), name]),
  );
  const aliases = new Map<string, string>();
  const add = (name: string | undefined, finalName: string): void =>
    void (name !== undefined && !aliases.has(name) && aliases.set(name, finalName));
  for (const {
    definition: { name },
  } of tools) {
    add(name.slice(prefix.length), name);
    add(name, name);
  }
  for (const tool of tools) {
    const { name } = tool.definition;
    for (const rule of rulesOf.get(tool) ?? []) add(rule.name, name);
    for (const operation of tool.workflow ? [] : tool.operations) {
      const inferredName = inferred.get(operationKey(operation));
      add(inferredName?.slice(prefix.length), name);
      add(inferredName, name);
    }
  }
  return aliases;
}

type SelectionRules = (operation: Operation) => SelectionDecision | undefined;

/**
 * Adds `include` of tool rules, which beat selection rules. A rule by name may concern a merged
 * tool, so its exclusion is applied to finished tools.
 */
export function withToolRules(rules: readonly Rule[], selection: SelectionRules): SelectionRules {
  const byTool = new Map(
    rules.flatMap(({ config, selector, operations }) =>
      selector === "name" && config.include === false
        ? []
        : operations.map((operation) => [operation, config.include ?? true] as const),
    ),
  );
  return (operation) => {
    const include = byTool.get(operation);
    return include === undefined ? selection(operation) : { include, isNamed: true };
  };
}

/**
 * Reads `select`. The last matching rule decides. `default: exclude` leaves out all other
 * operations.
 */
export function readSelection(
  { content, locationOf }: Pick<Configuration, "content" | "locationOf">,
  operations: readonly Operation[],
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): SelectionRules {
  const selectionRules = content.select?.rules ?? [];
  const tests = selectionRules.map((rule, i) => {
    const matches = operationMatcher(rule, ["select", "rules", i], locationOf, index, diagnostics);
    if (!operations.some(matches))
      reportUnmatchedRule(rule, locationOf(["select", "rules", i]), operations, diagnostics);
    return { include: rule.include, named: rule.match.operations !== undefined, matches };
  });
  const isExcludedByDefault = content.select?.default === "exclude";
  const decide = (operation: Operation, used: typeof tests): SelectionDecision | undefined => {
    const last = used.findLast(({ matches }) => matches(operation));
    if (last) return { include: last.include, isNamed: last.named };
    return isExcludedByDefault ? { include: false, isNamed: false, isDefault: true } : undefined;
  };
  for (const [i, test] of tests.entries()) {
    const others = tests.filter((one) => one !== test);
    const matched = operations.filter(test.matches);
    const isRedundant = matched.every(
      (operation) =>
        decide(operation, tests)?.include === (decide(operation, others)?.include ?? true) &&
        // A rule that selects overrides what the document says.
        !(test.include && isSpecial(operation)),
    );
    if (matched.length > 0 && isRedundant && !(test.include && test.named))
      reportRedundantRule(
        test.include,
        isExcludedByDefault,
        locationOf(["select", "rules", i]),
        diagnostics,
      );
  }
  return (operation) => decide(operation, tests);
}

/** Operations that are selected only if a rule says so. */
const isSpecial = ({ deprecated, hiddenBy, xMcp, method }: Operation): boolean =>
  deprecated || hiddenBy !== undefined || xMcp !== undefined || method === "OPTIONS";

/**
 * Reports a rule that changes no operation. One that selects is an error: its owner may expect only
 * these operations. One that excludes may be meant for later versions of the document.
 */
function reportRedundantRule(
  include: boolean,
  isExcludedByDefault: boolean,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): void {
  if (!include)
    diagnostics.add(
      "config-ineffective",
      "This rule changes nothing. The operations that it matches are left out anyway.",
      location,
      "Remove it, unless it is meant for later versions of the document.",
    );
  else
    diagnostics.add(
      "config-no-effect",
      "This rule changes nothing. The operations that it matches are selected anyway.",
      location,
      isExcludedByDefault
        ? "Remove it."
        : "To select only these, add default: exclude to select. Otherwise remove the rule.",
    );
}

/** All parts of a match must apply; of a list, any entry. */
function operationMatcher(
  { match }: SelectionRule,
  path: readonly (string | number)[],
  locationOf: Configuration["locationOf"],
  index: OperationIndex,
  diagnostics: DiagnosticCollector,
): (operation: Operation) => boolean {
  const tags = match.tags && new Set(match.tags.map((tag) => tag.toLowerCase()));
  const glob =
    match.path === undefined
      ? undefined
      : readPattern(match.path.startsWith("/") ? match.path : `/${match.path}`);
  const method = match.method?.toUpperCase();
  const namedOperations =
    match.operations &&
    new Set(
      match.operations.map((text, i) =>
        index.find(text, locationOf([...path, "match", "operations", i]), diagnostics),
      ),
    );
  return (operation) =>
    (!tags || operation.tags.some((tag) => tags.has(tag.toLowerCase()))) &&
    (!glob || glob.matches(operation)) &&
    (method === undefined || operation.method.toUpperCase() === method) &&
    (!namedOperations || namedOperations.has(operation));
}

function reportUnmatchedRule(
  { match }: SelectionRule,
  location: ReturnType<Configuration["locationOf"]>,
  operations: readonly Operation[],
  diagnostics: DiagnosticCollector,
): void {
  if (match.operations) return; // said of each operation already
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  const [unknown] = (match.tags ?? []).filter((tag) => !tags.has(tag));
  const reason =
    unknown === undefined
      ? "."
      : `: there is no tag ${quoteText(unknown)}${suggestionFor(unknown, tags) || "."}`;
  diagnostics.add(
    "config-no-match",
    `This rule matches no operation${reason}`,
    location,
    "Correct it, or remove it.",
  );
}
