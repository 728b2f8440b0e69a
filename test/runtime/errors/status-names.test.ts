import { expect, test } from "vitest";
import { withoutStatusName } from "../../../src/runtime/errors/status-names.js";

test.each<readonly [string, number, string]>([
  ["Not Found", 404, ""],
  ["not found.", 404, ""],
  ["404 Not Found", 404, ""],
  ["HTTP Error 404: Not Found", 404, ""],
  ["There is no pet 7; Not Found", 404, "There is no pet 7"],
  ["Only 2 left; Unprocessable Entity", 422, "Only 2 left"],
  ["Pet not found", 404, "Pet not found"],
  ["Not Found", 400, "Not Found"],
  ["Не найдено", 404, "Не найдено"],
  ["a; b", 404, "a; b"],
  ["unusual", 499, "unusual"],
])("%s for %d: %s", (message, status, want) =>
  expect(withoutStatusName(message, status)).toBe(want),
);
