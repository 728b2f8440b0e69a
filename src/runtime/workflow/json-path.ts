import {
  type FilterFunction,
  JSONPathEnvironment,
  type JSONPathNodeList,
  type JSONValue,
} from "json-p3";
import { isWithinBudget } from "../schema/bounded-regexp.js";

/** True if a JSONPath query selects anything. An invalid query selects nothing. RFC 9535. */
export function selectsAny(root: unknown, query: string): boolean {
  return selectAll(root, query).length > 0;
}

/** All values that a query selects. */
export function selectAll(root: unknown, query: string): readonly unknown[] {
  if (root === undefined || root === null) return [];
  try {
    return evaluate(query, root).values();
  } catch {
    return [];
  }
}

/** The first value that a query selects. */
export function selectOne<Value = unknown>(root: unknown, query: string): Value | undefined {
  return selectAll(root, query)[0] as Value | undefined;
}

/** Replacements for `applyReplacements`: the same value at every place that a query selects. */
export function replacementsAt(
  root: unknown,
  query: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  try {
    const nodes = evaluate(query, root).nodes;
    return Object.fromEntries(nodes.map((node) => [node.toPointer().toString(), value]));
  } catch {
    return {};
  }
}

function evaluate(query: string, root: unknown): JSONPathNodeList {
  return createJsonPathEnvironment().query(query, root as JSONValue);
}

/**
 * An environment for one JSONPath query (RFC 9535). The functions `match` and `search` have a budget
 * for all texts of the query together. A text on which a pattern could exceed it does not match.
 */
export function createJsonPathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment();
  const cost = { patternSteps: 0 };
  const limit = (name: string, toRegExp: (pattern: string) => string): void => {
    const original = environment.functionRegister.get(name) as FilterFunction;
    const { argTypes, returnType } = original;
    const call = (text: unknown, pattern: unknown): unknown =>
      typeof text === "string" &&
      typeof pattern === "string" &&
      isWithinBudget(toRegExp(pattern), text.length, cost) &&
      original.call(text, pattern);
    environment.functionRegister.set(name, { argTypes, returnType, call });
  };
  limit("match", (pattern) => `^(?:${pattern})$`);
  limit("search", (pattern) => pattern);
  return environment;
}
