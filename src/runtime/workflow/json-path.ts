import {
  type FilterFunction,
  JSONPathEnvironment,
  type JSONPathNodeList,
  type JSONValue,
} from "json-p3";
import { isWithinBudget } from "../schema/bounded-regexp.js";

/** Whether a JSONPath query selects anything. A query that is none selects nothing. RFC 9535. */
export function selectsAny(root: unknown, query: string): boolean {
  return selectAll(root, query).length > 0;
}

/** The values that a query selects. */
export function selectAll(root: unknown, query: string): readonly unknown[] {
  if (root === undefined || root === null) return [];
  try {
    return evaluate(query, root).values();
  } catch {
    return [];
  }
}

/** The one value that a query selects. */
export function selectOne<Value = unknown>(root: unknown, query: string): Value | undefined {
  return selectAll(root, query)[0] as Value | undefined;
}

/**
 * JSON pointers to what a query selects, with the same value for each, as `replaced` takes them.
 */
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
 * What a JSONPath query is evaluated in: as RFC 9535 says, but that patterns are not tried on texts
 * for which they could take too long; such a text does not match. What they may take is for all
 * texts of the query, so that each has an environment of its own.
 */
export function createJsonPathEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment();
  const spent = { patternSteps: 0 };
  const bounded = (name: string, priced: (pattern: string) => string): void => {
    const own = environment.functionRegister.get(name) as FilterFunction;
    const call = (text: unknown, pattern: unknown): unknown =>
      typeof text === "string" &&
      typeof pattern === "string" &&
      isWithinBudget(priced(pattern), text.length, spent) &&
      own.call(text, pattern);
    environment.functionRegister.set(name, {
      argTypes: own.argTypes,
      returnType: own.returnType,
      call,
    });
  };
  bounded("match", (pattern) => `^(?:${pattern})$`);
  bounded("search", (pattern) => pattern);
  return environment;
}
