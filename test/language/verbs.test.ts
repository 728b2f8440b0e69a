import { describe, expect, it } from "vitest";
import { VERBS, verbsOfClass } from "../../src/language/verbs.js";
import { isVerb } from "../../src/language/grammar.js";

describe("table of verbs", () => {
  it.each([
    { verb: "deallocate", effect: "destroys", class: "verb" },
    { verb: "dissolve", effect: "destroys", class: "verb" },
    { verb: "retire", effect: "destroys", class: "verb" },
    { verb: "revive", effect: "changes", class: "verb" },
    { verb: "drain", effect: "destroys", class: "verbOrNoun" },
    { verb: "enter", effect: "changes", class: "sentence" },
    { verb: "transition", effect: "changes", class: "textOnly" },
    { verb: "report", effect: "adds", class: "verbOrNoun" },
    { verb: "broadcast", effect: "sends", class: "sentence" },
    { verb: "sign_up", effect: "adds", class: "textOnly" },
    { verb: "use", effect: undefined, class: "verbOrNoun" },
  ])("$verb", ({ verb, effect, class: verbClass }) => {
    expect(VERBS.get(verb)).toEqual({ effect, class: verbClass });
  });

  it("has only words in lower case, and phrasal verbs", () => {
    expect([...VERBS.keys()].filter((verb) => !/^[a-z]+(?:_[a-z]+)?$/.test(verb))).toEqual([]);
  });

  it("gives every verb of a name an effect, except verbs of explanations", () => {
    const silent = [...verbsOfClass("verb", "verbOrNoun", "sentence")].filter(
      (verb) => VERBS.get(verb)?.effect === undefined,
    );
    expect(silent.join(" ")).toBe(
      "allow disallow ensure include wait access head match options top use give handle specify tell",
    );
  });

  it("knows no verb of a name that names do not know", () => {
    expect([...verbsOfClass("verb", "verbOrNoun")].filter((verb) => !isVerb(verb))).toEqual([]);
  });
});

describe("rows", () => {
  it("has each verb once", async () => {
    const { readFile } = await import("node:fs/promises");
    const source = await readFile("src/runtime/language/verbs.ts", "utf8");
    const words = [...source.matchAll(/`\n([a-z_\s]+)`/g)].flatMap(([, row = ""]) =>
      row.trim().split(/\s+/),
    );
    expect(words.length).toBe(VERBS.size);
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  });
});

describe("lists of verbs", () => {
  it("have only verbs of the table", async () => {
    const lexicon = await import("../../src/language/lexicon.js");
    const words = Object.entries(lexicon).flatMap(([name, list]) =>
      /(?<!AD)VERBS/.test(name) && name !== "NON_VERBS" && list instanceof Set ? [...list] : [],
    );
    // `do` of `do_something` says nothing.
    expect([...new Set(words)].filter((word) => !VERBS.has(word))).toEqual(["do"]);
  });
});
