import { describe, expect, it } from "vitest";
import { joinWithAnd, joinWithOr } from "../../../src/plan/text/sentences.js";

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
