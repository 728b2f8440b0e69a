import { describe, expect, it } from "vitest";
import { boundPhrase, parseBound } from "../../../src/plan/inputs/infer-description.js";
import { ok, operation, parameter, planned } from "../fixtures.js";

describe("bounds of a range", () => {
  it.each([
    ["created_gte", "Lower bound of created, inclusive"],
    ["createdLt", "Upper bound of created, exclusive"],
    ["created[gt]", "Lower bound of created, exclusive"],
    ["price_max", "Upper bound of price"],
    ["minPrice", "Lower bound of price"],
    ["created_at.on_or_before", "Upper bound of created at"],
    ["open_date_from", "Lower bound of open date"],
    ["max", undefined],
    ["name", undefined],
  ])("%s", (name, expected) => {
    const bound = parseBound(name);
    expect(bound && boundPhrase(bound)).toBe(expected);
  });
});

const describedAs = (inputs: Readonly<Record<string, string | undefined>>, type = "integer") => {
  const { tool } = planned(
    operation("GET /orders", {
      parameters: Object.entries(inputs).map(([name, description]) =>
        parameter(`query ${name}`, {
          schema: { type },
          ...(description !== undefined && { description }),
        }),
      ),
      responses: [ok({ type: "array", items: {} })],
    }),
  );
  return Object.fromEntries(tool.inputs.map(({ name, description }) => [name, description]));
};

describe("families of filters", () => {
  const text = (side: string): string =>
    `The ${side} of the dates on which the orders were placed, in seconds since 1970. Both ends together span at most 90 days.`;

  it("are explained once", () => {
    expect(
      describedAs({ date_from: text("start"), date_to: text("end"), paid: text("x") }),
    ).toEqual({
      date_from: text("start"),
      date_to: `${text("end").split(". ")[0]}. See date_from.`,
      paid: text("x"),
    });
  });

  it("name the bound where a text starts with the same sentence, or a long one", () => {
    const same = (side: string): string => `Filters by date. ${text(side)}`;
    expect(describedAs({ date_from: same("start"), date_to: same("end") })).toEqual({
      date_from: same("start"),
      date_to: "Upper bound of date; see date_from.",
    });
  });

  it("keep a single sentence of their own", () => {
    const one = (side: string): string =>
      `Members who were active on or ${side} the date that the search specifies, in this house`;
    const inputs = { date_after: one("after"), date_before: one("before") };
    expect(describedAs(inputs)).toEqual(inputs);
  });

  it("keep texts about values without an order", () => {
    const about = (side: string): string =>
      `A note that is shown to the account that ${side} the credits. Its maximum length is 100.`;
    const inputs = { comment_from: about("gives"), comment_to: about("gets") };
    expect(describedAs(inputs, "string")).toEqual(inputs);
  });

  it("keep texts that differ", () => {
    const other =
      "Prices are compared in the currency of the shop, without taxes, fees or discounts of any kind.";
    const inputs = { price_min: text("start"), price_max: other };
    expect(describedAs(inputs)).toEqual(inputs);
  });

  it("are described by their names without a text", () => {
    expect(describedAs({ total_gte: undefined, total_lt: undefined })).toEqual({
      total_gte: "Lower bound of total, inclusive.",
      total_lt: "Upper bound of total, exclusive.",
    });
  });
});
