import { expect, test } from "vitest";
import { findToolName } from "../../../src/plan/names/derive-name.js";

test.each([
  { input: "list_pets", of: "pets", expected: "find_pets" },
  { input: "list_pet", of: "pets", expected: "find_pets" },
  { input: "search_all_pets", of: "pets", expected: "find_pets" },
  { input: "search_for_pets", of: "pets", expected: "find_pets" },
  { input: "list", of: "bank accounts", expected: "find_bank_accounts" },
  {
    input: "list_codes_of_conduct_all_codes_of_conduct",
    of: "codes of conduct",
    expected: "find_codes_of_conduct",
  },
  { input: "list_drive_items_in_list", of: "items", expected: "find_drive_items_in_list" },
  {
    input: "list_extensions_by_id_event_id_event_id1",
    of: "extensions",
    expected: "find_extensions_by_id_event_id_event_id1",
  },
  { input: "sync_pets", of: "pets", expected: undefined },
])("the merged tool of the list $input is $expected", ({ input, of, expected }) => {
  expect(findToolName(input.split("_"), of.split(" "))).toBe(expected);
});
