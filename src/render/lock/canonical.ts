/**
 * JSON of a value in its canonical form: members by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` writes numbers and strings as the RFC wants them. Half of all objects in a tool's schemas are a type
 * and nothing else, or a type and a description, so that the common case decides how long it takes.
 * @param value of JSON; members that are `undefined` are left out
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return Array.isArray(value) ? `[${value.map(canonicalJson).join(",")}]` : object(value as Members);
}

type Members = Readonly<Record<string, unknown>>;

function object(members: Members): string {
  let json = "";
  for (const name of ordered(Object.keys(members))) {
    const value = members[name];
    if (value !== undefined) json += `${json === "" ? "" : ","}${text(name)}:${canonicalJson(value)}`;
  }
  return `{${json}}`;
}

/** Printable ASCII without quotes and backslashes: most strings. */
const plain = /^[ !#-[\]-~]*$/;

function text(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Sorts in place, by code unit. Most objects have a handful of members, for which nothing is faster. */
function ordered(names: string[]): string[] {
  if (names.length > 24) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
