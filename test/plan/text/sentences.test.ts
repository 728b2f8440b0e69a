import { describe, expect, it } from "vitest";
import { joinWithAnd, joinWithOr, toSentence } from "../../../src/plan/text/sentences.js";

describe("joinWithOr", () => {
  it.each([
    { items: [], joined: "" },
    { items: ["from and to"], joined: "from and to" },
    { items: ["name", "from and to"], joined: "name or from and to" },
    { items: ["name", "status", "owner"], joined: "name, status or owner" },
  ])("joins $items", ({ items, joined }) => {
    expect(joinWithOr(items)).toBe(joined);
  });
});

describe("joinWithAnd", () => {
  it("joins the last item by its word", () => {
    expect(joinWithAnd(["name", "status", "owner"])).toBe("name, status and owner");
  });
});

describe("toSentence", () => {
  it.each([
    { text: "The pet", sentence: "The pet." },
    { text: "The pet (of an owner.)", sentence: "The pet (of an owner.)" },
    { text: "The pets (cats, dogs etc.)", sentence: "The pets (cats, dogs etc.)." },
    { text: "Cats, dogs etc.", sentence: "Cats, dogs etc." },
    { text: "動物", sentence: "動物。" },
    { text: "", sentence: "" },
  ])("ends $text", ({ text, sentence }) => {
    expect(toSentence(text)).toBe(sentence);
  });
});
