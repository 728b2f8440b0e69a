import { describe, expect, test } from "vitest";
import { findFaults, formsOf } from "./observe.js";
import { replay } from "./replay.js";
import { bodies } from "./rows/bodies.js";
import { errors } from "./rows/errors.js";
import { inputs } from "./rows/inputs.js";
import { missing } from "./rows/missing.js";
import { pages } from "./rows/pages.js";
import { reads } from "./rows/reads.js";
import { refusals } from "./rows/refusals.js";
import { results } from "./rows/results.js";
import { statuses } from "./rows/statuses.js";
import { streams } from "./rows/streams.js";
import { values } from "./rows/values.js";
import { writes } from "./rows/writes.js";
import type { ResponseRow } from "./row.js";

const table: Readonly<Record<string, readonly ResponseRow[]>> = {
  "results in either form": results,
  "values that the schema does not allow": values,
  "bodies as servers send them": bodies,
  streams,
  statuses,
  "effects of writes": writes,
  "what does not exist": missing,
  refusals,
  "errors with more than a message": errors,
  pages,
  "inputs that documents lack": inputs,
  "responses as documented": reads,
};

/** Smallest size of the table. */
const fewest = 80;

const counters = { rows: 0, turned: 0, lost: 0, contradictions: 0 };

for (const [subject, rows] of Object.entries(table))
  describe(subject, () => {
    test.each(rows.map((row) => [row.name, row] as const))("%s", async (_, row) => {
      const { result, requests } = await replay(row);
      const faults = findFaults(row, result);
      counters.rows++;
      counters.turned += faults.turned.length;
      counters.lost += faults.lost.length;
      counters.contradictions += faults.contradictions.length;
      expect(faults, JSON.stringify(formsOf(result), null, 2)).toEqual({
        turned: [],
        lost: [],
        contradictions: [],
      });
      expect(requests.length).toBe(row.requests ?? 1);
      if (row.sends !== undefined) expect(JSON.parse(requests[0]!.body)).toEqual(row.sends);
    });
  });

describe("the table", () => {
  test("has enough rows, with names of their own", () => {
    const names = Object.values(table).flatMap((rows) => rows.map(({ name }) => name));
    expect(names.length).toBeGreaterThanOrEqual(fewest);
    expect(new Set(names).size).toBe(names.length);
  });

  test("turns no success into an error, loses nothing and contradicts nothing", () => {
    const { rows, ...faults } = counters;
    expect(rows).toBeGreaterThanOrEqual(fewest);
    expect(faults).toEqual({ turned: 0, lost: 0, contradictions: 0 });
  });
});
