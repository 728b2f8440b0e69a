import type { JsonSchema } from "../../json.js";
import { impliesConstraint, isInapplicableKeyword, requiredBy } from "./implication.js";
import {
  type Conjunction,
  equalJson,
  isAnnotation,
  isEquivalent,
  isOpaque,
  type SchemaVersion,
} from "./schema-version.js";
import {
  itemConstraints,
  propertyNames,
  otherPropertyConstraints,
  patternsOf,
  prefixLength,
  propertyConstraints,
  schemasIn,
} from "./subschemas.js";
import {
  certainlyAccepts,
  OBJECT,
  typeNamesOf,
  possibleTypes,
  possibleValues,
} from "./value-sets.js";

type Parts = readonly JsonSchema[];
type Schema = JsonSchema | boolean;

/**
 * Maximum comparison steps of one query, and of all together. A harder query counts as not
 * provable.
 */
const MAX_STEPS = 20_000;
const MAX_TOTAL_STEPS = 1_000_000;
/** Maximum alternatives compared one by one. */
const MAX_BRANCHES = 128;

/**
 * Proves that each value valid for a schema of the `narrow` version is valid for one of the `wide`
 * version.
 *
 * Each constraint of the wide schema must follow from constraints of the narrow one. An unsupported
 * keyword follows only from an equal one. A missing proof therefore means "not certain". Recursive
 * schemas are assumed to be included while their parts are compared, because values are finite.
 */
export class InclusionProver {
  readonly #narrow: SchemaVersion;
  readonly #wide: SchemaVersion;
  readonly #versions: readonly [SchemaVersion, SchemaVersion];
  readonly #results = new Map<string, boolean>();
  /** Queries in progress, with the nesting depth at which they were asked. */
  readonly #queries = new Map<string, { readonly index: number; readonly depth: number }>();
  #depth = 0;
  /** Index of the first open query that the current result depends on. */
  #dependsOn = Number.POSITIVE_INFINITY;
  #steps = 0;
  #totalSteps = 0;

  constructor(narrow: SchemaVersion, wide: SchemaVersion) {
    this.#narrow = narrow;
    this.#wide = wide;
    this.#versions = [narrow, wide];
  }

