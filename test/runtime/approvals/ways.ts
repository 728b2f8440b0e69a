import type { Way } from "./answers.js";

/** Input of the tools of a pet. */
export const input = { petId: "p1" };
/** Ways to reach a write that needs a yes. */
export const ways: readonly Way[] = [
  ["delete_pet", input, ["DELETE /v1/pets/p1"]],
  ["delete_pets", { petId: ["p1", "p2"] }, ["DELETE /v1/pets/p1", "DELETE /v1/pets/p2"]],
  ["call_tool", { name: "delete_pet", arguments: input }, ["DELETE /v1/pets/p1"]],
  ["close_account", input, ["POST /v1/notes", "DELETE /v1/pets/p1"]],
  ["purge", input, ["POST /v1/notes", "DELETE /v1/pets/p1"]],
  ["tidy", input, ["DELETE /v1/pets/p1"]],
  ["rebuild_report", {}, ["POST /v1/reports"]],
  ["send_request", { method: "DELETE", path: "/pets/p1" }, ["DELETE /v1/pets/p1"]],
];
