import { expect, test } from "vitest";
import { findToolName } from "../../../src/plan/names/derive-name.js";

test.each([
  { given: "list_pets", of: "pets", want: "find_pets" },
  { given: "list_pet", of: "pets", want: "find_pets" },
  { given: "search_all_pets", of: "pets", want: "find_pets" },
  { given: "list", of: "bank accounts", want: "find_bank_accounts" },
  {
    given: "list_codes_of_conduct_all_codes_of_conduct",
    of: "codes of conduct",
    want: "find_codes_of_conduct",
  },
  { given: "list_drive_items_in_list", of: "items", want: "find_drive_items_in_list" },
  {
    given: "list_extensions_by_id_event_id_event_id1",
    of: "extensions",
    want: "find_extensions_by_id_event_id_event_id1",
  },
  { given: "sync_pets", of: "pets", want: undefined },
])("a tool that lists as $given does, and more, is $want", ({ given, of, want }) => {
  expect(findToolName(given.split("_"), of.split(" "))).toBe(want);
});
