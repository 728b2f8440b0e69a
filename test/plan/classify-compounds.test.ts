import { describe, expect, it } from "vitest";
import { classifyOperation } from "../../src/plan/classify.js";
import { operation } from "./fixtures.js";

describe("compounds in paths", () => {
  it.each([
    { schema: "OrgUnit", path: "/orgunits/{id}", expected: ["org", "units"] },
    { schema: "OrgUnits", path: "/orgunit", expected: ["org", "unit"] },
    { schema: "Orgunit", path: "/orgunits", expected: ["orgunits"] },
    { schema: "ApiKey", path: "/apikeys", expected: ["apikeys"] },
    { schema: "PaySlip", path: "/payslips", expected: ["payslips"] },
    { schema: "LookUp", path: "/lookup", expected: ["lookup"] },
  ])("$path with the schema $schema", ({ schema, path, expected }) => {
    const { pathParts } = classifyOperation(operation(`GET ${path}`), { [schema]: {} });
    expect(pathParts[0]).toMatchObject({ words: expected });
  });

  it("leaves a word that the texts have as one", () => {
    const { pathParts } = classifyOperation(
      operation("GET /orgunits", { description: "All orgunits." }),
      { OrgUnit: {} },
    );
    expect(pathParts[0]).toMatchObject({ words: ["orgunits"] });
  });
});
