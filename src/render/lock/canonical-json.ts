/**
 * JSON of a value in its canonical form: members by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` writes numbers and strings as the RFC wants them. Half of all objects in a
 * tool's schemas are a type and nothing else, or a type and a description, so that the common case
 * decides how long it takes. Most of the others are parts that tools share.
 * @param value of JSON; members that are `undefined` are left out
 * @param known the form of objects that were met before; the objects stay as they are meanwhile
 */
export function canonicalJson(value: unknown, known = new Map<object, string>()): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, known)).join(",")}]`;
  const before = known.get(value);
  if (before !== undefined) return before;
  const json = writeObject(value as Members, known);
  known.set(value, json);
  return json;
}

type Members = Readonly<Record<string, unknown>>;

function writeObject(members: Members, known: Map<object, string>): string {
  let json = "";
  for (const name of sortNames(Object.keys(members))) {
    const value = members[name];
    if (value !== undefined)
      json += `${json === "" ? "" : ","}${writeString(name)}:${canonicalJson(value, known)}`;
  }
  return `{${json}}`;
}

/** Printable ASCII without quotes and backslashes: most strings. */
const plain = /^[ !#-[\]-~]*$/;

function writeString(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/**
 * Sorts in place, by code unit. Most objects have a handful of members, for which nothing is
 * faster.
 */
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
