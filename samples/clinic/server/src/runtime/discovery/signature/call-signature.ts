import type { AnyTool } from "../../tools/hooks.js";
import { type Member, membersOf, memberText, type TypeTextOptions } from "./type-text.js";

/** Characters of a signature, about 120 tokens. Required inputs are never left out. */
const maxLength = 420;

/** Detail of types, the fullest first. The first whose required inputs fit is used. */
const details: readonly Omit<TypeTextOptions, "root">[] = [
  { depth: 3, maxValues: 12, maxMembers: 6 },
  { depth: 2, maxValues: 6, maxMembers: 3 },
  { depth: 1, maxValues: 4, maxMembers: 0 },
  { depth: 0, maxValues: 3, maxMembers: 0 },
];

/**
 * Writes the call of a tool on one line:
 * `replace_status(userId: string, action: "activate" | "deactivate", reason?: string)`.
 */
export function callSignature({ name, inputSchema: root }: AnyTool): string {
  const members = membersOf(root);
  const required = members.filter(({ isRequired }) => isRequired);
  const optional = members.filter(({ isRequired }) => !isRequired);
  const text = (list: readonly Member[], detail: Omit<TypeTextOptions, "root">) =>
    list.map((member) => memberText(member, { root, ...detail }));
  const least = details.length - 1;
  const level = details.findIndex((detail) => lengthOf(text(required, detail)) <= maxLength);
  const shown = [...text(required, details[level < 0 ? least : level]!)];
  const brief = details[Math.max(level < 0 ? least : level, 1)]!;
  const rest = text(optional, brief);
  while (rest.length > 0 && lengthOf([...shown, rest[0]!]) <= maxLength) shown.push(rest.shift()!);
  if (rest.length > 0) shown.push(`\u2026${rest.length} more optional`);
  return `${name}(${shown.join(", ")})`;
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length + 2, 0);
