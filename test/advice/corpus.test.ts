/**
 * Advice of the tools of published documents, followed literally. `npm run advice` tries all
 * documents and prints the figures, the slow tests try small ones.
 */
import { statSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { corpusDocuments } from "../corpus/documents.js";
import { failures, type Simulation, simulateAdvice } from "./simulate.js";

const MAX_SIZE = 300_000;

/** Milliseconds for a thousand tools on a busy machine. */
const PATIENCE = 1_800_000;
const isComplete = process.env["ADVICE"] === "all";
const documents = corpusDocuments().filter(
  ({ file }) => isComplete || statSync(file).size < MAX_SIZE,
);
const results = new Map<string, Simulation>();

describe.each(documents)("$name", ({ name, file, refRoot }) => {
  test(
    "every advice can be followed",
    async () => {
      const { plan } = await generate(file, undefined, { refRoot, planOnly: true });
      if (!plan) return;
      const simulation = await simulateAdvice(plan);
      results.set(name, simulation);
      expect(simulation.findings.slice(0, 5)).toEqual([]);
    },
    PATIENCE,
  );
});

afterAll(() => {
  const all = [...results.values()];
  const sum = (figure: "tools" | "cases" | "calls" | "unsent"): number =>
    all.reduce((total, one) => total + one[figure], 0);
  const count = (kind: string): number =>
    all.flatMap(({ findings }) => findings).filter((one) => one.startsWith(kind)).length;
  console.log(
    `${all.length} documents, ${sum("tools")} tools, ${failures.length} failures: ` +
      `${sum("cases")} cases (${sum("unsent")} unsent), ${sum("calls")} calls; ` +
      `loops ${count("loop")}, unknown names ${count("unknown")}, ` +
      `not callable ${count("cannot")}, no advice ${count("no advice")}`,
  );
});
