import { afterAll, beforeAll, expect, test } from "vitest";
import { findings, type Lab, startLab } from "./workflow-lab.js";
import { aboutShop, ofId, record, shopApi, step } from "./workflow-shop.js";

/** Unambiguous deviations from the specification are reported, and run as intended. */
const workflows: readonly object[] = [
  {
    workflowId: "spelled",
    inputs: record({ ids: { type: "array", items: { type: "string" } }, name: { type: "string" } }),
    steps: [
      {
        stepId: "first",
        operationPath: "shop#/paths/~1products~1{id}/get",
        parameters: [ofId("$inputs.ids[1]")],
        outputs: { all: "$response.body", tag: "$response.body.tags[0].name" },
      },
      step("second", "getProduct", {
        parameters: [
          ofId("{$steps.first.outputs.all.tags[1].name}-x"),
          { name: "shop", in: "path", value: "none" },
        ],
        successCriteria: [
          {
            condition:
              "$response.body.name == \"Second's\" && {$statusCode} == 200 && $response.body.id == '{$inputs.name}'",
          },
        ],
      }),
    ],
    outputs: { tag: "$steps.first.outputs.tag" },
  },
];
const files = { "shop.json": shopApi, "w.arazzo.json": aboutShop(workflows) };

let lab: Lab;
beforeAll(async () => {
  lab = await startLab({
    files,
    reply: () => ({ body: { id: "N", name: "second's", tags: [{ name: "a" }, { name: "b" }] } }),
  });
});
afterAll(() => lab.close());

test("it runs as intended", async () => {
  expect(await lab.call("spelled", { ids: ["x", "y"], name: "n" })).toMatchObject({
    isError: false,
    output: { tag: "a" },
  });
  expect(lab.sent()).toEqual(["GET /products/y", "GET /products/b-x"]);
});

test("it is reported with its location", async () => {
  const { ok, found } = await findings(files);
  expect(ok).toBe(true);
  expect(
    found.map(
      ({ code, location, message }) =>
        `${code} ${location?.pointer.replace("#/workflows/0/steps/", "") ?? ""} ${message}`,
    ),
  ).toEqual([
    "workflow-expression-spelling 1/successCriteria/0/condition The condition is read as \"$response.body.name == 'Second''s' && $statusCode == 200 && $response.body.id == $inputs.name\".",
    'workflow-expression-spelling 0/operationPath The operation is looked up in the source "shop".',
    'workflow-expression-spelling 0/parameters/0/value The expression is read as "$inputs.ids#/1".',
    'workflow-expression-spelling 0/outputs/tag The expression is read as "$response.body#/tags/0/name".',
    'workflow-expression-spelling 1/parameters/0/value The expression is read as "$steps.first.outputs.all.tags#/1/name".',
    'workflow-no-effect 1/parameters/1 "GET /products/{id}" has no path parameter "shop"; it is left out.',
  ]);
});

test("results of a workflow of another document, also of one with the same ID", async () => {
  const one = (workflowId: string): object => ({
    workflowId,
    inputs: record({ id: { type: "string" } }),
    steps: [
      step("a", "getProduct", {
        parameters: [ofId("$inputs.id")],
        outputs: { n: "$response.body#/id" },
      }),
    ],
    outputs: { n: "$steps.a.outputs.n" },
  });
  const calls = (workflowId: string, id: string): object => ({
    workflowId,
    steps: [
      {
        stepId: "call",
        workflowId: `$sourceDescriptions.more.${id}`,
        parameters: [{ name: "id", value: id }],
        outputs: { n: `$workflows.${id}.outputs.n` },
      },
    ],
    outputs: { n: "$steps.call.outputs.n", later: `$workflows.${id}.outputs.n` },
  });
  const sources = {
    sourceDescriptions: [
      { name: "shop", url: "./shop.json" },
      { name: "more", url: "./more.json", type: "arazzo" },
    ],
  };
  const all = await startLab({
    files: {
      "shop.json": shopApi,
      "w.arazzo.json": aboutShop([calls("by-id", "there"), calls("same", "same")], sources),
      "more.json": aboutShop([one("there"), one("same")]),
    },
    reply: ({ path }) => ({ body: { id: path } }),
  });
  const given = await Promise.all(["by_id", "same"].map((name) => all.call(name)));
  await all.close();
  expect(given.map(({ output }) => output)).toEqual(
    ["there", "same"].map((id) => ({ n: `/products/${id}`, later: `/products/${id}` })),
  );
});

test("a misnamed path parameter is rejected", async () => {
  const { ok, found } = await findings({
    "shop.json": shopApi,
    "w.arazzo.json": aboutShop([
      {
        workflowId: "w",
        steps: [step("a", "getProduct", { parameters: [{ name: "sku", in: "path", value: "1" }] })],
      },
    ]),
  });
  expect(ok).toBe(false);
  expect(found.map(({ code, severity }) => `${severity} ${code}`)).toContain(
    "error workflow-parameter-location",
  );
});
