import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { setVariables } from "../../../src/cli/init/write.js";

test.each([
  ["a new variable", "", { A: "1" }, "A=1\n"],
  ["an empty assignment", "# Key\nA=\nB=2\n", { A: "1" }, "# Key\nA=1\nB=2\n"],
  ["a commented example", "# A=example\n", { A: "1" }, "A=1\n"],
  ["a file without a last newline", "B=2", { A: "1" }, "B=2\nA=1\n"],
  ["nothing to set", "# A=\n", {}, "# A=\n"],
])("%s", (_, text, values, want) => expect(setVariables(text, values)).toBe(want));

test.each(["a b", "a#b", "it's", 'a"b', "a$b", "$&", "a\\n", "=x", "ä"])(
  "%j is read back",
  (value) => expect(parseEnv(setVariables("A=\n", { A: value })).A).toBe(value),
);
