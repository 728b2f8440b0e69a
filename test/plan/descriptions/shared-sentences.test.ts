import { describe, expect, it } from "vitest";
import { plan } from "../../../src/plan/index.js";
import { api, operation } from "../fixtures.js";

const CODES = "The error code could be one of BadName, BadSize or TooMany.";

/** A plan of tools of which the first have a second sentence. */
const planned = (sentence: string, having: number, of = 12, instructions?: string) =>
  plan(
    api(
      Array.from({ length: of }, (_, i) =>
        operation(`POST /thing${i}s`, {
          summary: `Create thing ${i}`,
          description: i < having ? `Stores it under its number ${i}. ${sentence}` : "",
        }),
      ),
    ),
    instructions === undefined
      ? {}
      : {
          configuration: {
            content: { server: { instructions } },
            source: { file: "mcp-gen.yaml" },
          } as never,
        },
  );

describe("a sentence of many tools", () => {
  it.each([
    ["of five tools moves to the instructions", CODES, 5, 12, true],
    ["of four tools stays", CODES, 4, 12, false],
    ["of less than a tenth stays", CODES, 6, 70, false],
    ["about its call stays", "This request has a time limit of 45 seconds in all.", 12, 12, false],
    [
      "that another one continues stays",
      "Names of things cannot contain newline characters. These have to be escaped.",
      12,
      12,
      false,
    ],
    [
      "that an example follows stays",
      "Names of things have to be encoded as in URLs. For example, a/b is a%2Fb.",
      12,
      12,
      false,
    ],
    [
      "that continues another stays",
      "Hence, its number is the one of the new thing.",
      12,
      12,
      false,
    ],
    [
      "that another one announces stays",
      "The following limits hold. All clients of one address may send 200 requests a minute.",
      12,
      12,
      false,
    ],
    ["that warns stays", "Former things of the same name will be overwritten.", 12, 12, false],
    [
      "with a relative clause moves",
      "A serializer that takes the arguments fields and omit.",
      5,
      12,
      true,
    ],
    [
      "about a case before it stays",
      "In that case, all numbers of the things are shown as text.",
      12,
      12,
      false,
    ],
    ["that is short stays", "Numbers start at one.", 12, 12, false],
  ])("%s", (_, sentence, having, of, moves) => {
    const { api: definition, tools } = planned(sentence, having, of);
    const [first] = tools;
    expect(definition.instructions?.includes(sentence) ?? false).toBe(moves);
    expect(first?.definition.description.includes(sentence)).toBe(!moves);
    const full = first?.definition.fullDescription ?? first?.definition.description;
    expect(full).toContain(sentence);
  });

  it("stays where the configuration writes the instructions", () => {
    const { api: definition, tools } = planned(CODES, 12, 12, "Be brief.");
    expect(definition.instructions).toBe("Be brief.");
    expect(tools[0]?.definition.description).toContain(CODES);
  });
});