  /** True when each value of `narrow` is certainly valid for `wide`. */
  includes(narrow: Conjunction, wide: Conjunction): boolean {
    if (narrow === "never" || possibleTypes(narrow, this.#narrow) === 0) return true;
    const values = possibleValues(narrow, this.#narrow);
    if (values?.every((value) => certainlyAccepts(wide, value, this.#wide))) return true;
    return wide !== "never" && wide.every((part) => this.#follows(narrow, part));
  }

  /**
   * Decides if all constraints of one part follow. Answers are cached unless they depend on an open
   * query.
   */
  #follows(narrow: Parts, part: JsonSchema): boolean {
    const key = `${narrow
      .map((narrowPart) => this.#narrow.numberOf(narrowPart))
      .sort((a, b) => a - b)
      .join(",")}<${this.#wide.numberOf(part)}`;
    const cached = this.#results.get(key);
    if (cached !== undefined) return cached;
    const query = this.#queries.get(key);
    if (query) {
      this.#dependsOn = Math.min(this.#dependsOn, query.index);
      return query.depth < this.#depth;
    }
    if (this.#queries.size === 0) this.#steps = 0;
    if (++this.#steps > MAX_STEPS || ++this.#totalSteps > MAX_TOTAL_STEPS) return false;
    return this.#evaluate(key, () => this.#partFollows(narrow, part));
  }

  #evaluate(key: string, proof: () => boolean): boolean {
    const index = this.#queries.size;
    const restedOn = this.#dependsOn;
    this.#dependsOn = Number.POSITIVE_INFINITY;
    this.#queries.set(key, { index, depth: this.#depth });
    const answer = proof();
    this.#queries.delete(key);
    const isFinal = this.#dependsOn >= index;
    if (isFinal || !answer) this.#results.set(key, answer);
    this.#dependsOn = isFinal ? restedOn : Math.min(restedOn, this.#dependsOn);
    return answer;
  }

  #partFollows(narrow: Parts, part: JsonSchema): boolean {
    if (narrow.some((narrowPart) => isEquivalent(narrowPart, part, this.#versions))) return true;
    if (isOpaque(part)) return false;
    const keywords = Object.keys(part).filter(
      (keyword) => !isAnnotation(keyword) && keyword !== "allOf" && keyword !== "$ref",
    );
    return (
      keywords.every((keyword) => this.keywordFollows(narrow, part, keyword)) ||
      this.#followsByAlternative(narrow, part)
    );
  }

  /** Decides if one keyword of a wide part follows. */
  keywordFollows(narrow: Parts, part: JsonSchema, keyword: string): boolean {
    const value = part[keyword];
    if (value === undefined || isInapplicableKeyword(keyword, narrow, this.#narrow)) return true;
    const scalar = impliesConstraint({ keyword, value, part }, narrow, this.#narrow);
    if (scalar !== undefined) return scalar;
    switch (keyword) {
      case "properties":
        return Object.entries(schemasIn(part, "properties")).every(([name, schema]) =>
          this.#includesNested(propertyConstraints(narrow, name, this.#narrow), schema),
        );
      case "additionalProperties":
        return this.#otherPropertiesFollow(narrow, part);
      case "patternProperties":
        return this.#patternsFollow(narrow, part);
      case "items":
      case "prefixItems":
        return this.#itemsFollow(narrow, part);
      case "anyOf":
        return this.#someBranchFollows(narrow, value);
      case "oneOf":
        return (
          this.#hasEquivalent(narrow, part, ["oneOf"]) ||
          (Array.isArray(value) &&
            areAllDisjoint(value as readonly Schema[], this.#wide) &&
            this.#someBranchFollows(narrow, value))
        );
      case "dependentRequired":
        return (
          this.#hasEquivalent(narrow, part, [keyword]) || this.#dependentsAreRequired(narrow, value)
        );
      case "if":
      case "then":
      case "else":
        return this.#hasEquivalent(narrow, part, ["if", "then", "else"]);
      case "contains":
      case "minContains":
      case "maxContains":
        return this.#hasEquivalent(narrow, part, ["contains", "minContains", "maxContains"]);
      default:
        return this.#hasEquivalent(narrow, part, [keyword]);
    }
  }

  #includesNested(narrow: Conjunction, wide: Schema): boolean {
    this.#depth++;
    const answer = this.includes(narrow, this.#wide.conjunctionOf(wide));
    this.#depth--;
    return answer;
  }

  /** True when a narrow part has equivalent values of these keywords. */
  #hasEquivalent(narrow: Parts, part: JsonSchema, keywords: readonly string[]): boolean {
    return narrow.some((narrowPart) =>
      keywords.every((keyword) =>
        isEquivalent(narrowPart[keyword], part[keyword], this.#versions, keyword),
      ),
    );
  }

  /**
   * Compares properties that `part` does not name: those that the narrow version names, and all
   * others.
   */
  #otherPropertiesFollow(narrow: Parts, part: JsonSchema): boolean {
    const schema = part.additionalProperties ?? true;
    const properties = schemasIn(part, "properties");
    const names = propertyNames(narrow).filter((name) => !Object.hasOwn(properties, name));
    return (
      names.every((name) =>
        this.#includesNested(propertyConstraints(narrow, name, this.#narrow), schema),
      ) &&
      this.#includesNested(otherPropertyConstraints(narrow, patternsOf(part), this.#narrow), schema)
    );
  }

  #patternsFollow(narrow: Parts, part: JsonSchema): boolean {
    const patterns = Object.entries(schemasIn(part, "patternProperties"));
    return patterns.every(
      ([pattern, schema]) =>
        schema === true ||
        narrow.some(
          (narrowPart) =>
            Object.hasOwn(schemasIn(narrowPart, "patternProperties"), pattern) &&
            isEquivalent(
              schemasIn(narrowPart, "patternProperties")[pattern],
              schema,
              this.#versions,
            ),
        ),
    );
  }

  #itemsFollow(narrow: Parts, part: JsonSchema): boolean {
    const count = Math.max(prefixLength(narrow), prefixLength([part]));
    const maximum = Math.min(
      Number.POSITIVE_INFINITY,
      ...narrow.map(({ maxItems }) =>
        typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY,
      ),
    );
    for (let i = 0; i <= count && i < maximum; i++) {
      this.#depth++;
      const answer = this.includes(
        itemConstraints(narrow, i, this.#narrow),
        itemConstraints([part], i, this.#wide),
      );
      this.#depth--;
      if (!answer) return false;
    }
    return true;
  }

  #dependentsAreRequired(narrow: Parts, value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const required = requiredBy(narrow);
    return Object.values(value).every(
      (names) => Array.isArray(names) && names.every((name) => required.has(name)),
    );
  }

  #someBranchFollows(narrow: Parts, branches: unknown): boolean {
    return (
      Array.isArray(branches) &&
      branches.some((branch: Schema) => this.includes(narrow, this.#wide.conjunctionOf(branch)))
    );
  }

  /**
   * Compares the alternatives of the narrow version one by one: branches of `anyOf` and `oneOf`, or
   * several types.
   */
  #followsByAlternative(narrow: Parts, part: JsonSchema): boolean {
    const alternatives = this.#alternativesOf(narrow);
    return (
      alternatives !== undefined &&
      alternatives.length <= MAX_BRANCHES &&
      alternatives.every(
        (alternative) => alternative === "never" || this.includes(alternative, [part]),
      )
    );
  }

  #alternativesOf(narrow: Parts): readonly Conjunction[] | undefined {
    const at = narrow.findIndex(({ anyOf, oneOf }) => Array.isArray(anyOf) || Array.isArray(oneOf));
    const part = narrow[at];
    if (part && !isOpaque(part)) {
      const rest = [
        ...narrow.slice(0, at),
        this.#narrow.withoutAlternatives(part),
        ...narrow.slice(at + 1),
      ];
      const branches = (part.anyOf ?? part.oneOf) as readonly Schema[];
      return branches.map((branch) => conjoin(rest, this.#narrow.conjunctionOf(branch)));
    }
    const types = typeNamesOf(possibleTypes(narrow, this.#narrow));
    return types.length > 1 && narrow.some(({ type }) => Array.isArray(type))
      ? types.map((type) => conjoin(narrow, this.#narrow.conjunctionOf(typeSchema(type))))
      : undefined;
  }
}

function conjoin(parts: Parts, addition: Conjunction): Conjunction {
  return addition === "never" ? addition : [...new Set([...parts, ...addition])];
}

const typeSchemas = new Map<string, JsonSchema>();

/** The same object for each type, because parts are compared by identity. */
function typeSchema(type: string): JsonSchema {
  const schema = typeSchemas.get(type) ?? { type };
  typeSchemas.set(type, schema);
  return schema;
}

/** Maximum nesting inspected for a property that distinguishes objects. */
const MAX_DISJOINT_DEPTH = 2;

/** True when certainly no value satisfies both schemas of one version. */
function areDisjoint(
  a: Conjunction,
  b: Conjunction,
  version: SchemaVersion,
  depth = MAX_DISJOINT_DEPTH,
): boolean {
  if (a === "never" || b === "never") return true;
  const common = possibleTypes(a, version) & possibleTypes(b, version);
  if (common === 0) return true;
  const [x, y] = [possibleValues(a, version), possibleValues(b, version)];
  if (x && y) return !x.some((value) => y.some((candidate) => equalJson(value, candidate)));
  return common === OBJECT && depth > 0 && haveDisjointProperty(a, b, version, depth);
}

/** True when a required property cannot be valid for both. */
function haveDisjointProperty(
  a: readonly JsonSchema[],
  b: readonly JsonSchema[],
  version: SchemaVersion,
  depth: number,
): boolean {
  const required = new Set([...requiredBy(a), ...requiredBy(b)]);
  const names = [...propertyNames(a), ...propertyNames(b)].filter((name) => required.has(name));
  return names.some((name) =>
    areDisjoint(
      propertyConstraints(a, name, version),
      propertyConstraints(b, name, version),
      version,
      depth - 1,
    ),
  );
}

/** True when the schemas are pairwise disjoint. */
function areAllDisjoint(
  schemas: readonly (JsonSchema | boolean)[],
  version: SchemaVersion,
): boolean {
  return schemas.every((a, i) =>
    schemas
      .slice(i + 1)
      .every((b) => areDisjoint(version.conjunctionOf(a), version.conjunctionOf(b), version)),
  );
}
