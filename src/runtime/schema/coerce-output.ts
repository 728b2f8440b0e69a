/** Coercion of responses to the output schema. No value is lost. */
import { isObject } from "../data/values.js";
import type { JsonSchema } from "../types.js";
import { type PathSegment, type Problem, relevantProblems } from "./check.js";
import { type Validator, validatorFor } from "./compile.js";
import { convertOutput } from "./convert-output.js";
import { listFields } from "./list-fields.js";
import { PartRemover } from "./remove-parts.js";

/** A part of a response that the output schema does not allow in its place. */
export interface UnexpectedPart {
  /** Empty for the whole response. */
  readonly path: readonly PathSegment[];
  readonly value: unknown;
}

/** The differences between a response and the coerced value. */
export interface OutputDifferences {
  /** Violations of the schema whose parts were moved to `unexpected`. */
  readonly moved: readonly Problem[];
  /** Violations whose parts have another type now. Those that lose nothing are left out. */
  readonly converted: readonly Problem[];
  /** Parts that are not in the value, as the API sent them. */
  readonly unexpected: readonly UnexpectedPart[];
  /** Paths of properties that were null and are absent; `[]` stands for every index. */
  readonly nullFields: readonly string[];
}

/** A value that satisfies the schema, or the violations for which there is none. */
export type CoercionResult =
  | ({ readonly ok: true; readonly value: unknown } & OutputDifferences)
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NO_DIFFERENCES: OutputDifferences = {
  moved: [],
  converted: [],
  unexpected: [],
  nullFields: [],
};

/** Maximum number of rounds of repairs. */
const MAX_ROUNDS = 16;

/** Number of moved parts after which no single one is moved. */
const MAX_MOVED = 1_000;

/** Maximum number of unexpected parts. With more of them, whole properties of the root are moved. */
const MAX_PARTS = 20;

/**
 * Makes a response satisfy the tool's output schema, because clients reject a result that does not.
 * A part that differs is converted if that loses nothing, otherwise moved to `unexpected`. A
 * response that is not an object is moved as a whole. **Changes the value in place.**
 */
export function coerceOutput(value: unknown, schema: JsonSchema): CoercionResult {
  const check = validatorFor(schema);
  const problems = check(value);
  if (problems.length === 0 && isObject(value))
    return { ok: true as const, value, ...NO_DIFFERENCES };
  if (!isObject(value))
    return wrapList(value, check, problems) ?? moveResponse(value, check, problems);
  const nulls = problems.filter(
    ({ path, value: part }) => part === null && typeof path.at(-1) === "string",
  );
  const nullFields = listFields(
    value,
    nulls.map(({ path }) => path),
  );
  const withNulls = removeNulls(value, nulls);
  const remaining = relevantProblems(nulls.length === 0 ? problems : check(value));
  if (remaining.length === 0) return { ok: true, value, ...NO_DIFFERENCES, nullFields };
  const repaired = new OutputRepair(value, withNulls(), check).run(remaining);
  return repaired ? { ...repaired, nullFields } : moveResponse(withNulls(), check, remaining);
}

/**
 * Removes properties that are null where the schema does not allow it, as APIs write missing
 * values.
 * @returns a function that copies the value with these nulls
 */
function removeNulls(
  root: Record<string, unknown>,
  nulls: readonly Problem[],
): () => Record<string, unknown> {
  const removed = nulls.flatMap(({ path }) => {
    const parent = parentOf(root, path);
    const key = path.at(-1) as PathSegment;
    if (!parent || !Object.hasOwn(parent, key)) return [];
    delete parent[key];
    return [{ parent, key }];
  });
  let copy: string | undefined;
  return () => {
    if (copy === undefined) {
      for (const { parent, key } of removed) define(parent, key, null);
      copy = JSON.stringify(root);
      for (const { parent, key } of removed) delete parent[key];
    }
    return JSON.parse(copy) as Record<string, unknown>;
  };
}

/** A list in place of an object stands in `items`, if the schema leaves that open. */
function wrapList(
  list: unknown,
  check: Validator,
  problems: readonly Problem[],
): CoercionResult | undefined {
  const value = { items: list };
  if (!Array.isArray(list) || check(value).length > 0) return undefined;
  return { ok: true, value, ...NO_DIFFERENCES, converted: relevantProblems(problems) };
}

