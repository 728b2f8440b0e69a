/**
 * Characters that a reader does not see but a model or a terminal interprets: controls except tab
 * and line feed, bidirectional controls, characters without width and use in data (fillers,
 * invisible operators, tags, supplementary variation selectors), and rows of joiners or variation
 * selectors, which can spell a hidden text. Unicode: Bidi_Control, Default_Ignorable_Code_Point.
 */
const INVISIBLE =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/**
 * Removes invisible characters. Unpaired surrogates become U+FFFD, so that the result is valid
 * JSON.
 */
export function sanitize(text: string): string {
  return text.replace(INVISIBLE, "").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Maximum nesting of values. No agent reads deeper ones, and they would exhaust the stack. */
const MAX_DEPTH = 100;

const DEPTH_MARKER = "[nested too deeply to show]";

/** True if a JSON value is nested deeper than `mapStrings` preserves. */
export function exceedsMaxDepth(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (exceedsMaxDepth(item, depth + 1)) return true;
  return false;
}

/**
 * Maps every string of a JSON value, names of properties included, and cuts deeply nested parts. An
 * unchanged part is not copied.
 */
export function mapStrings(
  value: unknown,
  edit: (text: string) => string,
  depth = 0,
  editNumber: (number: number) => number = (number) => number,
): unknown {
  if (typeof value === "string") return edit(value);
  if (typeof value === "number") return editNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return DEPTH_MARKER;
  const editMember = (member: unknown): unknown => mapStrings(member, edit, depth + 1, editNumber);
  return Array.isArray(value)
    ? mapList(value, editMember)
    : mapObject(value as Record<string, unknown>, edit, editMember);
}

function mapList(
  list: readonly unknown[],
  editMember: (member: unknown) => unknown,
): readonly unknown[] {
  let changed = false;
  const copy = list.map((item) => {
    const edited = editMember(item);
    if (edited !== item) changed = true;
    return edited;
  });
  return changed ? copy : list;
}

function mapObject(
  object: Readonly<Record<string, unknown>>,
  edit: (text: string) => string,
  editMember: (member: unknown) => unknown,
): object {
  let changed = false;
  const copy = Object.entries(object).map(([key, value]) => {
    const entry = [edit(key), editMember(value)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    return entry;
  });
  // fromEntries defines properties, so that __proto__ is a key like any other.
  return changed ? Object.fromEntries(copy) : object;
}
