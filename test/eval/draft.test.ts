/** Drafts of tasks, from each of their sources. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { draftTasks } from "../../src/eval/draft.js";
import { readConfiguration } from "../../src/configuration/index.js";
import { generate } from "../../src/generate.js";
import { plant, scratch } from "../write/tree.js";

const text = { type: "string" };
const thing = { type: "object", properties: { id: text, name: text } };
const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const ok = (schema: object): object => ({
  responses: { 200: { description: "ok", ...json(schema) } },
});
const inPath = (name: string): object => ({ name, in: "path", required: true, schema: text });
const booking = { type: "object", required: ["day"], properties: { day: text, reason: text } };

const document = {
  openapi: "3.1.0",
  info: { title: "Clinic", version: "1" },
  servers: [{ url: "https://clinic.example" }],
  paths: {
    "/owners": {
      get: {
        operationId: "listOwners",
        summary: "List owners",
        ...ok({ type: "array", items: thing }),
      },
    },
    "/owners/{ownerId}/pets": {
      get: {
        operationId: "listPets",
        summary: "List the pets of an owner",
        parameters: [inPath("ownerId")],
        ...ok({ type: "array", items: thing }),
      },
    },
    "/pets/{petId}/visits": {
      post: {
        operationId: "bookVisit",
        summary: "Book a visit",
        parameters: [inPath("petId")],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: booking,
              example: { day: "2027-05-03", reason: "itches" },
            },
          },
        },
        ...ok(thing),
      },
    },
    "/prices": {
      get: {
        operationId: "listPrices",
        summary: "List prices",
        "x-mcp": { useWhen: "somebody asks what a visit costs" },
        ...ok({ type: "array", items: thing }),
      },
    },
    "/branches/{branchId}/rooms": {
      get: {
        operationId: "listRooms",
        summary: "List the rooms of a branch",
        parameters: [inPath("branchId")],
        ...ok({ type: "array", items: thing }),
      },
    },
    "/rooms/{roomId}/cleanings": {
      post: {
        operationId: "cleanRoom",
        summary: "Clean a room",
        parameters: [inPath("roomId")],
        ...ok(thing),
      },
    },
  },
};
const workflows = `arazzo: 1.0.1
info: {title: Work, version: '1'}
sourceDescriptions: [{name: clinic, url: ./api.json, type: openapi}]
workflows:
  - workflowId: listEverything
    summary: List everything of the clinic
    steps:
      - {stepId: owners, operationId: listOwners, successCriteria: [{condition: $statusCode == 200}]}
      - {stepId: prices, operationId: listPrices, successCriteria: [{condition: $statusCode == 200}]}
`;
const yaml = `version: 1
tools:
  list_owners: {operation: listOwners, examples: [{say: Who are our customers?, call: {}}]}
`;

test("tasks come from examples, workflows, useWhen, request examples and producers, in this order", async () => {
  const root = scratch();
  plant(root, {
    "api.json": JSON.stringify(document),
    "work.yaml": workflows,
    "mcp-gen.yaml": yaml,
  });
  const { configuration } = await readConfiguration(join(root, "mcp-gen.yaml"));
  const { plan, files, diagnostics } = await generate(join(root, "api.json"), undefined, {
    configuration: configuration!,
    workflows: [join(root, "work.yaml")],
  });
  if (!plan || !files) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  const tasks = draftTasks(plan, files);
  expect(tasks.slice(0, 4)).toEqual([
    { say: "Who are our customers?", expect: [{ tool: "list_owners", with: {} }] },
    { say: "List everything of the clinic", expect: [{ tool: "list_everything" }] },
    {
      say: "List prices (when somebody asks what a visit costs)",
      expect: [{ tool: "list_prices" }],
    },
    {
      say: "Book a visit: day 2027-05-03, reason itches",
      expect: [
        { tool: "list_owners" },
        { tool: "list_pets" },
        { tool: "book_visit", with: { day: "2027-05-03", reason: "itches" } },
      ],
      ordered: true,
    },
  ]);
  // An ID that nothing returns is given by the user.
  expect(tasks.find(({ say }) => say.startsWith("Clean a room"))).toEqual({
    say: "Clean a room: branchId branchId",
    expect: [{ tool: "list_rooms", with: { branchId: "branchId" } }, { tool: "clean_room" }],
    ordered: true,
  });
});
