import { expect, test } from "vitest";
import { shortenItems } from "../../../src/plan/text/markdown.js";

test.each([
  ["- name: the name\n- kind: the kind", "- name\n- kind"],
  ["- `until=<time>` before it\n- **all** of them", "- `until=<time>`\n- **all**"],
  // A colon inside a form is a part of it.
  ["- label=<key>:<value> by label\n- name: by name", "- label=<key>:<value> by label\n- name"],
])("%s", (given, want) => {
  expect(shortenItems(given)).toBe(want);
});
