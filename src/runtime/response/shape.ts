/** Shapes results for agents: projects them to fields, removes invisible text, cuts deep parts. */
import type { Steps } from "../data/steps.js";
import { dropFields, pickFields, renameFields } from "../data/field-paths.js";
import { isObject, omitUndefined, parsePointer, valueAt } from "../data/values.js";
import type { FieldProjection, ResponseMapping } from "../types.js";

/** Inputs of the next page. */
type NextInputs = Readonly<Record<string, unknown>>;

/**
 * Projects a response body to the tool's result: the list or the object that the mapping points to,
 * under the name that the tool promises.
 * @param next value of `next` in the result; `null` for none, absent where the body decides
 */
export function project(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = assembleResult(body, mapping, next);
  return [mapping.projection, mapping.selected].reduce<unknown>(
    (current, projection) => (projection ? projectFields(current, projection) : current),
    result,
  );
}

/** Keeps the projected fields of objects, under their new names. Other values stay unchanged. */
function projectFields(result: unknown, { list, pick, drop, rename }: FieldProjection): unknown {
  if (list !== undefined) {
    if (typeof result !== "object" || result === null) return result;
    return Object.fromEntries(
      Object.entries(result).map(([name, value]) => [
        name,
        name === list ? projectFields(value, omitUndefined({ pick, drop, rename })) : value,
      ]),
    );
  }
  const picked = pick ? pickFields(result, pick) : result;
  const kept = drop ? dropFields(picked, drop) : picked;
  return rename ? renameFields(kept, rename) : kept;
}

function assembleResult(
  body: unknown,
  mapping: ResponseMapping,
  next?: NextInputs | null,
): unknown {
  const result = selectContent(body, mapping);
  const { next: pointers, extraFields } = mapping;
  const inputs = next === undefined ? pointers && nextPage(body, pointers) : next;
  const others = fieldsBesideList(body, mapping);
  const isWhole = !inputs && !extraFields && Object.keys(others).length === 0;
  if (isWhole || typeof result !== "object" || result === null) return result;
  const known = {
    ...result,
    ...(inputs && { next: inputs }),
    ...(extraFields && fieldsAt(body, extraFields)),
  };
  // Known fields come first, and keep their values.
  return { ...known, ...others, ...known };
}

/**
 * Fields next to the list that no pointer of the mapping leads to: those that the API's description
 * lacks, and the list itself under another name.
 */
function fieldsBesideList(
  body: unknown,
  { items, item, next = {}, extraFields = {} }: ResponseMapping,
): Readonly<Record<string, unknown>> {
  const list = items ?? item;
  if (!list || !isObject(body)) return {};
  if (items === undefined && valueAt(body, list) === undefined) return {};
  const pointers = [list, ...Object.values(next), ...Object.values(extraFields)];
  return withoutPaths(body, pointers.map(parsePointer));
}

/** URL or type of the list itself, which does not describe its items. */
const SELF_REFERENCE = /^(?:url|uri|self|href|object|kind)$/;

function withoutPaths(
  object: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (typeof value === "string" && SELF_REFERENCE.test(name)) return [];
      const inside = paths.filter(([step]) => step === name).map((path) => path.slice(1));
      if (inside.length === 0) return [[name, value]];
      if (!isObject(value) || inside.some((path) => path.length === 0)) return [];
      const others = withoutPaths(value, inside);
      return Object.keys(others).length === 0 ? [] : [[name, others]];
    }),
  );
}

/** Note about a response whose list is not where the API's description has it. */
export function missingListNote(body: unknown, mapping: ResponseMapping): string | undefined {
  const { items } = mapping;
  if (!items || !isObject(body) || valueAt(body, items) !== undefined) return undefined;
  return Object.keys(fieldsBesideList(body, mapping)).length === 0
    ? undefined
    : `The response has no list at ${items}, where the API's description has it. Read its other fields.`;
}

/** Reads fields next to the list. A missing field is omitted. */
function fieldsAt(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, pointer]) =>
      valueAt(body, pointer) === undefined ? [] : [[name, valueAt(body, pointer)]],
    ),
  );
}

function selectContent(body: unknown, { wrap, items, item }: ResponseMapping): unknown {
  if (wrap === "items") return { items: body ?? [] };
  if (wrap === "value") return { value: body };
  // Servers send a bare list or item although their description has an object around it.
  if (items !== undefined)
    return { items: Array.isArray(body) ? body : (valueAt(body, items) ?? []) };
  if (item !== undefined) return { items: [itemAt(body, item)] };
  return body;
}

function itemAt(body: unknown, pointer: string): unknown {
  const item = valueAt(body, pointer);
  return item === undefined ? body : item;
}

/**
 * Reads the inputs of the next page; `undefined` on the last page, where APIs omit them or write
 * null, false or "".
 */
export function nextPage(
  body: unknown,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const inputs = Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(body, pointer);
    return value === undefined || value === null || value === "" || value === false
      ? []
      : [[name, value] as const];
  });
  return inputs.length > 0 ? Object.fromEntries(inputs) : undefined;
}

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
