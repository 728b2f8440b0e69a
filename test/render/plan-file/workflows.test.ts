import { mkdtempSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { generate } from "../../../src/generate.js";
import { planFile } from "../../../src/render/plan-file/index.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-suggested-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What stands behind the number signs at the end of the file. */
function suggested(file: string): string {
  const lines = file.split("\n");
  return lines.slice(lines.findIndex((line) => line === "# arazzo: 1.1.0")).map((line) => line.replace(/^# /, "")).join("\n");
}

test("suggested workflows are an Arazzo document that generates without a warning of its own", async () => {
  copyFileSync("samples/clinic/openapi.yaml", join(folder, "openapi.yaml"));
  const document = join(folder, "openapi.yaml");
  const { plan } = await generate(document, undefined);
  if (!plan) throw new Error("no plan");
  const text = suggested(planFile(plan, { spec: "./openapi.yaml", output: "./server", narrowed: false }));
  writeFileSync(join(folder, "tasks.arazzo.yaml"), text);
  const { ok, diagnostics, plan: again } = await generate(document, undefined, { workflows: [join(folder, "tasks.arazzo.yaml")] });
  expect(diagnostics.filter(({ code }) => code.startsWith("workflow-"))).toEqual([]);
  expect(ok).toBe(true);
  const made = again?.tools.filter(({ workflow }) => workflow).map(({ definition, inputs }) => `${definition.name}(${inputs.map(({ name, required }) => (required ? name : `${name}?`)).join(", ")})`);
  expect(made).toEqual(["update_owner_by_words(look_up, name?, email?, phone?, address?)", "create_pet_by_words(look_up, name, species)"]);
});

test("nothing is suggested where no list finds by words", async () => {
  const { plan } = await generate("samples/tickets/openapi.yaml", undefined, { only: ["createHold", "getHold"] });
  if (!plan) throw new Error("no plan");
  expect(planFile(plan, { spec: "./openapi.yaml", output: "./server", narrowed: false })).not.toContain("arazzo");
});
