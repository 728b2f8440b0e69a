import type { JsonSchema } from "../../json.js";
import { requiredBy } from "./implied.js";
import { namesIn, propertyOf } from "./members.js";
import { type Conjunction, equalJson, type Side } from "./side.js";
import { OBJECT, typesOf, valuesOf } from "./values.js";

/** How deep objects are looked into for a property that tells them apart. */
const DEPTH = 2;

/** Whether it is certain that no value satisfies both schemas, which are of one side. */
export function areDisjoint(a: Conjunction, b: Conjunction, side: Side, depth = DEPTH): boolean {
  if (a === "never" || b === "never") return true;
  const common = typesOf(a, side) & typesOf(b, side);
  if (common === 0) return true;
  const [x, y] = [valuesOf(a, side), valuesOf(b, side)];
  if (x && y) return !x.some((value) => y.some((other) => equalJson(value, other)));
  return common === OBJECT && depth > 0 && haveTellingProperty(a, b, side, depth);
}

/** A property that one of them requires and that cannot be right for both. */
function haveTellingProperty(
  a: readonly JsonSchema[],
  b: readonly JsonSchema[],
  side: Side,
  depth: number,
): boolean {
  const required = new Set([...requiredBy(a), ...requiredBy(b)]);
  const names = [...namesIn(a), ...namesIn(b)].filter((name) => required.has(name));
  return names.some((name) =>
    areDisjoint(propertyOf(a, name, side), propertyOf(b, name, side), side, depth - 1),
  );
}

/** Whether no value satisfies two of the schemas. */
export function areAllDisjoint(schemas: readonly (JsonSchema | boolean)[], side: Side): boolean {
  return schemas.every((a, i) =>
    schemas
      .slice(i + 1)
      .every((b) => areDisjoint(side.conjunctionOf(a), side.conjunctionOf(b), side)),
  );
}
