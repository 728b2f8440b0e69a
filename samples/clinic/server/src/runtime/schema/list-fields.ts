/** Names of the fields at many paths, for notes. */
import { isObject } from "../data/values.js";
import { formatPath, type PathSegment } from "./check.js";

type Path = readonly PathSegment[];

/** Maximum number of places that are listed for one field of several items. */
const MAX_PLACES = 10;

/** Number of paths after which no further field is listed. */
const MAX_PATHS = 50;

/**
 * Lists the fields at paths: `items[].owner` if all items have the path, otherwise each place, as
 * `items[3].owner`. Further places and fields are counted.
 * @param root the value, with or without these fields
 */
export function listFields(root: unknown, paths: readonly Path[]): readonly string[] {
  const listed: string[] = [];
  const fields = placesByField(paths);
  let described = 0;
  for (const places of fields) {
    if (listed.length >= MAX_PATHS) break;
    listed.push(...describeField(root, places));
    described++;
  }
  const omitted = fields.length - described;
  return omitted === 0 ? listed : [...listed, `… [${omitted} more fields]`];
}

/** Groups paths that differ in indexes only. A place may have several problems. */
function placesByField(paths: readonly Path[]): readonly (readonly Path[])[] {
  const fields = new Map<string, Map<string, Path>>();
  for (const path of paths) {
    const field = JSON.stringify(path.map((step) => (typeof step === "number" ? 0 : step)));
    const places = fields.get(field) ?? new Map<string, Path>();
    fields.set(field, places.set(JSON.stringify(path), path));
  }
  return [...fields.values()].map((places) => [...places.values()]);
}

function describeField(root: unknown, places: readonly Path[]): readonly string[] {
  const path = places[0]!;
  const name = formatPath(path).replace(/\[\d+\]/g, "[]");
  const owners = countOwners(root, path.slice(0, -1), places.length + 1);
  if (owners <= places.length) return [name];
  const omitted = places.length - MAX_PLACES;
  const listed = places.slice(0, MAX_PLACES).map(formatPath);
  return omitted > 0 ? [...listed, `${name} [${omitted} more of ${places.length}]`] : listed;
}

/** Number of objects at a path whose indexes may be any, up to a limit. */
function countOwners(value: unknown, [step, ...rest]: Path, limit: number): number {
  if (step === undefined) return isObject(value) ? 1 : 0;
  if (typeof step === "string")
    return isObject(value) && Object.hasOwn(value, step)
      ? countOwners(value[step], rest, limit)
      : 0;
  if (!Array.isArray(value)) return 0;
  let count = 0;
  for (const item of value as readonly unknown[]) {
    if (count >= limit) break;
    count += countOwners(item, rest, limit - count);
  }
  return count;
}
