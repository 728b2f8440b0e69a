import { isObject, type JsonSchema } from "../../json.js";
import { inlineCode, inlineJson } from "../inline-code.js";
import type { ChangeClass, ChangeKind } from "../types.js";
import { requiredBy } from "./implication.js";
import { InclusionProver } from "./inclusion.js";
import { constraintChanges, textChanges } from "./keyword-changes.js";
import {
  type Conjunction,
  equalJson,
  isAnnotation,
  isIdentical,
  SchemaVersion,
} from "./schema-version.js";
import {
  itemConstraints,
  propertyNames,
  otherPropertyConstraints,
  prefixLength,
  propertyConstraints,
} from "./subschemas.js";
import type { SchemaDirection, SchemaChange } from "./types.js";

/** Returns the name of a shared schema that both versions of a schema are; undefined otherwise. */
export type SharedNameLookup = (before: JsonSchema, after: JsonSchema) => string | undefined;

type Parts = readonly JsonSchema[];

/**
 * Compares two versions of an input or output schema and classifies each change.
 *
 * Sound: without a breaking change, every formerly valid input is still valid, and every valid
 * output was valid before. Unproven compatibility counts as breaking.
 */
export function schemaChanges(
  before: JsonSchema,
  after: JsonSchema,
  direction: SchemaDirection,
  sharedName: SharedNameLookup = () => undefined,
): readonly SchemaChange[] {
  return equalJson(before, after)
    ? []
    : new SchemaComparison(before, after, direction, sharedName).changes();
}

/** Compares two versions of a schema. */
class SchemaComparison {
  readonly #before: SchemaVersion;
  readonly #after: SchemaVersion;
  /** Provers that no call breaks, and that no value is new. */
  readonly #compatible: InclusionProver;
  readonly #unchanged: InclusionProver;
  readonly #changes: SchemaChange[] = [];
  readonly #compared = new Set<string>();
  /** The innermost shared schema at the current location. */
  #shared: { readonly name: string; readonly path: string } | undefined;

  constructor(
    private readonly oldRoot: JsonSchema,
    private readonly newRoot: JsonSchema,
    readonly direction: SchemaDirection,
    private readonly sharedName: SharedNameLookup,
  ) {
    this.#before = new SchemaVersion(oldRoot);
    this.#after = new SchemaVersion(newRoot);
    const forward = new InclusionProver(this.#before, this.#after);
    const backward = new InclusionProver(this.#after, this.#before);
    [this.#compatible, this.#unchanged] =
      direction === "input" ? [forward, backward] : [backward, forward];
  }

  changes(): readonly SchemaChange[] {
    const [before, after] = [
      this.#before.conjunctionOf(this.oldRoot),
      this.#after.conjunctionOf(this.newRoot),
    ];
    this.#compare(before, after, "");
    const overall = this.classify(before, after);
    const isReported = this.#changes.some(
      (change) => change.class === overall || change.class === "breaking",
    );
    if (!isReported)
      this.#changes.push({
        class: overall,
        kind: overall === "cosmetic" ? "text" : "values",
        path: "",
        message: this.#summary(overall),
      });
    return this.#changes;
  }

  /** Classifies the change from `before` to `after`. */
  classify(before: Conjunction, after: Conjunction): ChangeClass {
    const [narrow, wide] = this.direction === "input" ? [before, after] : [after, before];
    if (!this.#compatible.includes(narrow, wide)) return "breaking";
    return this.#unchanged.includes(wide, narrow) ? "cosmetic" : "additive";
  }

  /**
   * Classifies a change of some keywords at one location: does each version as a whole satisfy
   * these keywords of the other?
   * @param before all parts, and the parts reduced to these keywords
   */
  classifyConstraints(
    before: readonly [Parts, Parts],
    after: readonly [Parts, Parts],
  ): ChangeClass {
    const [narrow, wide] = this.direction === "input" ? [before, after] : [after, before];
    if (!this.#compatible.includes(narrow[0], wide[1])) return "breaking";
    return this.#unchanged.includes(wide[0], narrow[1]) ? "cosmetic" : "additive";
  }

  #summary(overall: ChangeClass): string {
    if (overall === "cosmetic")
      return "The schema is written differently, but accepts the same values.";
    const wider = (this.direction === "input") === (overall === "additive");
    return `The schema ${wider ? "allows more" : "may allow fewer"} values than before.`;
  }

  #compare(before: Conjunction, after: Conjunction, path: string): void {
    const outer = this.#shared;
    const [was, now] = [before[0], after[0]];
    const name = isObject(was) && isObject(now) ? this.sharedName(was, now) : undefined;
    if (name !== undefined) this.#shared = { name, path };
    this.#compareHere(before, after, path);
    this.#shared = outer;
  }

