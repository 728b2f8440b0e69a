import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { templatedFiles } from "../../../src/render/index.js";
import {
  compileTemplates,
  precompileModule,
  type Templates,
} from "../../../src/render/templates/compile.js";
import { fromPrecompiled } from "../../../src/render/templates/load.js";
import { readTemplates } from "../../../src/render/templates/read.js";
import type { PrecompiledTemplates } from "../../../src/render/prebuilt.js";
import { shapes } from "../../../src/render/views/shapes.js";
import { clinicPlan } from "../clinic-plan.js";

const defaults = resolve(import.meta.dirname, "../../../templates");
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-precompiled-"));
afterAll(() => rmSync(folder, { recursive: true }));

function rendered(templates: Templates): readonly string[] {
  return [...templatedFiles(clinicPlan)].map(({ template, view }) =>
    templates.get(template)!(view),
  );
}

test("precompiled templates give the same output as compiled ones", async () => {
  const file = join(folder, "precompiled.mjs");
  writeFileSync(file, precompileModule(defaults));
  const { precompiledTemplates } = (await import(pathToFileURL(file).href)) as {
    precompiledTemplates: PrecompiledTemplates;
  };
  expect(rendered(await fromPrecompiled(precompiledTemplates))).toEqual(
    rendered(compileTemplates(readTemplates(defaults), shapes)),
  );
});

test("every template has a view, and every view a template", async () => {
  const templates = [...readTemplates(defaults).keys()].filter(
    (path) => !path.startsWith("partials/"),
  );
  expect(templates.sort()).toEqual([...shapes.keys()].sort());
});
