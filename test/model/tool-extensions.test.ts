import { expect, test } from "vitest";
import { readToolExtensions } from "../../src/model/operation.js";

test.each([
  ["nothing", {}, {}, {}],
  ["x-mcp", {}, { "x-mcp": { name: "a" } }, { xMcp: { name: "a" } }],
  ["x-mcp of the path", { "x-mcp": false }, {}, { xMcp: false }],
  ["the operation goes first", { "x-mcp": false }, { "x-mcp": true }, { xMcp: true }],
  ["x-internal", {}, { "x-internal": true }, { hiddenBy: "x-internal" }],
  ["x-internal of the path", { "x-internal": true }, {}, { hiddenBy: "x-internal" }],
  ["x-internal: false", {}, { "x-internal": false }, {}],
  ["x-fern-ignore", {}, { "x-fern-ignore": true }, { hiddenBy: "x-fern-ignore" }],
  [
    "x-speakeasy-mcp",
    {},
    {
      "x-speakeasy-mcp": {
        disabled: false,
        name: "Create-Link",
        description: "Create a link",
        scopes: ["write"],
        readOnlyHint: false,
      },
    },
    {
      xMcp: {
        enabled: true,
        name: "create_link",
        description: "Create a link",
        annotations: { readOnlyHint: false },
      },
    },
  ],
  ["x-mcp before x-speakeasy-mcp", {}, { "x-mcp": true, "x-speakeasy-mcp": {} }, { xMcp: true }],
])("%s", (_, path, operation, want) => {
  expect(readToolExtensions(path, operation)).toEqual(want);
});
