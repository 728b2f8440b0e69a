/** Rules of an existing `mcp-gen.yaml`, carried over to a proposal as YAML. */
import type { ConfigurationFile } from "../../configuration/types.js";
import { scalar } from "./suggestions.js";

/** Rules that a proposal carries over. */
export type CarriedRules = Pick<
  ConfigurationFile,
  | "hosts"
  | "server"
  | "security"
  | "budget"
  | "select"
  | "parameters"
  | "errors"
  | "approve"
  | "links"
  | "tools"
>;

/** Keys of the head that options of the command line do not state. */
const HEAD_KEYS = [
  "hosts",
  "server",
  "security",
  "approve",
  "budget",
  "select",
  "parameters",
  "errors",
  "links",
] as const satisfies readonly (keyof CarriedRules)[];

/** Maximum columns of a line in flow style. */
const WIDTH = 100;

/** The keys of the head, as lines. */
export function carriedHead(rules: CarriedRules): readonly string[] {
  return HEAD_KEYS.flatMap((key) => memberLines(key, rules[key], 0));
}

/** The rule of a tool, as lines below `tools`. */
export function carriedTool(name: string, rule: object): readonly string[] {
  return [
    `  ${scalar(name)}:`,
    ...Object.entries(rule).flatMap(([key, value]) => memberLines(key, value, 4)),
  ];
}

function memberLines(key: string, value: unknown, indent: number): readonly string[] {
  if (value === undefined) return [];
  const start = `${" ".repeat(indent)}${scalar(key)}:`;
  const line = `${start} ${flow(value)}`;
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (line.length <= WIDTH || !isMap || Object.keys(value).length === 0) return [line];
  const members = Object.entries(value as object);
  return [start, ...members.flatMap(([name, member]) => memberLines(name, member, indent + 2))];
}

function flow(value: unknown): string {
  if (typeof value === "string") return scalar(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${scalar(key)}: ${flow(member)}`).join(", ")}}`;
}
