import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import { extractErrorCodes } from "../../src/plan/documented-errors.js";
import { content, ok, operation, planned } from "./fixtures.js";

interface Case {
  readonly reason: string;
  readonly text: string;
  readonly isAboutErrors?: boolean;
  readonly codes: Readonly<Record<string, string>>;
  readonly rest?: string;
}

const table = [
  "| Code | Description |",
  "|------|-------------|",
  "| `in_use` | Firewall must not be in use |",
  "| `locked` | An action is running. |",
].join("\n");
const tableCodes = { in_use: "Firewall must not be in use", locked: "An action is running" };

describe("error codes of a text", () => {
  it.each<Case>([
    {
      reason: "a table below a heading",
      text: `Deletes a firewall.\n\n#### Error codes\n\n${table}\n\nUse with care.`,
      codes: tableCodes,
      rest: "Deletes a firewall.\n\nUse with care.",
    },
    {
      reason: "a list below a clause",
      text: "Error codes:\n- `group_not_found` - Group or app\n  does not exist.\n- `not_found` - No release.",
      codes: { group_not_found: "Group or app does not exist", not_found: "No release" },
      rest: "",
    },
    {
      reason: "a list in an error response",
      text: "The field is one of\n * `bad_parameter`: A validation error\n * `no_service`: out of area",
      isAboutErrors: true,
      codes: { bad_parameter: "A validation error", no_service: "out of area" },
      rest: "The field is one of",
    },
    {
      reason: "columns by their head",
      text: "### Possible errors:\n| Status | Error Code | Description |\n| :--- | :--- | :--- |\n| 400 | `-80000` | Mandatory fields are missing |",
      codes: { "-80000": "Mandatory fields are missing" },
      rest: "",
    },
    {
      reason: "statuses of errors, not of success",
      text: "| Status code | Meaning |\n|---|---|\n| 200 | Fine |\n| 409 | Exists already |",
      isAboutErrors: true,
      codes: { 409: "Exists already" },
      rest: "",
    },
    {
      reason: "no remarks in capitals",
      text: "Error codes:\n- `NOT_FOUND`: No release\n- `NOTE`: This is not all",
      codes: {},
    },
    { reason: "a table about something else", text: `Countries\n\n${table}`, codes: {} },
    {
      reason: "a list of fields after the errors",
      text: "May return errors.\n\n## Fields\n- `user_id`: the user\n- `team_id`: the team",
      codes: {},
    },
    {
      reason: "causes, not codes",
      text: "An error results when:\n- The status is open.\n- The start is in the future.",
      codes: {},
    },
  ])("$reason", ({ text, isAboutErrors = false, codes, rest = text }) => {
    const found = extractErrorCodes(text, isAboutErrors);
    expect(Object.fromEntries(found.codes)).toEqual(codes);
    expect(found.rest.trim().replace(/\n+/g, "\n\n")).toBe(rest.replace(/\n+/g, "\n\n"));
  });
});

const failure = (description: string, schema: JsonSchema = {}) => ({
  status: "409",
  description,
  contents: [content(schema)],
  headers: [],
});

describe("documented errors of a tool", () => {
  it("are short in the description and complete in the definition", () => {
    const { tool } = planned(
      operation("DELETE /firewalls/{id}", {
        summary: "Delete a firewall",
        description: `Deletes a firewall that exists.\n\n#### Call specific error codes\n${table}`,
        responses: [ok({}), failure("* `conflict`: it was changed")],
      }),
    );
    expect(tool.definition.description).toBe(
      "Delete a firewall that exists. Error codes: in_use (Firewall must not be in use), " +
        "locked (An action is running), conflict (it was changed).",
    );
    expect(tool.definition.errorCodes).toEqual({ ...tableCodes, conflict: "it was changed" });
  });

  it("are named without meanings where these are long", () => {
    const rows = Array.from({ length: 9 }, (_, i) => `| \`code_${i}\` | ${"long ".repeat(9)} |`);
    const { tool } = planned(
      operation("POST /jobs", {
        summary: "Start a job",
        description: `Errors\n\n| Code | Meaning |\n|---|---|\n${rows.join("\n")}`,
      }),
    );
    expect(tool.definition.description).toContain(
      "Error codes: code_0, code_1, code_2, code_3, code_4, code_5 and 3 more.",
    );
    expect(Object.keys(tool.definition.errorCodes ?? {})).toHaveLength(9);
  });

  it("come from explained values of error fields", () => {
    const code = {
      type: "string",
      enum: ["a1", "b2"],
      "x-enum-meanings": { a1: "No money left", b2: "Too late" },
    };
    const schema = {
      type: "object",
      properties: { error: { type: "object", properties: { code } } },
    };
    const { tool } = planned(
      operation("POST /orders", { responses: [ok({}), failure("Conflict", schema)] }),
    );
    expect(tool.definition.errorCodes).toEqual({ a1: "No money left", b2: "Too late" });
  });
});
