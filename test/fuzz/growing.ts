import fc from "fast-check";
import { bases, type Inputs } from "./companions.js";
import { slotsOf, valueAt, withValue } from "./slots.js";

/** A way to make an input larger. */
export interface Growing {
  readonly name: string;
  /** Last stage of a run. Errors and overlays are measured without the stages after them. */
  readonly until: "load" | "generate";
  readonly create: (n: number) => Inputs;
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

/** A list or an object of a file that grows. Copies of members get names of their own. */
const anyGrowingPart: fc.Arbitrary<Growing> = fc
  .constantFrom("document" as const, "document" as const, "overlay" as const, "workflows" as const)
  .chain((file) => {
    const slots = slotsOf(bases[file]).filter((slot) => {
      const value = valueAt(bases[file], slot);
      return typeof value === "object" && value !== null && Object.keys(value).length > 0;
    });
    return fc.constantFrom(...slots).map((slot) => ({
      name: `${file} ${slot.join("/")}`,
      until: "generate" as const,
      create: (n: number) => ({
        ...bases,
        [file]: withValue(bases[file], slot, repeated(valueAt(bases[file], slot) as object, n)),
      }),
    }));
  });

function repeated(value: object, n: number): unknown {
  if (Array.isArray(value))
    return range(n).map((i) => renamed(value[i % value.length] as unknown, i));
  const members = Object.entries(value);
  const [name, last] = members.at(-1) as [string, unknown];
  const copies = range(n).map((i) => [`${name}${i}`, renamed(last, i)] as const);
  return Object.fromEntries([...members, ...copies]);
}

/** A copy whose identifiers are its own. */
function renamed(value: unknown, i: number): unknown {
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? `${value}${i}` : value;
  const copy = structuredClone(value) as Record<string, unknown>;
  for (const key of ["operationId", "workflowId", "stepId", "name", "target"])
    if (typeof copy[key] === "string" && key !== "target") copy[key] = `${copy[key]}${i}`;
  if (typeof copy["target"] === "string") copy["description"] = `Copy ${i}`;
  return copy;
}

/** Segments of targets. `#` is the number of an action. */
const segments = fc.array(
  fc.constantFrom(
    ".*",
    "..*",
    "[*]",
    "['/p#']",
    "..summary",
    "..['summary','tags']",
    "[0:5]",
    "[::2]",
    "[-1]",
    "['get','summary','tags']",
    "[?@.summary]",
    "[?@.summary == $.info.title]",
    "[?search(@, 'a+b')]",
    "[?count(@.*) > 1]",
    "[?@.* && !@.x]",
    "[?length(@..*) > 2]",
  ),
  { minLength: 1, maxLength: 3 },
);
const changes = fc.constantFrom<object>(
  { update: { "x-a": { b: [1] } } },
  { update: "text" },
  { update: ["more"] },
  { remove: true },
  { copy: "$.info" },
  { copy: "$.paths['/p0']", update: { "x-b": null } },
);

/** Number of paths under many actions that each query all of them. */
const FIXED_PATHS = 250;

/**
 * Overlays with one action, or one for each path, over paths without operations. Many actions that
 * each query all paths take actions × paths, as the specification asks for, up to the limit of
 * visited values. There only the number of actions grows.
 */
const anyGrowingOverlay: fc.Arbitrary<Growing> = fc
  .record({
    start: fc.constantFrom("$", "$.paths", "$.paths", "$.paths['/p#']", "$.info"),
    segments,
    action: changes,
    version: fc.constantFrom("1.0.0", "1.1.0"),
    isForEach: fc.boolean(),
  })
  .map(({ start, segments: rest, action, version, isForEach }) => {
    const target = start + rest.join("");
    const queriesAll = isForEach && !start.includes("#");
    const create = (n: number): Inputs => ({
      ...bases,
      document: {
        openapi: "3.1.0",
        info: { title: "P", version: "1" },
        paths: pathsOf(queriesAll ? FIXED_PATHS : n),
      },
      overlay: {
        overlay: version,
        info: { title: "O", version: "1" },
        actions: range(isForEach ? n : 1).map((i) => ({
          target: target.replaceAll("#", String(i)),
          description: `Action ${i}`,
          ...action,
        })),
      },
    });
    const name = `overlay ${isForEach ? "for each path" : "once"}: ${target} ${JSON.stringify(action)}`;
    return { name, until: "load", create };
  });

function pathsOf(n: number): object {
  return Object.fromEntries(
    range(n).map((i) => [`/p${i}`, { summary: `Item ${i}`, tags: ["a", "b"], get: { x: [i] } }]),
  );
}

/** Pieces of YAML and JSON. `#` is the number of the line. */
const pieces = fc.array(
  fc.constantFrom(
    "k#: 1\n",
    "k: v\n",
    "- a\n",
    "  ",
    "\n",
    "\r",
    "\t",
    ", ",
    ": ",
    "[",
    "]",
    "{a: 1}, ",
    '{"a": [1, 2]},',
    '"k#": "v", ',
    "'",
    '"',
    "a b ",
    "&a ",
    "&a# ",
    "*a ",
    "!!str ",
    "!x ",
    "? a\n",
    "<<: *a\n",
    "# c\n",
    "--- \n",
    "...\n",
    "%YAML 1.2\n",
    "|\n",
    ">-\n x\n",
    "\\u0041",
    "\ud83d\ude00",
    "\u0000",
  ),
  { minLength: 1, maxLength: 4 },
);
const ends = fc.constantFrom(
  "",
  "\nx: [1\n",
  "]",
  "\n\tb",
  '"',
  "\nx: *nope\n",
  "\n@",
  "\nk0: 2\n",
);

/** Texts with one part that is repeated, most of them invalid. */
const anyGrowingText: fc.Arbitrary<Growing> = fc
  .record({
    start: fc.constantFrom("", "a: ", "a: [", "a:\n  ", "a: {", '{"a": [', "&a x: {b: 1}\n", "- '"),
    repeated: pieces,
    end: ends,
  })
  .map(({ start, repeated: parts, end }) => {
    const part = parts.join("");
    const create = (n: number): Inputs => ({
      ...bases,
      document: `${start}${range(n * 4)
        .map((i) => part.replaceAll("#", String(i)))
        .join("")}${end}`,
      overlay: undefined,
    });
    return { name: `text ${JSON.stringify([start, part, end])}`, until: "load", create };
  });

export const growingKinds: readonly (readonly [name: string, inputs: fc.Arbitrary<Growing>])[] = [
  ["parts of a file", anyGrowingPart],
  ["overlays over paths", anyGrowingOverlay],
  ["texts", anyGrowingText],
];
