import { describe, expect, it } from "vitest";
import {
  isVerb,
  joinPhrasalVerb,
  pluralizeLast,
  singularizeLast,
} from "../../src/language/grammar.js";

describe("verbs", () => {
  it.each([
    { word: "deallocate", expected: true },
    { word: "unmerge", expected: true },
    { word: "resubmit", expected: true },
    { word: "authorise", expected: true },
    { word: "remark", expected: false },
    // Not `add` again: short words begin with these letters by chance.
    { word: "readd", expected: false },
    { word: "customer", expected: false },
  ])("$word: $expected", ({ word, expected }) => {
    expect(isVerb(word)).toBe(expected);
  });
});

describe("phrasal verbs", () => {
  it.each([
    { words: "check in booking", expected: ["check_in", "booking"] },
    { words: "bookings check in", expected: ["bookings", "check_in"] },
    { words: "check bookings in", expected: ["check", "bookings", "in"] },
    { words: "bookings list", expected: ["bookings", "list"] },
  ])("$words", ({ words, expected }) => {
    expect(joinPhrasalVerb(words.split(" "))).toEqual(expected);
  });
});

describe("number of the last word", () => {
  it.each([
    { words: ["bank", "account"], singular: ["bank", "account"], plural: ["bank", "accounts"] },
    { words: ["news", "feeds"], singular: ["news", "feed"], plural: ["news", "feeds"] },
    { words: ["boxes"], singular: ["box"], plural: ["boxes"] },
  ])("$words", ({ words, singular, plural }) => {
    expect([singularizeLast(words), pluralizeLast(words)]).toEqual([singular, plural]);
  });
});
