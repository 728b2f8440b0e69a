import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { json, operation, parameter, planned } from "../fixtures.js";

const text = { type: "string" };

/** Inputs of an operation, and the fields of its body with their inputs. */
function plannedFields(at: string, query: Record<string, string>, body: JsonSchema) {
  const [, path = ""] = at.split(" ");
  const { tool } = planned(
    operation(at, {
      parameters: [
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(`path ${name}`)),
        ...Object.entries(query).map(([name, description]) =>
          parameter(`query ${name}`, { description }),
        ),
      ],
      ...json(body),
    }),
  );
  const [binding] = tool.definition.operations;
  return { inputs: tool.inputs.map(({ name }) => name), fields: binding?.request.body?.fields };
}

describe("values that a request has twice", () => {
  it.each([
    {
      given: "the ID at the end of the path, not required",
      at: "PUT /pets/{id}",
      body: { id: text, name: text },
      inputs: ["id", "name"],
      fields: { name: "name" },
    },
    {
      given: "the ID of the item under the name of the resource",
      at: "PUT /pets/{id}",
      body: { petId: text, name: text },
      inputs: ["id", "name"],
      fields: { name: "name" },
    },
    {
      given: "the ID of the item under a bare name",
      at: "PUT /pets/{petId}",
      body: { id: text, name: text },
      inputs: ["petId", "name"],
      fields: { name: "name" },
    },
    {
      given: "the ID of another item than that of the path",
      at: "POST /pets/{petId}/visits",
      body: { id: text, day: text },
      inputs: ["petId", "id", "day"],
      fields: { id: "id", day: "day" },
    },
    {
      given: "an ID of the path, required",
      at: "POST /pets/{petId}/visits",
      body: { petId: text, day: text },
      required: ["petId"],
      inputs: ["petId", "day"],
      fields: { petId: "petId", day: "day" },
    },
    {
      given: "the ID of a parent with a text that says no more",
      at: "POST /pets/{petId}/visits",
      body: { petId: { ...text, description: "The unique identifier of the pet." }, day: text },
      inputs: ["petId", "day"],
      fields: { day: "day" },
    },
    {
      given: "the ID of a parent with a text about another thing",
      at: "DELETE /organizations/{organizationId}/partner",
      body: { organizationId: { ...text, description: "ID of the partner to remove" } },
      required: ["organizationId"],
      inputs: ["organizationId", "body_organizationId"],
      fields: { organizationId: "body_organizationId" },
    },
    {
      given: "the ID of the item with a new value",
      at: "PATCH /apis/{apiId}",
      body: { apiId: { ...text, description: "The new ID of the API." } },
      inputs: ["apiId", "body_apiId"],
      fields: { apiId: "body_apiId" },
    },
    {
      given: "the ID of a parent that must match the path",
      at: "POST /pets/{petId}/visits",
      body: { petId: { ...text, description: "Must match the ID in the path." }, day: text },
      inputs: ["petId", "day"],
      fields: { day: "day" },
    },
    {
      given: "an ID in another spelling",
      at: "PUT /apis/{apiID}",
      body: { api_id: text, name: text },
      inputs: ["apiID", "name"],
      fields: { name: "name" },
    },
    {
      given: "a page in the query and in the body",
      at: "POST /lists",
      query: { nextToken: "Pagination token" },
      body: { nextToken: { ...text, description: "The token of the last call." }, name: text },
      inputs: ["nextToken", "name"],
      fields: { nextToken: "nextToken", name: "name" },
    },
    {
      given: "a parameter of the query with the same text",
      at: "POST /sync",
      query: { group: "Stats group." },
      body: { group: { ...text, description: "Stats group." }, day: text },
      inputs: ["group", "day"],
      fields: { group: "group", day: "day" },
    },
    {
      given: "fields and parameters whose names differ by an underscore",
      at: "POST /sync",
      query: { group: "Stats group.", _group: "Custom group." },
      body: {
        group: { ...text, description: "Stats group." },
        _group: { ...text, description: "Custom group." },
      },
      inputs: ["group", "_group"],
      fields: { group: "group", _group: "_group" },
    },
    {
      given: "a parameter of the query with another text",
      at: "POST /sync",
      query: { group: "Stats group." },
      body: { group: { ...text, description: "New group." } },
      inputs: ["group", "body_group"],
      fields: { group: "body_group" },
    },
    {
      given: "the ID of a parent in the path",
      at: "POST /pets/{id}/visits",
      body: { id: text },
      inputs: ["id", "body_id"],
      fields: { id: "body_id" },
    },
    {
      given: "the new name of what the path names",
      at: "PUT /pets/{name}",
      body: { name: text },
      inputs: ["name", "body_name"],
      fields: { name: "body_name" },
    },
    {
      given: "the name that a custom method acts on",
      at: "POST /v1/{name}:cancel",
      body: { name: text, reason: text },
      inputs: ["name", "reason"],
      fields: { reason: "reason" },
    },
    {
      given: "an ID of another type",
      at: "PUT /pets/{id}",
      body: { id: { type: "integer" } },
      inputs: ["id", "body_id"],
      fields: { id: "body_id" },
    },
  ])("$given", ({ at, query = {}, body, required = [], inputs, fields }) => {
    const properties: Record<string, JsonSchema> = { ...(body as object) };
    const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
    expect(plannedFields(at, query as Record<string, string>, schema)).toEqual({ inputs, fields });
  });
});
