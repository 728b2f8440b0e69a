import { expect, test } from "vitest";
import { canParseUrl } from "../../../src/runtime/data/urls.js";

test.each([
  { text: "https://münchen.example/ü", base: undefined, want: true },
  { text: "/ü", base: "https://münchen.example", want: true },
  { text: "münchen", base: undefined, want: false },
  { text: "https://", base: undefined, want: false },
])("$text is a URL: $want", ({ text, base, want }) => {
  // `URL.canParse` of Node 20 changes its answer once it is optimized.
  const answers = Array.from({ length: 20_000 }, () => canParseUrl(text, base));
  expect(answers.filter((answer) => answer !== want)).toEqual([]);
});