/** The result for a response of which no part has a place: empty, if the schema allows it. */
function moveResponse(
  original: unknown,
  check: Validator,
  problems: readonly Problem[],
): CoercionResult {
  const [moved, value] = [relevantProblems(problems), {}];
  const empty = new OutputRepair(value, {}, check).run(relevantProblems(check(value)));
  if (!empty) return { ok: false, problems: moved };
  const unexpected = [{ path: [], value: original }];
  return { ok: true, value: empty.value, ...NO_DIFFERENCES, moved, unexpected };
}

/** Repairs of one response, in rounds: a repair may uncover another problem. */
class OutputRepair {
  private readonly remover: PartRemover;
  private readonly attempts = new Set<string>();
  private readonly moved = new Map<string, { part: UnexpectedPart; problem: Problem }>();
  private readonly converted = new Map<string, Problem>();
  private maxMoved = MAX_MOVED;

  constructor(
    private readonly root: Record<string, unknown>,
    private readonly original: unknown,
    private readonly check: Validator,
  ) {
    this.remover = new PartRemover(root);
  }

  run(problems: readonly Problem[]): (CoercionResult & { ok: true }) | undefined {
    if (!this.repairAll(problems)) return undefined;
    if (this.parts().length > MAX_PARTS && !this.moveRootProperties()) return undefined;
    for (const { part, problem } of this.parts()) this.moveEmptied(part.path, problem);
    const parts = this.parts();
    return {
      ok: true,
      value: this.root,
      moved: parts.map(({ problem }) => problem),
      converted: [...this.converted.values()].filter(({ path }) => !this.isMoved(path)),
      unexpected: parts.map(({ part }) => part),
      nullFields: [],
    };
  }

  private repairAll(problems: readonly Problem[]): boolean {
    let remaining = problems;
    for (let round = 0; remaining.length > 0 && round < MAX_ROUNDS; round++) {
      for (const problem of remaining) {
        if (!this.repair(problem)) return false;
        if (this.moved.size > this.maxMoved) return this.stopMoving();
      }
      this.remover.finishRound();
      remaining = relevantProblems(this.check(this.root));
    }
    return remaining.length === 0;
  }

  /** Moves whole properties of the root from now on, because there will be too many parts. */
  private stopMoving(): boolean {
    this.maxMoved = Infinity;
    return this.moveRootProperties();
  }

  /** Repairs one problem. @returns false if the root itself is invalid */
  private repair(problem: Problem): boolean {
    const { path, keyword } = problem;
    const [step, parent] = [path.at(-1), parentOf(this.root, path)];
    if (step === undefined) return false;
    if (!parent || this.remover.isRemoved(path)) return true;
    if (keyword === "required") return this.repairMissing(problem, parent, step);
    const isNew = this.isNewAttempt("convert", path);
    const conversion = isNew && parent[step] !== null ? convertOutput(problem) : undefined;
    const source = this.remover.locate(path);
    const difference = { ...problem, path: source };
    if (conversion === undefined) return this.move(this.wholeList(path), difference);
    if (!conversion.isExact) this.converted.set(JSON.stringify(source), difference);
    this.remover.markConverted(source);
    return define(parent, step, conversion.value);
  }

  /**
   * The list of simple values around an item: without the item, the others would have other places.
   * The list that is the result stays.
   */
  private wholeList(path: readonly PathSegment[]): readonly PathSegment[] {
    if (typeof path.at(-1) !== "number" || !isValueList(parentOf(this.root, path))) return path;
    const list = path.slice(0, -1);
    return list.length === 1 && list[0] === "items" ? path : this.wholeList(list);
  }

  /**
   * A required property is null, then the JSON of what was moved from there, then an empty list at
   * the root, where the schema allows it.
   */
  private repairMissing(
    problem: Problem,
    parent: Record<PathSegment, unknown>,
    step: PathSegment,
  ): boolean {
    const { path } = problem;
    this.isNewAttempt("convert", path);
    if (this.isNewAttempt("null", path)) return define(parent, step, null);
    const text = this.isNewAttempt("text", path) ? this.movedAsText(path) : undefined;
    if (text !== undefined) return define(parent, step, text);
    if (path.length > 1) return this.move(path.slice(0, -1), this.causeOf(problem));
    return this.isNewAttempt("list", path) && define(parent, step, []);
  }

