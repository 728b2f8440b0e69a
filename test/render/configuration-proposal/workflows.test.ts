import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../../src/generate.js";
import type { GeneratedFile, PlannedTool } from "../../../src/index.js";
import { proposeConfiguration } from "../../../src/render/configuration-proposal/index.js";
import { typeErrors } from "../../workflow/type-check.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-suggested-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What stands behind the number signs at the end of the file. */
function suggested(file: string): string {
  const lines = file.split("\n");
  return lines
    .slice(lines.findIndex((line) => line === "# arazzo: 1.1.0"))
    .map((line) => line.replace(/^# /, ""))
    .join("\n");
}

/** Tools as `name(input, optional?)`. */
const signature = ({ definition, inputs }: PlannedTool): string =>
  `${definition.name}(${inputs.map(({ name, required }) => (required ? name : `${name}?`)).join(", ")})`;

const corpus = join(process.env["MCP_GEN_SHARED"] ?? "../shared", "corpus");
/** What is suggested for a document. */
const cases: readonly { readonly document: string; readonly want: readonly string[] }[] = [
  {
    document: "samples/clinic/openapi.yaml",
    want: [
      "update_owner_by_words(look_up, name?, email?, phone?, address?)",
      "create_pet_by_words(look_up, name, species)",
    ],
  },
  {
    document: "samples/shop/openapi.yaml",
    want: ["delete_product_by_words(look_up, x_api_version, tenant_id)"],
  },
  { document: "samples/tickets/openapi.yaml", want: ["create_hold_by_title(look_up, seats)"] },
  {
    document: join(corpus, "github/api.github.com.json"),
    want: [
      "update_project_item_for_org_by_words(look_up, project_number, org, fields)",
      "delete_project_item_for_org_by_words(look_up, project_number, org)",
      "update_project_item_for_user_by_words(look_up, project_number, username, fields)",
    ],
  },
  {
    document: join(corpus, "stripe/spec3.json"),
    want: [
      "delete_product_by_words(look_up)",
      "update_product_by_words(look_up, active?, description?, expand?, images?, metadata?, name?, package_dimensions?, shippable?, statement_descriptor?, tax_code?, unit_label?, url?)",
      "cancel_subscription_by_words(look_up, expand?, invoice_now?, prorate?)",
    ],
  },
  {
    document: join(corpus, "pagerduty/openapiv3.json"),
    want: [
      "update_automation_action_runner_by_name(look_up, runner)",
      "delete_automation_action_runner_by_name(look_up)",
      "create_actions_runner_team_association_by_name(look_up, team)",
    ],
  },
];

describe("the suggestion is an Arazzo document that generates without additional warnings", () => {
  const written: (readonly GeneratedFile[])[] = [];
  test.each(cases.filter(({ document }) => existsSync(document)))(
    "$document",
    async ({ document, want }) => {
      const { plan } = await generate(document, undefined, { planOnly: true });
      if (!plan) throw new Error("no plan");
      const file = proposeConfiguration(plan, {
        spec: `./${basename(document)}`,
        output: "./server",
        isFiltered: false,
      });
      expect(file.includes("# arazzo: 1.1.0")).toBe(want.length > 0);
      if (want.length === 0) return;
      const place = mkdtempSync(join(folder, "api-"));
      symlinkSync(resolve(document), join(place, basename(document)));
      writeFileSync(join(place, "tasks.arazzo.yaml"), suggested(file));
      const again = await generate(join(place, basename(document)), undefined, {
        workflows: [join(place, "tasks.arazzo.yaml")],
      });
      expect(
        again.diagnostics.filter(
          ({ code, severity }) => code.startsWith("workflow-") || severity === "error",
        ),
      ).toEqual([]);
      expect(again.plan?.tools.filter(({ workflow }) => workflow).map(signature)).toEqual(want);
      written.push(
        (again.files ?? []).filter(({ path }) => !/^src\/tools\/(?!workflows\/)/.test(path)),
      );
    },
  );

  test("whose code type-checks", async () =>
    expect(await typeErrors(join(folder, "all"), written)).toBe(""));
});

test("a lookup that matches parts of words acts only on an exact name", async () => {
  const { plan } = await generate("samples/tickets/openapi.yaml", undefined);
  const file = plan
    ? proposeConfiguration(plan, { spec: "./openapi.yaml", output: "./server", isFiltered: false })
    : "";
  expect(suggested(file)).toContain(
    "- condition: $response.body#/1 == null\n          - condition: $response.body#/0/title == $inputs.look_up",
  );
});

test("nothing is suggested where no list finds by words", async () => {
  const { plan } = await generate("samples/tickets/openapi.yaml", undefined, {
    only: ["createHold", "getHold"],
  });
  if (!plan) throw new Error("no plan");
  expect(
    proposeConfiguration(plan, { spec: "./openapi.yaml", output: "./server", isFiltered: false }),
  ).not.toContain("arazzo");
});
