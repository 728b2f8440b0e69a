import { expect, test } from "vitest";
import { removeFilterFromDescription } from "../../src/plan/bound-parameters.js";

/** Descriptions without an input that is hidden or fixed. */
test.each([
  {
    given: "Find pets by ID, or by incident key, services or user IDs. More.",
    gone: "user_ids",
    want: "Find pets by ID, or by incident key or services. More.",
  },
  { given: "Find pets by ID, or by status.", gone: "status", want: "Find pets by ID." },
  { given: "Find pets by ID, or by status.", gone: "filter_status", want: "Find pets by ID." },
  { given: "Find pets by words or name.", gone: "q", want: "Find pets by name." },
  { given: "Find pets by ID, or by name.", gone: "q_name_cont", want: "Find pets by ID." },
  {
    given: "Find pets by status, words or name.",
    gone: "status",
    want: "Find pets by words or name.",
  },
  { given: "Find pets by status.", gone: "status", want: "Find pets." },
  {
    given: "Find pets by ID, or by words. Sorted by status.",
    gone: "status",
    want: "Find pets by ID, or by words. Sorted by status.",
  },
  { given: "Get a pet. By status.", gone: "status", want: "Get a pet. By status." },
  { given: "Find pets by statuses.", gone: "status", want: "Find pets by statuses." },
])("$given without $gone", ({ given, gone, want }) => {
  expect(removeFilterFromDescription(given, gone)).toBe(want);
});
