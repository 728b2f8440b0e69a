import { expect, it } from "vitest";
import { classifyOperation } from "../../../src/plan/classify.js";
import { undocumentedBody } from "../../../src/plan/requests/undocumented-body.js";
import { operation, parameter, planned } from "../fixtures.js";

const bodyOf = (at: string, summary: string, query: readonly string[] = []) =>
  undocumentedBody(
    classifyOperation(
      operation(at, { summary, parameters: query.map((name) => parameter(`query ${name}`)) }),
      {},
    ),
  );

it.each([
  ["PUT /server/name", "Set the name of the server."],
  ["PUT /script", "Update the startup script."],
  ["POST /password", "Change the password."],
  ["PATCH /pets/{id}", "Update a pet."],
  ["POST /users", "Create a user."],
])("%s without a body takes one: %s", (at, summary) => {
  expect(bodyOf(at, summary)).toMatchObject({
    required: false,
    contents: [{ mediaType: "application/json", schema: { type: "object" } }],
  });
});

it.each([
  ["PUT /server/{id}/restart", "Restart a server."],
  ["PUT /stars/{owner}", "Add a star."],
  ["PUT /ratings/{item}/{rating}", "Set a rating."],
  ["PUT /plugins/{name}/disable", "Mark a plugin as disabled."],
  ["POST /users/search", "Search for users."],
  ["PATCH /invitations/{id}", "Accept an invitation."],
  ["PUT /members/{name}", "Set the membership of a user."],
  ["POST /runners/registration-token", "Create a registration token."],
  ["DELETE /users/{id}", "Delete a user."],
  ["GET /users", "List users."],
])("%s needs none: %s", (at, summary) => {
  expect(bodyOf(at, summary)).toBeUndefined();
});

it("needs none beside a value in the query", () => {
  expect(bodyOf("PUT /server/name", "Set the name of the server.", ["name"])).toBeUndefined();
});

it("is an input that may be left out", () => {
  const { tool } = planned(operation("PUT /server/name", { summary: "Set the name." }));
  expect(tool.definition.inputSchema).toEqual({
    type: "object",
    properties: {
      body: {
        type: "object",
        description: "Fields to send, with their values. The API's documentation names none.",
      },
    },
    additionalProperties: false,
  });
});
