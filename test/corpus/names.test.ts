import { describe, expect, it } from "vitest";
import { load } from "../../src/load/index.js";
import { buildModel } from "../../src/model/index.js";
import type { ApiModel, Operation } from "../../src/model/types.js";
import { classifyOperation } from "../../src/plan/classify.js";
import { nameTools, type ToolName } from "../../src/plan/names/index.js";
import { canStartImperative } from "../../src/plan/names/grammar.js";
import { collectionsOf } from "../../src/plan/collections.js";
import { corpusDocuments } from "./documents.js";

/** Names of real operations: chosen as a person would, and left alone when the document grows. */
const documents = corpusDocuments().filter(({ operations }) => operations !== 0);

function namesOf(
  operations: readonly Operation[],
  schemas: ApiModel["schemas"],
): ReadonlyMap<Operation, ToolName> {
  const subjects = operations.map((operation) => classifyOperation(operation, schemas));
  return new Map(
    [...nameTools(subjects, undefined, collectionsOf(subjects))].map(([subject, name]) => [
      subject.operation,
      name,
    ]),
  );
}

/** What a new operation would be called that wants the name of a known one. */
function twinOf(operation: Operation, path: string): Operation {
  const { operationId: _, ...rest } = operation;
  return { ...rest, path, location: { pointer: `#/paths/${path.replaceAll("/", "~1")}/x` } };
}

describe.each(documents)("$name", ({ file, refRoot }) => {
  const model = load(file, { ...(refRoot !== undefined && { refRoot }) }).then(({ document }) =>
    document ? buildModel(document).model : undefined,
  );

  it("names start with a verb, and none ends in a number or a hash that its operation has not", async () => {
    const found = await model;
    if (!found) return;
    const names = [...namesOf(found.operations, found.schemas)];
    expect(
      names.filter(([, { collision: clash }]) => clash === "hashed").map(([, { name }]) => name),
    ).toEqual([]);
    expect(
      names
        .filter(
          ([, { name }]) =>
            !canStartImperative(name.split("_")[0] ?? "") && !/^(force|soft|patch)_/.test(name),
        )
        .map(([, { name }]) => name),
    ).toEqual([]);
    const numbered = names.filter(
      ([{ operationId = "", path }, { name }]) =>
        /_\d+$/.test(name) && !`${operationId} ${path}`.includes(name.split("_").at(-1) ?? ""),
    );
    expect(numbered.map(([, { name }]) => name)).toEqual([]);
  });

  it("an operation that is added behind renames none, whatever it is called", async () => {
    const found = await model;
    if (!found) return;
    const { operations, schemas } = found;
    const before = namesOf(operations, schemas);
    for (const at of [0, 0.3, 0.6, 0.99].map((part) => Math.floor(part * operations.length))) {
      const known = operations[at] as Operation;
      const wanted = before.get(known)?.name ?? "";
      for (const added of [
        twinOf(known, `/zzz${known.path}`),
        { ...twinOf(known, "/zzz"), operationId: wanted },
        { ...twinOf(known, "/zzz"), operationId: wanted.replace(/^list/, "find") },
      ]) {
        const after = namesOf([...operations, added], schemas);
        expect(
          operations
            .filter((operation) => before.get(operation)?.name !== after.get(operation)?.name)
            .map(({ path }) => path),
        ).toEqual([]);
      }
    }
  });

  it("an operation that goes renames none but those that had to make way", async () => {
    const found = await model;
    if (!found) return;
    const { operations, schemas } = found;
    const before = namesOf(operations, schemas);
    const step = Math.max(1, Math.floor(operations.length / 12));
    for (let at = 0; at < operations.length; at += step) {
      const after = namesOf(
        operations.filter((_, i) => i !== at),
        schemas,
      );
      const renamed = [...after].filter(
        ([operation, { name }]) =>
          before.get(operation)?.name !== name && before.get(operation)?.collision === undefined,
      );
      expect(renamed.map(([, { name }]) => name)).toEqual([]);
    }
  });
});
