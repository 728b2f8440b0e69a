import fc from "fast-check";
import { seed } from "../seed.js";

/**
 * Texts that broke out of strings, templates, comments, file names or Markdown in some generator.
 */
export const nastyTexts: readonly string[] = [
  "${PWNED()} `+PWNED()+` ' + PWNED() + ' \" + PWNED() + \" \\' \\` \\\" \\",
  "*/PWNED()/*",
  "**/ PWNED() /**",
  "*\u200b/PWNED()/*",
  "\nPWNED()\n",
  "\r\nPWNED()\r",
  "\u2028PWNED()\u2029PWNED()\u0085PWNED()",
  "';PWNED();'",
  "\\",
  "\\u0022+PWNED()+\\u0022",
  "</script><script>PWNED()</script>",
  "--> <!-- ${PWNED()}",
  "__proto__",
  "constructor",
  "@ts-expect-error",
  "x\n@ts-expect-error",
  "{@link PWNED} @deprecated @keep",
  "# sourceMappingURL=data:application/json;base64,e30=",
  "#__PURE__ @__PURE__",
  '/// <reference path="../../etc/passwd" />',
  "\ud800 lone \udfff",
  "\u202eevil\u202c \u2066hidden\u2069 \ufefftext\u200b",
  "\u{e0041}\u{e0042}",
  "{{PWNED}} {{{PWNED}}} {{#each x}} {{> x}}",
  "../../../etc/passwd",
  "C:\\Windows\\x",
  "CON",
  "[link](javascript:PWNED()) ![image](http://127.0.0.1/x.png) <img src=x onerror=PWNED()> | cell | `code`",
  "\u0000\u001b[31mred\u0007",
  '","scripts":{"postinstall":"touch x"},"x":"',
  "$(touch x) `touch x` ${HOME} 'quoted' #comment",
  "",
  " ",
  "a".repeat(5000),
];

/** Any text, with more than chance would have of what is special somewhere. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "*/",
        "/*",
        "*",
        "/",
        "\\",
        '"',
        "'",
        "`",
        "${",
        "}",
        "\n",
        "\r",
        "\u2028",
        "@",
        "ts-ignore",
        "#",
        "{{",
        "}}",
        "__proto__",
        "a",
        " ",
        "\ud800",
        "\udc00",
        "\u200b",
        "<",
        "|",
      ),
    )
    .map((parts) => parts.join("")),
);

/** Checks something for many values; the same ones in every run. */
export function forAll<Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      check(value);
    }),
    { seed, numRuns: 400 },
  );
}
