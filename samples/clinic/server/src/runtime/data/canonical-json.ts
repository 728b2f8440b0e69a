/**
 * Serializes a value as canonical JSON: members sorted by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` formats numbers and strings as the RFC requires. Half of all objects in tool
 * schemas have only a type, or a type and a description, so small objects determine the speed.
 * @param value JSON. Members that JSON does not have, such as functions, are omitted
 */
export function canonicalJson(value: unknown): string {
  return serialize(value) ?? "null";
}

/** Returns undefined for values that JSON does not have. */
function serialize(value: unknown): string | undefined {
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let json = "";
  for (const name of sortNames(Object.keys(members))) {
    const member = serialize(members[name]);
    if (member !== undefined) json += `${json === "" ? "" : ","}${writeString(name)}:${member}`;
  }
  return `{${json}}`;
}

/** Printable ASCII without quotes and backslashes. Most strings match. */
const plain = /^[ !#-[\]-~]*$/;

function writeString(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Sorts in place by code unit. Insertion sort is fastest for the few members of most objects. */
function sortNames(names: string[]): string[] {
  if (names.length > 24) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
