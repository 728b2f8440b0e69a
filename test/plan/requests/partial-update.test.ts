import { expect, it } from "vitest";
import { changesOnlySentFields } from "../../../src/plan/requests/partial-update.js";
import { operation } from "../fixtures.js";

it.each([
  ["PATCH", "Replaces it."],
  ["PUT", "Only the fields that you send are changed."],
  ["POST", "Updates the customer. Any parameters not provided will be left unchanged."],
  ["POST", "Partially updates a customer."],
  ["PUT", "Updates only the specified fields."],
  ["PUT", "Omitted properties remain unchanged."],
  ["PUT", "Fields that are not included in the request keep their current values."],
  ["PUT", "Partial update of a user."],
  ["PUT", "Only the properties provided are updated."],
])("%s changes only what is sent: %s", (method, description) => {
  expect(changesOnlySentFields(operation(`${method} /x`, { description }))).toBe(true);
});

it.each([
  ["PUT", "Replaces the user."],
  ["PUT", "Omitted fields are deleted."],
  ["POST", "Creates a user. Only the fields that you need are returned."],
  ["POST", "Only the specified fields are returned."],
  ["PUT", "Updates a user. Fields not provided are set to their defaults."],
  ["DELETE", "Any fields not provided will be left unchanged."],
])("%s does not: %s", (method, description) => {
  expect(changesOnlySentFields(operation(`${method} /x`, { description }))).toBe(false);
});
