import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDiagnostic } from "../../src/diagnostics/index.js";
import { generate } from "../../src/index.js";
import { plant, scratch, treeOf } from "../write/tree.js";
import { generateProject, type Project } from "./project.js";

/**
 * The clinic sample with user changes in four generated files, and a later change of its document.
 */
const document = readFileSync("samples/clinic/openapi.yaml", "utf8");
const spec = join(scratch(), "openapi.yaml");
let project: Project;

beforeAll(async () => {
  writeFileSync(spec, document);
  project = await generateProject(spec);
});
afterAll(() => project?.remove());

const file = (path: string): string => join(project.folder, path);
const read = (path: string): string => readFileSync(file(path), "utf8");

function edit(path: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  let text = read(path);
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  plant(project.folder, { [path]: text });
}

const HELPER = `/**
 * How the clinic's computers tell photos apart.
 * @keep
 */
export const checksum   = (text : string) : string =>
    createHash('sha256').update( text ).digest("hex")   // as since 1998
`;
const STATUS = '/** @keep */\nexport type Status = NonNullable<UpdatePetInput["status"]>;\n';

test("declarations marked @keep survive a regeneration, and the project type-checks and works", async () => {
  edit(
    "src/tools/pets/update_pet.ts",
    ["export const updatePet = ", "/** @keep */\nexport const updatePet = "],
    [`title: "Change a pet's record"`, "title: 'Change the card'"],
  );
  edit("src/tools/owners/create_owner.ts", [
    'from "../../runtime/index.js";',
    'from "../../runtime/index.js";\nimport { createHash } from "node:crypto";',
  ]);
  plant(project.folder, {
    "src/tools/owners/create_owner.ts": `${read("src/tools/owners/create_owner.ts")}\n${HELPER}`,
  });
  plant(project.folder, {
    "src/schemas.ts": `${read("src/schemas.ts")}\n/** @keep */\nexport type PetName = Pet["name"];\n`,
  });
  edit("src/runtime/data.ts", [
    "function normalize",
    "/** @keep */\nexport function farthest(): undefined {\n  return undefined;\n}\n\nfunction normalize",
  ]);
  writeFileSync(
    spec,
    document
      .replaceAll("weightKg", "weightGrams")
      .replace("summary: Register a person as an owner", "summary: Register somebody as an owner"),
  );

  const { diagnostics, written } = await generate(spec, project.folder);
  expect(
    diagnostics.filter(({ severity }) => severity === "error").map((d) => formatDiagnostic(d)),
  ).toEqual([]);
  expect(diagnostics.map((one) => formatDiagnostic(one)).join("\n")).toMatch(
    /update_pet\.ts: updatePet, marked @keep, was adapted to the API, which no longer takes weightKg and takes weightGrams, too\. Its other parts are unchanged, and still name weightKg: correct them\./,
  );
  expect(written?.preserved).toEqual([
    { path: "src/runtime/data.ts", names: ["farthest"] },
    { path: "src/schemas.ts", names: ["PetName"] },
    { path: "src/tools/owners/create_owner.ts", names: ["checksum"] },
    { path: "src/tools/pets/update_pet.ts", names: ["updatePet"] },
  ]);
  expect(read("src/tools/pets/update_pet.ts")).toMatch(
    /weightGrams\?: [\s\S]*\/\*\* @keep \*\/\nexport const updatePet = [\s\S]*title: 'Change the card'[\s\S]*weightGrams: \{[\s\S]*weightGrams: "weightGrams"/,
  );
  expect(read("src/tools/pets/update_pet.ts")).not.toContain("weightKg:");
  expect(read("src/tools/owners/create_owner.ts")).toContain(HELPER);
  expect(read("src/schemas.ts")).toContain("weightGrams");

  await project.run("typecheck");
  const again = await generate(spec, project.folder);
  expect(again.written).toMatchObject({ created: [], updated: [], deleted: [], refused: [] });
});

test("an incompatible declaration is reported with the compiler's message, and nothing changes", async () => {
  plant(project.folder, {
    "src/tools/pets/update_pet.ts": `${read("src/tools/pets/update_pet.ts")}\n${STATUS}`,
  });
  const before = treeOf(join(project.folder, "src"));
  // The status of a pet can no longer be changed.
  const without = document.replace(
    "        status: {$ref: '#/components/schemas/PetStatus'}\n",
    "",
  );
  expect(without).not.toBe(document);
  writeFileSync(spec, without);

  const { ok, diagnostics } = await generate(spec, project.folder);
  expect(ok).toBe(false);
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .map((d) => formatDiagnostic(d));
  expect(errors).toHaveLength(1);
  expect(errors.join("\n")).toMatch(
    /src\/tools\/pets\/update_pet\.ts:\d+:\d+: Status, marked @keep, does not match the generated code: Property 'status' does not exist on type 'UpdatePetInput'\. \(TS2339\)\. Nothing was changed\./,
  );
  expect(treeOf(join(project.folder, "src"))).toEqual(before);
});
