import { describe, expect, it } from "vitest";
import { load } from "../../src/load/index.js";
import { buildModel } from "../../src/model/index.js";
import type { ApiModel, Operation } from "../../src/model/types.js";
import type { ClassifiedOperation } from "../../src/plan/operations/types.js";
import { classifyOperation } from "../../src/plan/classify.js";
import { nameTools, type ToolName } from "../../src/plan/names/index.js";
import { canStartImperative } from "../../src/language/grammar.js";
import { collectionsOf } from "../../src/plan/related-operations.js";
import { corpusDocuments } from "./documents.js";

/** Tool names of published documents: natural, and stable when the document changes. */
const documents = corpusDocuments().filter(({ operations }) => operations !== 0);

/** Classifications, most of the time of naming. Each operation is named thirty times. */
const classified = new WeakMap<Operation, ClassifiedOperation>();

function classify(operation: Operation, schemas: ApiModel["schemas"]): ClassifiedOperation {
  const known = classified.get(operation) ?? classifyOperation(operation, schemas);
  classified.set(operation, known);
  return known;
}

function namesOf(
  operations: readonly Operation[],
  schemas: ApiModel["schemas"],
): ReadonlyMap<Operation, ToolName> {
  const subjects = operations.map((operation) => classify(operation, schemas));
  return new Map(
    [...nameTools(subjects, undefined, collectionsOf(subjects))].map(([subject, name]) => [
      subject.operation,
      name,
    ]),
  );
}

/** Copies an operation without its `operationId`, at another path, so that their names collide. */
function twinOf(operation: Operation, path: string): Operation {
  const { operationId: _, ...rest } = operation;
  return { ...rest, path, location: { pointer: `#/paths/${path.replaceAll("/", "~1")}/x` } };
}

describe.each(documents)("$name", ({ file, refRoot }) => {
  const model = load(file, { ...(refRoot !== undefined && { refRoot }) }).then(({ document }) =>
    document ? buildModel(document).model : undefined,
  );

  it("names start with a verb and end in no invented number or hash", async () => {
    const loadedModel = await model;
    if (!loadedModel) return;
    const names = [...namesOf(loadedModel.operations, loadedModel.schemas)];
    expect(
      names.filter(([, { collision }]) => collision?.kind === "hashed").map(([, { name }]) => name),
    ).toEqual([]);
    expect(
      names
        .filter(
          ([{ summary = "" }, { name }]) =>
            !canStartImperative(name.split("_")[0] ?? "") &&
            !/^(force|soft|patch)_/.test(name) &&
            !new RegExp(`^${name.split("_")[0]} (?:an?|the) `, "i").test(summary),
        )
        .map(([, { name }]) => name),
    ).toEqual([]);
    const numbered = names.filter(
      ([{ operationId = "", path }, { name }]) =>
        /_\d+$/.test(name) && !`${operationId} ${path}`.includes(name.split("_").at(-1) ?? ""),
    );
    expect(numbered.map(([, { name }]) => name)).toEqual([]);
  });

  it("an operation appended to the document renames no other tool", async () => {
    const loadedModel = await model;
    if (!loadedModel) return;
    const { operations, schemas } = loadedModel;
    const before = namesOf(operations, schemas);
    for (const at of [0, 0.3, 0.6, 0.99].map((part) => Math.floor(part * operations.length))) {
      const original = operations[at] as Operation;
      const takenName = before.get(original)?.name ?? "";
      for (const added of [
        twinOf(original, `/zzz${original.path}`),
        { ...twinOf(original, "/zzz"), operationId: takenName },
        { ...twinOf(original, "/zzz"), operationId: takenName.replace(/^list/, "find") },
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

  it("a removed operation renames only tools whose names had collided", async () => {
    const loadedModel = await model;
    if (!loadedModel) return;
    const { operations, schemas } = loadedModel;
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
