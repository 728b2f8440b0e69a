import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../../src/runtime/data/tokens.js";

/** Tokens by o200k_base. Texts may have the names of its special tokens. */
const tokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

test.each<readonly [string, string]>([
  ["nothing", ""],
  ["prose", "Find the pets of an owner, newest first. Returns up to 100 items with their names."],
  ["JSON Schema", '{"type":"object","properties":{"petId":{"type":"string","minLength":1}}}'],
  ["camel case and acronyms", "getUserProfile listAWSAccounts parseHTMLDocument createdAtUTC"],
  ["snake case", '"pull_number","created_at","user_ids"'],
  ["digits", "2026-01-31T09:00:00Z 1000000 3.14159 65535"],
  ["another script", "宠物的编号。犬の名前を検索する"],
  ["marks", '{"a":[{"b":{}},[]],"c":"","d":{"e":[]}}'],
])("%s", (_, text) => {
  const exact = tokens(text);
  expect(Math.abs(estimateTokens(text) - exact)).toBeLessThanOrEqual(Math.max(2, exact * 0.3));
});

describe("the time", () => {
  test.each([" ", "{", "a", "A", "aA", "1", "é", "\n"])("grows with the text: %j", (part) => {
    const time = (count: number): number => {
      const text = part.repeat(count);
      const start = performance.now();
      estimateTokens(text);
      return performance.now() - start;
    };
    time(100_000);
    expect(time(1_000_000)).toBeLessThan(2_000);
  });
});
