import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { load } from "../../src/load/index.js";
import { buildModel } from "../../src/model/index.js";
import { documentOf } from "./documents.js";
import { formErrors, schemaErrors } from "./model-form.js";

const require = createRequire(import.meta.url);

/** Counts operations independently of the code under test. */
function countOperations(root: { readonly paths?: object }): number {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
  return Object.values(root.paths ?? {}).reduce(
    (sum: number, item: object) =>
      sum + Object.keys(item).filter((key) => methods.includes(key)).length,
    0,
  );
}

/** Compilation is slow, so large models are sampled. */
function sampling(count: number): number {
  return count > 150 ? 12 : 1;
}

describe("documents of development dependencies", () => {
  const names = [
    "3.0/json/callbacks",
    "3.0/json/complex-nesting",
    "3.0/json/discriminators",
    "3.0/json/parameters-style",
    "3.0/json/petstore",
    "3.0/json/schema-circular",
    "3.0/json/schema-types",
    "3.0/json/security",
    "3.0/json/server-variables",
    "3.0/json/star-trek",
    "3.1/json/petstore",
    "3.1/json/schema-types",
    "3.1/json/train-travel",
  ];
  const files = names
    .map((name) => `@readme/oas-examples/${name}.json`)
    .filter((name) => resolvable(name));

  test("exist", () => expect(files.length).toBeGreaterThan(9));

  test.each(
    [...files, "@octokit/openapi/generated/api.github.com.json"].filter((name) => resolvable(name)),
  )("%s", (name) => {
    const root = JSON.parse(readFileSync(require.resolve(name), "utf8")) as {
      readonly paths?: object;
    };
    const { model, diagnostics } = buildModel(documentOf(root));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(model?.operations).toHaveLength(countOperations(root));
    if (!model) return;
    expect(formErrors(model)).toEqual([]);
    expect(schemaErrors(model, sampling(Object.keys(model.schemas).length))).toEqual([]);
  });
});

function resolvable(name: string): boolean {
  try {
    return existsSync(require.resolve(name));
  } catch {
    return false;
  }
}

const corpus = join(process.env.MCP_GEN_SHARED ?? "../shared", "corpus");
const index = join(corpus, "INDEX.md");
if (existsSync(index)) {
  /** `| file | title | OAS | fmt | bytes | paths | ops | …` */
  const rows = readFileSync(index, "utf8")
    .split("\n")
    .flatMap((line) => {
      const cells = line.split(" | ");
      const file = /^\| (\S+\.(?:json|ya?ml))$/.exec(cells[0] ?? "")?.[1];
      return file === undefined ? [] : [[file, Number(cells.at(6))] as const];
    });

  describe("real documents", () => {
    test("are listed", () => expect(rows.length).toBeGreaterThan(70));

    test.each(rows)("%s", async (file, operations) => {
      const loaded = await load(join(corpus, file), {
        refRoot: dirname(dirname(join(corpus, file))),
      });
      if (!loaded.document) {
        // Documents with only webhooks or components.
        expect(operations).toBe(0);
        return;
      }
      const { model, diagnostics } = buildModel(loaded.document);
      const leftOut = diagnostics.filter(
        ({ code, message }) =>
          code === "model-method" ||
          code === "model-path" ||
          /the operation [^;]* is left out\.$/.test(message),
      );
      expect((model?.operations.length ?? 0) + leftOut.length).toBe(operations);
      if (!model) {
        expect(
          diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
        ).toEqual(["model-no-operations"]);
        return;
      }
      expect(formErrors(model)).toEqual([]);
      expect(schemaErrors(model, sampling(Object.keys(model.schemas).length))).toEqual([]);
    });
  });
}
