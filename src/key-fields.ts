/** Fields that identify a resource or state its condition. They are named first. */
const KEY_FIELDS = (
  "id sid uuid key name title login slug email type kind status state url html_url " +
  "description amount total count created_at created"
).split(" ");

/** Key fields without which an item can be neither recognized nor judged. */
const ESSENTIAL_FIELDS = new Set(["id", "sid", "uuid", "name", "title", "status", "state"]);

const RANK = new Map(KEY_FIELDS.map((name, i) => [normalize(name), i]));

/** Rank of a field that no key field has. */
export const NO_RANK = KEY_FIELDS.length;

/** Rank of a field; `Id`, `created_at` and `createdAt` count as their snake_case names. */
export function keyFieldRank(name: string): number {
  return RANK.get(normalize(name)) ?? NO_RANK;
}

/** Orders fields for `pick`: the essential ones, the other key fields, then all others. */
export function pickOrder(names: readonly string[]): readonly string[] {
  const rank = (name: string): number =>
    keyFieldRank(name) - (isEssentialField(name) ? NO_RANK : 0);
  return [...names].sort((a, b) => rank(a) - rank(b));
}

/** True for fields that advice never leaves out. */
export function isEssentialField(name: string): boolean {
  return ESSENTIAL_FIELDS.has(normalize(name));
}

function normalize(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
