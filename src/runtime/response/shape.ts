/** Texts and depth of results: removes invisible text, cuts deep parts. */
import type { Steps } from "../data/steps.js";

/**
 * Characters that a reader does not see but a model or a terminal interprets: controls except tab
 * and line breaks, bidirectional controls, characters without width and use in data (fillers,
 * invisible operators, tags, supplementary variation selectors), and rows of joiners or variation
 * selectors, which can spell a hidden text. Unicode: Bidi_Control, Default_Ignorable_Code_Point.
 */
const INVISIBLE =
  /[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\r(?!\n)/gu;

/** Colors and cursor movements of terminals (ECMA-48, 5.4), whole: `ESC[32m`. */
const TERMINAL_SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/**
 * Removes invisible characters and terminal sequences. Unpaired surrogates become U+FFFD, so that
 * the result is valid JSON.
 */
export function sanitize(text: string): string {
  return text
    .replace(TERMINAL_SEQUENCE, "")
    .replace(INVISIBLE, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Maximum nesting of values. No agent reads deeper ones, and they would exhaust the stack. */
export const MAX_DEPTH = 100;

const DEPTH_MARKER = "[nested too deeply to show]";

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

/** Levels of a value whose members are steps of their own. */
const STEPPED_LEVELS = 3;

/** Number of members that one step maps. */
const STEP_MEMBERS = 1_000;

/** Length of a text above which its edit has steps of its own, if the edit has steps. */
export const LONG_TEXT = 100_000;

/** Edits a text; a long one in steps. */
interface TextEdit {
  (text: string): string;
  readonly inSteps?: (text: string) => Steps<string>;
}

/** `mapStrings` in steps, for large values. */
export function* mapStringsInSteps(
  value: unknown,
  edit: TextEdit,
  depth = 0,
  editNumber?: (number: number) => number,
): Steps<unknown> {
  if (typeof value === "string" && value.length > LONG_TEXT && edit.inSteps)
    return yield* edit.inSteps(value);
  if (typeof value !== "object" || value === null || depth >= STEPPED_LEVELS)
    return mapStrings(value, edit, depth, editNumber);
  const editMember = (member: unknown): Steps<unknown> =>
    mapStringsInSteps(member, edit, depth + 1, editNumber);
  return Array.isArray(value)
    ? yield* mapListInSteps(value, editMember)
    : yield* mapObjectInSteps(value, edit, editMember);
}

type EditMember = (member: unknown) => Steps<unknown>;

function* mapListInSteps(list: readonly unknown[], editMember: EditMember): Steps<unknown> {
  const copy: unknown[] = [];
  let changed = false;
  for (const item of list) {
    if (copy.length % STEP_MEMBERS === STEP_MEMBERS - 1) yield;
    const edited = yield* editMember(item);
    if (edited !== item) changed = true;
    copy.push(edited);
  }
  return changed ? copy : list;
}

function* mapObjectInSteps(object: object, edit: TextEdit, editMember: EditMember): Steps<unknown> {
  const copy: (readonly [string, unknown])[] = [];
  let changed = false;
  for (const [key, value] of Object.entries(object)) {
    if (copy.length % STEP_MEMBERS === STEP_MEMBERS - 1) yield;
    const entry = [edit(key), yield* editMember(value)] as const;
    if (entry[0] !== key || entry[1] !== value) changed = true;
    copy.push(entry);
  }
  return changed ? Object.fromEntries(copy) : object;
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
