/**
 * Growth of the time of generation with texts in every place of a document, an overlay, workflows
 * and a configuration, and of the time of a call with texts in every place of inputs and responses.
 * `npm run growth:table` writes the measurements to docs/growth.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../../bench/text-growth-cases.mjs";
import { isExcessive } from "../fuzz/cost.js";
import { callPlaces } from "./call-places.js";
import { documentPlaces, type Place } from "./document-places.js";

/** Numbers of pieces: those of a document are limited sooner, and cost more. */
const [DOCUMENT_SIZE, CALL_SIZE] = [500, 2_000];

/** Kinds of texts. `npm run growth` has more of them, for single fields. */
const chosen = [
  "line breaks",
  "capitals",
  "quotes and backslashes",
  "opening brackets",
  "backslashes",
  "a long word",
  "tags without an end",
  "sentences",
];
const writesTable = process.env.GROWTH === "table";

async function timeOf({ work }: Place, piece: string, n: number): Promise<number> {
  const text = textOf(piece, n);
  const start = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Times of a place in milliseconds, of all pieces together, at n, 2n, 4n and 8n. */
interface Measurement {
  readonly name: string;
  readonly times: readonly number[];
}

const factors = [1, 2, 4, 8];

async function measure(place: Place, size: number): Promise<Measurement> {
  const times = factors.map(() => 0);
  for (const piece of chosen)
    for (const [i, factor] of factors.entries())
      times[i]! += await timeOf(place, piece, factor * size);
  return { name: place.name, times };
}

/** The pieces whose last doubling is excessive. The small sizes are measured for the table only. */
async function excessivePieces(place: Place, size: number): Promise<string[]> {
  const excessive: string[] = [];
  for (const piece of chosen) {
    const doubling = await lastDoubling(place, piece, size);
    if (doubling) excessive.push(`${place.name}: ${piece} ${doubling.map(Math.round).join(" ")}`);
  }
  return excessive;
}

/** The times at 4n and 8n, if their growth is excessive in two measurements. */
async function lastDoubling(
  place: Place,
  piece: string,
  size: number,
): Promise<[number, number] | undefined> {
  const after = await timeOf(place, piece, 8 * size);
  // A short time is never excessive, whatever half of the text takes.
  if (!isExcessive(0, after)) return undefined;
  if (!isExcessive(await timeOf(place, piece, 4 * size), after)) return undefined;
  const again: [number, number] = [
    await timeOf(place, piece, 4 * size),
    await timeOf(place, piece, 8 * size),
  ];
  return isExcessive(...again) ? again : undefined;
}

const measurements: Measurement[] = [];

test.each([
  ...documentPlaces.map((place) => ({ ...place, size: DOCUMENT_SIZE })),
  ...callPlaces.map((place) => ({ ...place, size: CALL_SIZE })),
])(
  "$name",
  async ({ size, ...place }) => {
    expect(await excessivePieces(place, size)).toEqual([]);
    if (writesTable) measurements.push(await measure(place, size));
  },
  1_800_000,
);

const row = ({ name, times }: Measurement): string => {
  const factor = (times[3]! / times[0]!) ** (1 / 3);
  return `| ${name} | ${times.map((time) => time.toFixed(0)).join(" | ")} | ${factor.toFixed(1)} |`;
};

const file = join(import.meta.dirname, "../../docs/growth.md");

/** Rows of all places: the new ones, else those of the last measurement (with `-t`). */
function rows(): readonly string[] {
  const stored = new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .map((line) => [/^\| (.+?) \| \d/.exec(line)?.[1], line] as const),
  );
  const measured = new Map(measurements.map((one) => [one.name, row(one)]));
  return [...documentPlaces, ...callPlaces].flatMap(
    ({ name }) => measured.get(name) ?? stored.get(name) ?? [],
  );
}

test.runIf(writesTable)("the table", () => {
  const text = [
    "# Growth of processing time",
    "",
    "Written by `npm run growth:table`. Each row is a place of a text: all texts or names of this kind in a file from which a server is generated, or one place of an input or a response of a call. " +
      `A text has n, 2n, 4n and 8n repetitions of one piece, with n = ${DOCUMENT_SIZE} for files and ${CALL_SIZE} for calls. ` +
      "The columns are milliseconds of the processor for all pieces together, and the factor for each doubling on average: 2 is linear, 4 quadratic. Work on a small text has a factor of 1. " +
      "The measurement fails if one piece takes more than 3.5 times as long at 8n as at 4n, and at least 0.3 s.",
    "",
    `Pieces: ${chosen.join(", ")}. In places for lists, objects and levels, the characters of the text are items, properties and levels. Where a text makes a file invalid, the row has the time until the error.`,
    "",
    "| place | n | 2n | 4n | 8n | factor |",
    "|---|---|---|---|---|---|",
    ...rows(),
    "",
  ].join("\n");
  writeFileSync(file, text);
});