  /** The JSON of a moved object or list, for a required text. */
  private movedAsText(path: readonly PathSegment[]): string | undefined {
    const { part, problem } = this.moved.get(JSON.stringify(this.remover.locate(path))) ?? {};
    const isText = problem?.keyword === "type" && [problem.rule].flat().includes("string");
    const isJson = typeof part?.value === "object" && part.value !== null;
    return isText && isJson ? JSON.stringify(part.value) : undefined;
  }

  private isNewAttempt(kind: string, path: readonly PathSegment[]): boolean {
    const key = `${kind} ${JSON.stringify(path)}`;
    const isNew = !this.attempts.has(key);
    this.attempts.add(key);
    return isNew;
  }

  /** The problem for which a property is missing. */
  private causeOf(missing: Problem): Problem {
    const path = this.remover.locate(missing.path);
    return this.moved.get(JSON.stringify(path))?.problem ?? { ...missing, path };
  }

  /** Moves a part out of the value. A value that the original does not have is only removed. */
  private move(path: readonly PathSegment[], problem: Problem): true {
    const source = this.remover.locate(path);
    const key = JSON.stringify(source);
    const value = valueAtPath(this.original, source);
    if (value !== undefined && !this.moved.has(key))
      this.moved.set(key, { part: { path: source, value }, problem });
    this.remover.remove(path);
    return true;
  }

  /** Parts that are moved, without those inside of others, in the order of the response. */
  private parts(): readonly { readonly part: UnexpectedPart; readonly problem: Problem }[] {
    return [...this.moved.values()].filter(({ part }) => !this.isMoved(part.path.slice(0, -1)));
  }

  private isMoved(path: readonly PathSegment[]): boolean {
    return path.some((_, i) => this.moved.has(JSON.stringify(path.slice(0, i + 1))));
  }

  /**
   * Moves the objects around a moved part that have nothing left, because `{}` reads like a value.
   * Those that the schema requires stay, as do items of lists.
   */
  private moveEmptied(moved: readonly PathSegment[], problem: Problem): void {
    for (let path = moved.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
      const parent = parentOf(this.root, path);
      const step = path.at(-1) as PathSegment;
      if (!parent || !path.every(isKey) || !isEmptyObject(parent[step])) return;
      delete parent[step];
      if (this.check(this.root).length > 0) return void define(parent, step, {});
      const part = { path, value: valueAtPath(this.original, path) };
      this.moved.set(JSON.stringify(path), { part, problem });
    }
  }

  /** Moves the properties of the root that contain unexpected parts. */
  private moveRootProperties(): boolean {
    for (const { part, problem } of this.parts()) {
      const path = part.path.slice(0, 1);
      const key = JSON.stringify(path);
      if (this.moved.has(key)) continue;
      this.moved.set(key, { part: { path, value: valueAtPath(this.original, path) }, problem });
      this.remover.remove(path);
    }
    this.remover.finishRound();
    return this.repairAll(relevantProblems(this.check(this.root)));
  }
}

/** True for a list of simple values, and for one of such lists. */
const isValueList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => Array.isArray(item) || !isObject(item));

const isKey = (step: PathSegment): boolean => typeof step === "string";

const isEmptyObject = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 0;

/** The object or list that contains the part at a path. */
function parentOf(
  root: unknown,
  path: readonly PathSegment[],
): Record<PathSegment, unknown> | undefined {
  const parent = valueAtPath(root, path.slice(0, -1));
  return typeof parent === "object" && parent !== null
    ? (parent as Record<PathSegment, unknown>)
    : undefined;
}

function valueAtPath(root: unknown, path: readonly PathSegment[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PathSegment, unknown>)[step];
  }
  return value;
}

/** Defines a property instead of assigning it, so that `__proto__` is a key like any other. */
function define(parent: Record<PathSegment, unknown>, step: PathSegment, value: unknown): true {
  const attributes = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(parent, step, { value, ...attributes });
  return true;
}
