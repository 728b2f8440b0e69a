import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { testServer } from "./live-test.js";
import type { Launch, LaunchSite, LiveCall, Variant } from "./types.js";

async function start({ installation, data, port }: LaunchSite): Promise<Launch> {
  const app = join(data, "app.mjs");
  await copyFile(new URL("apps/loopback.mjs", import.meta.url), app);
  return { command: process.execPath, args: [app, installation, String(port)] };
}

const failing = (kind: LiveCall["kind"], tool: string, input: object, say: string): LiveCall => ({
  kind,
  tool,
  arguments: { ...input },
  expect: "error",
  says: [say],
});

const find = (filter: unknown, say: string): LiveCall => ({
  kind: "find",
  tool: "find_todos",
  arguments: { filter },
  says: [say],
});

const milk = { id: 1 };
const nothing = { id: 999 };

const plain: Variant = {
  name: "plain",
  calls: [
    { kind: "list", tool: "find_todos", says: ['"items":[]'] },
    { kind: "list", tool: "count_todos", says: ['"count":0'] },
    { kind: "create", tool: "create_todo", arguments: { title: "Buy milk" }, says: ['"id":1'] },
    {
      kind: "create",
      tool: "create_todo",
      arguments: { title: "Buy bread", isComplete: "true", tag: { shop: 1 } },
      says: ['"isComplete":true'],
    },
    { kind: "create", tool: "create_todo", arguments: { title: "Bake a cake", desc: "Cream" } },
    failing("wrong input", "create_todo", {}, "title: is required"),
    failing("wrong input", "create_todo", { title: "x", colour: "red" }, "colour: unknown input"),
    { kind: "list", tool: "find_todos", says: ["Buy milk", "Buy bread", "Bake a cake"] },
    { kind: "page", tool: "find_todos", arguments: { filter: { limit: 2 } }, says: ["Buy bread"] },
    {
      kind: "page",
      tool: "find_todos",
      arguments: { filter: { limit: 2, skip: 2 } },
      says: ["Bake a cake"],
    },
    find({ where: { isComplete: true } }, "Buy bread"),
    find('{"where":{"title":"Bake a cake"}}', "Cream"),
    find({ fields: ["title"], order: ["title DESC"] }, '{"title":"Buy milk"}'),
    find({ where: { title: "none" } }, '"items":[]'),
    failing("wrong input", "find_todos", { filter: { size: 1 } }, "filter.size: unknown input"),
    failing("wrong input", "find_todos", { filter: { limit: "many" } }, "filter.limit: expected"),
    { kind: "find", tool: "find_todo", arguments: milk, says: ["Buy milk"] },
    failing("wrong ID", "find_todo", nothing, "Get a valid id from find_todos"),
    failing("wrong ID", "find_todo", { id: "milk" }, 'has the title "milk"'),
    {
      kind: "change",
      tool: "update_todo",
      arguments: { ...milk, desc: "Two litres" },
      says: ["The API accepted it"],
    },
    { kind: "find", tool: "find_todo", arguments: milk, says: ["Buy milk", "Two litres"] },
    failing("wrong ID", "update_todo", { ...nothing, title: "x" }, "Todo with id 999"),
    { kind: "change", tool: "replace_todo", arguments: { ...milk, title: "Buy tea" } },
    failing("wrong input", "replace_todo", milk, "title: is required"),
    {
      kind: "find",
      tool: "find_todo",
      arguments: milk,
      says: ['{"id":1,"title":"Buy tea"}'],
    },
    {
      kind: "change",
      tool: "update_todos",
      arguments: { where: { isComplete: true }, desc: "Done" },
      says: ['"count":1'],
    },
    { kind: "delete", tool: "delete_todo", arguments: milk, says: ["The API accepted it"] },
    failing("wrong ID", "delete_todo", milk, "Todo with id 1"),
    { kind: "server stopped", tool: "find_todos" },
    { kind: "server stopped", tool: "create_todo", arguments: { title: "Buy eggs" } },
  ],
};

const workflows = `arazzo: 1.0.1
info: {title: Tasks of todos, version: 1.0.0}
sourceDescriptions: [{name: todos, type: openapi, url: "{url}/openapi.json"}]
workflows:
  - workflowId: add-and-count
    summary: Add a todo and count all.
    inputs:
      type: object
      required: [title]
      properties:
        title: {type: string, description: Title of the todo.}
    steps:
      - stepId: add
        description: Add the todo.
        operationId: TodoController.create
        requestBody: {payload: {title: $inputs.title}}
        outputs: {id: $response.body#/id}
      - stepId: count
        description: Count the todos.
        operationId: TodoController.count
        outputs: {count: $response.body#/count}
    outputs: {id: $steps.add.outputs.id, count: $steps.count.outputs.count}
`;

const configured: Variant = {
  name: "configured",
  workflows,
  configuration: `version: 1
workflows: [./tasks.arazzo.yaml]
select: {rules: [{match: {path: /todos, method: PATCH}, include: false}]}
tools:
  add_and_count: {workflow: add-and-count}
  list_todos: {operation: TodoController.find}
`,
  calls: [
    {
      kind: "workflow",
      tool: "add_and_count",
      arguments: { title: "Buy milk" },
      says: ['"count":1'],
    },
    { kind: "list", tool: "list_todos", says: ["Buy milk"] },
    failing("wrong ID", "find_todo", nothing, "Get a valid id from list_todos"),
    failing("wrong input", "add_and_count", {}, "title: is required"),
    { kind: "server stopped", tool: "add_and_count", arguments: { title: "Buy eggs" } },
  ],
};

testServer({
  name: "loopback",
  packages: ["@loopback/example-todo@6.0.0"],
  start,
  ready: "/ping",
  document: "/openapi.json",
  credentials: {},
  // The application has neither files, nor credentials, nor unique fields.
  lacks: ["upload", "download", "no credentials", "conflict"],
  variants: [plain, configured],
});
