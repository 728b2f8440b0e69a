/** Stand-ins do what the modules do that they replace, in projects that cannot need more. */
import { describe, expect, test } from "vitest";
import * as absentAuth from "../../src/runtime/auth/authenticate.absent.js";
import { authenticate } from "../../src/runtime/auth/authenticate.js";
import type { ApiDefinition } from "../../src/runtime/api-definition.js";
import type { BoundRequest } from "../../src/runtime/request/types.js";
import * as absentPinned from "../../src/runtime/request/pinned-names.absent.js";
import { pinnedNamesOf } from "../../src/runtime/request/pinned-names.js";
import * as absentQuery from "../../src/runtime/request/query.absent.js";
import { bindQuery } from "../../src/runtime/request/query.js";
import * as absentStyles from "../../src/runtime/request/styles.absent.js";
import { percentEncode } from "../../src/runtime/request/serialize.js";
import { namedPairs, pathText } from "../../src/runtime/request/styles.js";
import * as absentNotes from "../../src/runtime/response/notes.absent.js";
import { nextPageNote, truncationNote } from "../../src/runtime/response/notes.js";
import type { RequestMapping } from "../../src/runtime/types.js";
import type { Omission } from "../../src/runtime/response/truncate.js";
import * as absentProject from "../../src/runtime/response/project.absent.js";
import { missingListNote, project } from "../../src/runtime/response/project.js";
import * as absentTelemetry from "../../src/runtime/server/open-telemetry.absent.js";
import { traceCall } from "../../src/runtime/server/open-telemetry.js";
import * as absentMembers from "../../src/runtime/server/members.absent.js";
import { readMembers } from "../../src/runtime/server/members.js";
import * as absentListing from "../../src/runtime/tools/listing.absent.js";
import { listModeOf, listModes } from "../../src/runtime/tools/listing.js";
import * as absentContent from "../../src/runtime/tools/custom-content.absent.js";
import { contentProblems } from "../../src/runtime/tools/custom-content.js";
import * as absentTexts from "../../src/runtime/tools/text-inputs.absent.js";
import { encodeByteInputs } from "../../src/runtime/tools/text-inputs.js";

const api = {
  ...{ name: "things", title: "Things", version: "1", envPrefix: "THINGS" },
  servers: [{ url: "https://things.example" }],
  securitySchemes: {},
} as unknown as ApiDefinition;

describe("an API without security schemes", () => {
  const request = (url: string): BoundRequest =>
    ({ method: "GET", url, headers: [["Accept", "application/json"]] }) as unknown as BoundRequest;
  const forwarded = [
    { name: "Authorization", value: "Bearer secret-1", from: "Authorization" },
    { name: "accept", value: "text/plain", from: "X-Accept" },
    { name: "X-Empty", value: "", from: "X-Empty" },
  ];
  test.each([
    { url: "https://things.example/things/1", forwarded },
    { url: "https://other.example/things/1", forwarded },
    { url: "https://things.example/things/1", forwarded: [] },
  ])("$url gets the same headers and secrets", async ({ url, forwarded }) => {
    const context = { api, env: {}, forwarded };
    expect(await absentAuth.authenticate(request(url), {}, context)).toEqual(
      await authenticate(request(url), {}, context),
    );
  });
});

test.each(["a b/ü", "", 1.5e-7, 12, true, 9007199254740993n])("%s is written the same", (value) => {
  const parameter = { name: "an id", value, reportProblem: () => undefined };
  const codec = { name: percentEncode, value: percentEncode };
  expect(absentStyles.pathText(parameter, percentEncode)).toBe(pathText(parameter, percentEncode));
  expect(absentStyles.namedPairs(parameter, codec)).toEqual(namedPairs(parameter, codec));
});

test("omissions are listed the same without inputs that narrow the result", () => {
  const kinds = ["items", "fields", "characters", "items"] as const;
  const omissions = kinds.map((kind, i): Omission => ({
    path: ["a", i, "b"].slice(0, 4 - i),
    kind,
    omitted: i,
    total: 9,
  }));
  const tool = { name: "get_thing", inputSchema: { properties: { id: { type: "string" } } } };
  expect(absentNotes.truncationNote(omissions, tool)).toBe(truncationNote(omissions, tool));
  const page = { items: [], next: { cursor: "x" } };
  expect(absentNotes.nextPageNote(page)).toBe(nextPageNote(page, tool, { id: "1" }));
});

test("inputs without base64 are sent as given", () => {
  const schema = { type: "object", properties: { id: { type: "string" } } };
  const input = { id: "text:aGVsbG8=" };
  expect(encodeByteInputs(schema, input)).toMatchObject(
    absentTexts.encodeByteInputs(schema, input),
  );
});

test("a request without query, headers and body has the same URL and pinned names", () => {
  const mapping: RequestMapping = {
    ...{ method: "GET", path: "/things/{id}" },
    pathParams: { id: "id" },
  };
  const pinned = pinnedNamesOf(mapping, api);
  expect(absentPinned.pinnedNamesOf(mapping, api)).toEqual(pinned);
  const binding = { input: { id: "1" }, env: {}, problems: [], pinned };
  expect(absentQuery.bindQuery(mapping, binding)).toBe(bindQuery(mapping, binding));
});

test("a server of one API has no members", () => {
  expect(absentMembers.readMembers(api, {})).toEqual(readMembers(api, {}));
});

test.each([undefined, ...listModes])("the list of an API without a budget: %s", (listMode) => {
  const settings = { ...(listMode && { listMode }), toolsets: [], readOnly: false };
  expect(absentListing.listModeOf({}, [], settings)).toBe(listModeOf({}, [], settings));
});

test.each([{ id: "1", rows: [] }, [1], "text", null, undefined])(
  "the result %o is the whole body",
  (body) => {
    expect(absentProject.project(body, {})).toEqual(project(body, {}));
    expect(absentProject.missingListNote(body, {})).toBe(missingListNote(body, {}));
  },
);

test("code without prompts and resources has no problem, and others are named", () => {
  expect(absentContent.contentProblems({ tools: [] })).toEqual(contentProblems({ tools: [] }));
  const prompt = { name: "plan", run: () => "Plan." };
  const problem = expect.stringContaining("--features prompts");
  expect(absentContent.contentProblems({ prompts: [prompt] })).toEqual([problem]);
  expect(() => absentContent.customPromptsFor()(prompt)).toThrow("--features prompts");
});

test("a call without a registered SDK runs the same", async () => {
  const outcome = { outcome: "ok", result: { content: [] } };
  const run = async () => outcome;
  const identity = { name: "things", version: "1" };
  expect(await absentTelemetry.traceCall(identity, "get_thing", {}, run)).toBe(
    await traceCall(identity, "get_thing", {}, run),
  );
});