  #compareHere(before: Conjunction, after: Conjunction, path: string): void {
    if (before === "never" || after === "never") {
      if (before !== after)
        this.#add({
          class: this.classify(before, after),
          kind: "values",
          path,
          message: after === "never" ? "No value is valid anymore." : "More values are valid.",
        });
      return;
    }
    textChanges(before, after, path).forEach(this.#add);
    if (this.#wasCompared(before, after)) return;
    constraintChanges(this, before, after, path).forEach(this.#add);
    this.#compareFields(before, after, path);
    this.#compareItems(before, after, path);
  }

  /** True for a pair that was compared before or is identical. Schemas may be recursive. */
  #wasCompared(before: Parts, after: Parts): boolean {
    const key = `${before
      .filter(hasConstraints)
      .map((part) => this.#before.numberOf(part))
      .join()}:${after
      .filter(hasConstraints)
      .map((part) => this.#after.numberOf(part))
      .join()}`;
    if (this.#compared.has(key)) return true;
    this.#compared.add(key);
    return (
      before.length === after.length &&
      before.every((part, i) => isIdentical(part, after[i]!, [this.#before, this.#after]))
    );
  }

  #compareFields(before: Parts, after: Parts, path: string): void {
    const [oldNames, newNames] = [propertyNames(before), propertyNames(after)];
    const [wasRequired, isRequired] = [requiredBy(before), requiredBy(after)];
    for (const name of oldNames.filter((oldName) => !newNames.includes(oldName)))
      this.#report("breaking", "field-removed", join(path, name), "was removed");
    for (const name of newNames) {
      const fieldPath = join(path, name);
      const [was, now] = [
        propertyConstraints(before, name, this.#before),
        propertyConstraints(after, name, this.#after),
      ];
      if (!oldNames.includes(name))
        this.#reportAddedField(fieldPath, was, now, isRequired.has(name));
      else {
        this.#compareRequired(fieldPath, wasRequired.has(name), isRequired.has(name));
        this.#compareDefault(fieldPath, was, now, wasRequired.has(name));
        this.#compare(was, now, fieldPath);
      }
    }
    this.#compareOthers(before, after, path);
  }

  #reportAddedField(
    fieldPath: string,
    was: Conjunction,
    now: Conjunction,
    required: boolean,
  ): void {
    if (this.direction === "input" && required)
      return this.#report("breaking", "field-added", fieldPath, "was added and is required");
    if (this.classify(was, now) !== "breaking")
      return this.#report("additive", "field-added", fieldPath, "was added");
    const reason =
      this.direction === "input"
        ? "any value was allowed before"
        : "the former schema excluded other properties";
    this.#report("breaking", "field-added", fieldPath, `was added; ${reason}`);
  }

  #compareRequired(fieldPath: string, was: boolean, isNow: boolean): void {
    if (was === isNow) return;
    const [restriction, relaxation] =
      this.direction === "input"
        ? ["is now required", "is now optional"]
        : ["may now be missing", "is now always present"];
    if (isNow === (this.direction === "input"))
      this.#report("breaking", isNow ? "field-required" : "field-optional", fieldPath, restriction);
    else
      this.#report("additive", isNow ? "field-required" : "field-optional", fieldPath, relaxation);
  }

  /**
   * Compares the API's default for an omitted input. A formerly required input could not be
   * omitted.
   */
  #compareDefault(
    fieldPath: string,
    before: Conjunction,
    after: Conjunction,
    wasRequired: boolean,
  ): void {
    const [was, now] = [defaultOf(before), defaultOf(after)];
    if (equalJson(was, now)) return;
    const inputClass = wasRequired ? "additive" : "breaking";
    this.#add({
      class: this.direction === "output" ? "cosmetic" : inputClass,
      kind: "default",
      path: fieldPath,
      message: `${this.subjectOf(fieldPath)} ${defaultMessage(was, now)}.`,
      was,
      now,
    });
  }

  /** Compares the schemas of unnamed properties. */
  #compareOthers(before: Parts, after: Parts, path: string): void {
    const [was, now] = [
      otherPropertyConstraints(before, [], this.#before),
      otherPropertyConstraints(after, [], this.#after),
    ];
    if (was !== "never" && now !== "never") return this.#compare(was, now, join(path, "*"));
    if (was === now) return;
    const isInput = this.direction === "input";
    const closedMessage = isInput
      ? "no longer accepts other properties"
      : "no longer has other properties";
    const openedMessage = isInput
      ? "now accepts other properties"
      : "may now have other properties";
    this.#report(
      this.classify(was, now),
      "values",
      path,
      now === "never" ? closedMessage : openedMessage,
    );
  }

  #compareItems(before: Parts, after: Parts, path: string): void {
    const count = Math.max(prefixLength(before), prefixLength(after));
    for (let i = 0; i <= count; i++)
      this.#compare(
        itemConstraints(before, i, this.#before),
        itemConstraints(after, i, this.#after),
        `${path}[${i === count ? "" : i}]`,
      );
  }

  readonly #add = (change: SchemaChange): void => {
    if (!this.#shared) return void this.#changes.push(change);
    const { name: schema, path } = this.#shared;
    const schemaPath = change.path.slice(path.length).replace(/^\./, "");
    this.#changes.push({ ...change, schema, schemaPath });
  };

  #report(changeClass: ChangeClass, kind: ChangeKind, path: string, predicate: string): void {
    this.#add({
      class: changeClass,
      kind,
      path,
      message: `${this.subjectOf(path)} ${predicate}.`,
    });
  }

  /** The subject of a message. */
  subjectOf(path: string): string {
    const noun = this.direction === "input" ? "Input" : "Output";
    return path === "" ? `The ${noun.toLowerCase()}` : `${noun} ${inlineCode(path)}`;
  }
}

/** True if a part has its own constraints, in addition to references. */
function hasConstraints(part: JsonSchema): boolean {
  return Object.keys(part).some(
    (keyword) => !isAnnotation(keyword) && keyword !== "$ref" && keyword !== "allOf",
  );
}

function defaultMessage(was: unknown, now: unknown): string {
  if (was === undefined) return `now has the default ${inlineJson(now)}`;
  if (now === undefined) return `no longer has a default; it was ${inlineJson(was)}`;
  return `has the default ${inlineJson(now)} instead of ${inlineJson(was)}`;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function defaultOf(conjunction: Conjunction): unknown {
  return conjunction === "never"
    ? undefined
    : conjunction.find((part) => part.default !== undefined)?.default;
}
