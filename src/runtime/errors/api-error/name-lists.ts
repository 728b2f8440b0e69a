/** Names that a message joins to one that it speaks of: `name, email and password are required`. */

/** Maximum number of joined names. */
const MAX_JOINED = 10;

/** Maximum number of characters of a list of names. */
const MAX_LIST_LENGTH = 300;

const LAST = /([\w.$[\]-]{1,80}) ?(?:, ?(?:and|or)?| (?:and|or|&)) ?$/i;
const NEXT = /^ ?(?:, ?(?:(?:and|or) )?|(?:and|or|&) )([\w.$[\]-]{1,80})/i;

/** The names that are joined to the one at a position, from the left. */
export function namesBefore(text: string, at: number): readonly string[] {
  let rest = text.slice(Math.max(0, at - MAX_LIST_LENGTH), at);
  const names: string[] = [];
  while (names.length < MAX_JOINED) {
    const found = LAST.exec(rest);
    if (!found) break;
    names.unshift(found[1]!);
    rest = rest.slice(0, found.index);
  }
  return names;
}

/** The names that are joined to the one that ends at a position. */
export function namesAfter(text: string, end: number): readonly string[] {
  let rest = text.slice(end, end + MAX_LIST_LENGTH);
  const names: string[] = [];
  while (names.length < MAX_JOINED) {
    const found = NEXT.exec(rest);
    if (!found) break;
    names.push(found[1]!);
    rest = rest.slice(found[0].length);
  }
  return names;
}
