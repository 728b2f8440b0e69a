import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { classifyOperation } from "../../../src/plan/classify.js";
import { operationIdRules, readOperationId } from "../../../src/plan/names/from-operation-id.js";
import { pathRules } from "../../../src/plan/names/from-path.js";
import { parseOperationId } from "../../../src/plan/names/parse-operation-id.js";
import { verbPositionRules } from "../../../src/plan/names/verb-position.js";
import { ok, operation } from "../fixtures.js";

const list = { responses: [ok({ type: "array", items: { type: "object" } })] };

interface Row {
  readonly rule: string;
  readonly at: string;
  readonly id?: string;
  readonly more?: Partial<Operation>;
  readonly expected: string;
}

const nameOf = (rule: { readonly name: string } | undefined): string | undefined => rule?.name;

/** The rule that applies, the words of the name, and the words that later rules would give. */
function applied<Given>(
  rules: readonly ((input: Given) => { readonly words: readonly string[] } | undefined)[],
  input: Given,
) {
  const at = rules.findIndex((rule) => rule(input));
  const words = (rule: number): string | undefined => rules[rule]?.(input)?.words.join(" ");
  const next = rules.findIndex((rule, i) => i > at && rule(input));
  return { rule: nameOf(rules[at]), expected: words(at), without: words(next) };
}

describe("rules for operationIds", () => {
  const rows: readonly Row[] = [
    {
      rule: "searchVerbAfterGet",
      id: "getSearchMovie",
      at: "GET /movies/search-all",
      more: list,
      expected: "search movie",
    },
    {
      rule: "searchVerbAfterGet",
      id: "catalog_getLookupBook",
      at: "GET /catalog",
      expected: "lookup catalog book",
    },
    { rule: "verbOfNoun", id: "performSearch", at: "POST /records", expected: "search records" },
    {
      rule: "verbInsideWords",
      id: "genai_import_custom_model",
      at: "POST /custom_models/import",
      more: { summary: "Import a custom model" },
      expected: "import genai custom model",
    },
    {
      rule: "verbInsideWords",
      id: "file_copy_job",
      at: "POST /files/{id}",
      more: { summary: "Copy a file" },
      expected: "copy file job",
    },
    {
      rule: "groupOnly",
      id: "emojis/get",
      at: "GET /emojis",
      more: { responses: [ok({ type: "object" })] },
      expected: "get emojis",
    },
    { rule: "groupOnly", id: "getById", at: "GET /pets/{id}", expected: "get pet" },
    {
      rule: "connectiveToGroup",
      id: "issues/list-for-repo",
      at: "GET /repos/{repo}/issues",
      more: list,
      expected: "list issues for repo",
    },
    {
      rule: "connectiveToGroup",
      id: "getByTag",
      at: "GET /pets/{tag}",
      expected: "get pet by tag",
    },
    { rule: "allOfGroup", id: "pets.deleteAll", at: "DELETE /everything", expected: "delete pets" },
    { rule: "allOfGroup", id: "deleteAll", at: "DELETE /products", expected: "delete products" },
    {
      rule: "createByNoun",
      id: "shop_packages",
      at: "POST /shop_packages",
      expected: "create shop package",
    },
    {
      rule: "partOfItem",
      id: "getMetadata",
      at: "GET /matches/{id}/metadata",
      expected: "get match metadata",
    },
    {
      rule: "partOfItem",
      id: "updateData",
      at: "PATCH /feeds/{key}/data/{id}",
      expected: "update feed data",
    },
    {
      rule: "verbAndObject",
      id: "code-scanning/list-alerts",
      at: "GET /code-scanning/alerts",
      more: list,
      expected: "list code scanning alerts",
    },
    {
      rule: "verbAndObject",
      id: "fetchHousePetsById",
      at: "GET /housepets/{petId}",
      expected: "fetch house pet",
    },
    {
      rule: "verbAndObject",
      id: "getPetDetailsById",
      at: "GET /animals/{petId}",
      expected: "get pet details",
    },
    {
      rule: "verbAndObject",
      id: "inventory",
      at: "GET /store/inventory",
      expected: "get inventory",
    },
    {
      rule: "verbAndObject",
      id: "Deleted",
      at: "GET /genes/deleted",
      expected: "get deleted genes",
    },
    {
      rule: "verbAndObject",
      id: "ListNumberCountry",
      at: "GET /numbers",
      more: list,
      expected: "list number countries",
    },
  ];
  const applying = ({ id = "", at, more }: Row) => {
    const subject = classifyOperation(operation(at, { operationId: id, ...more }), {});
    return applied(operationIdRules, readOperationId(parseOperationId(id, subject)!, subject));
  };

  it.each(rows)("$rule: $id of $at is $expected", (row) => {
    const { rule, expected, without } = applying(row);
    expect({ rule, expected }).toEqual({ rule: row.rule, expected: row.expected });
    expect(without).not.toBe(expected);
  });

  it("has a row for every rule", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(operationIdRules.map(nameOf));
  });
});

describe("rules for paths", () => {
  const rows: readonly Row[] = [
    {
      rule: "statedByTag",
      at: "POST /volumes/fs/create",
      more: { summary: "Create a file share", tags: ["File shares"] },
      expected: "create file share",
    },
    { rule: "endsInVerb", at: "POST /pets/{id}/adopt", expected: "adopt pet" },
    { rule: "endsInVerb", at: "POST /pets/{id}/actions/adopt", expected: "adopt pet" },
    { rule: "endsInVerb", at: "POST /pets/{id}/actions/change_type", expected: "change pet type" },
    { rule: "endsInVerb", at: "POST /pets/{id}/analyse", expected: "analyse pet" },
    {
      rule: "endsInVerb",
      at: "GET /pets/findByStatus",
      more: list,
      expected: "find pets by status",
    },
    { rule: "endsInVerb", at: "POST /bookings/{id}/check_in", expected: "check_in booking" },
    { rule: "endsInIdentifier", at: "POST /chat.postMessage", expected: "post chat message" },
    { rule: "isRemoteCall", at: "POST /get_online_friends", expected: "get online friends" },
    { rule: "isSingleVerb", at: "POST /convert", expected: "convert" },
    {
      rule: "verbBeforeParameter",
      at: "GET /documents/findByMention/{doc}",
      more: list,
      expected: "find documents by mention",
    },
    { rule: "verbBeforeId", at: "POST /pots/promote/{potId}", expected: "promote pot" },
    {
      rule: "verbAsFolder",
      at: "POST /restore/bucketMetadata",
      expected: "restore bucket metadata",
    },
    { rule: "startsWithSearch", at: "GET /search/movie", more: list, expected: "search movie" },
    {
      rule: "endsInSearchNoun",
      at: "GET /v2/geometrySearch/{query}.{format}",
      expected: "search geometry",
    },
    {
      rule: "statedSegment",
      at: "GET /translate/klingon",
      more: { summary: "Translate from English" },
      expected: "translate klingon",
    },
    {
      rule: "statedSegment",
      at: "GET /export/{format}",
      more: { ...list, summary: "Export a dataset" },
      expected: "export dataset",
    },
    { rule: "byKey", at: "GET /companies/url/{website}", expected: "get company by url" },
    { rule: "byKey", at: "GET /companies/id/{companyId}", expected: "get company" },
    { rule: "byKey", at: "GET /users/email/{email}", expected: "get user by email" },
    {
      rule: "byKey",
      at: "GET /customers/email/{email}",
      more: { summary: "Get a customer by email" },
      expected: "get customer by email",
    },
    {
      rule: "ofOwner",
      at: "GET /bookings/client/{client_id}",
      more: list,
      expected: "list client bookings",
    },
    {
      rule: "kindAndNoun",
      at: "GET /owners/{o}/pets/{p}/visits",
      more: list,
      expected: "list pet visits",
    },
    { rule: "kindAndNoun", at: "POST /Invite", expected: "create invite" },
    {
      rule: "kindAndNoun",
      at: "PUT /course/activeRoute/pointIndex",
      expected: "set active route point index",
    },
    { rule: "kindAndNoun", at: "OPTIONS /pets", expected: "get pets options" },
  ];

  it.each(rows)("$rule: $at is $expected", ({ rule, at, more, expected }) => {
    const found = applied(pathRules, classifyOperation(operation(at, more), {}));
    expect({ rule: found.rule, expected: found.expected }).toEqual({ rule, expected });
    expect(found.without).not.toBe(expected);
  });

  it("has a row for every rule", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(pathRules.map(nameOf));
  });
});

describe("rules for the position of the verb", () => {
  const rows: readonly {
    readonly rule: string;
    readonly words: string;
    readonly at: string;
    readonly hasGroup?: boolean;
    readonly summaryVerb?: string;
    readonly isTransitive?: boolean;
    readonly isSentence?: boolean;
    readonly expected: number;
  }[] = [
    { rule: "questionOfRead", words: "can delete", at: "GET /pets/can-delete", expected: -1 },
    { rule: "afterObject", words: "notify get thread", at: "GET /threads/{id}", expected: 1 },
    { rule: "afterObject", words: "invite resolve", at: "GET /invites/{code}", expected: 1 },
    { rule: "afterObject", words: "exec resize", at: "POST /exec/{id}/resize", expected: 1 },
    {
      rule: "beforeObject",
      words: "glaze pot",
      at: "PUT /pots/{id}/glaze",
      summaryVerb: "glaze",
      expected: 0,
    },
    {
      rule: "beforeObject",
      words: "share clay pots list",
      at: "POST /clay-pots-list/share",
      expected: 0,
    },
    {
      rule: "firstOfRequest",
      words: "request password reset",
      at: "POST /request-password-reset",
      expected: 0,
    },
    { rule: "unambiguousFirst", words: "list pets", at: "GET /pets", expected: 0 },
    { rule: "indexOfCollection", words: "index", at: "GET /users", hasGroup: true, expected: 0 },
    {
      rule: "statedLast",
      words: "member invite cancel",
      at: "POST /members/{id}/invites",
      summaryVerb: "cancels",
      expected: 2,
    },
    { rule: "ambiguousFirst", words: "check pet", at: "POST /pets/{id}", expected: 0 },
    { rule: "ambiguousFirst", words: "post comment", at: "GET /posts", expected: -1 },
    {
      rule: "firstOfSummary",
      words: "glaze in kiln",
      at: "PUT /kiln",
      summaryVerb: "glaze",
      expected: 0,
    },
    {
      rule: "firstOfSummary",
      words: "email refund",
      at: "POST /refunds/{id}",
      summaryVerb: "email",
      isSentence: true,
      expected: 0,
    },
    {
      rule: "firstOfSummary",
      words: "defend dispute",
      at: "POST /disputes",
      summaryVerb: "defend",
      isTransitive: true,
      expected: 0,
    },
    { rule: "unambiguousLater", words: "post list", at: "GET /all", expected: 1 },
    { rule: "unambiguousLater", words: "user delete account", at: "POST /a", expected: 1 },
    { rule: "unambiguousLater", words: "admin bulk delete", at: "POST /admin", expected: 1 },
    { rule: "ambiguousLast", words: "action search", at: "POST /search/action", expected: 1 },
    { rule: "ambiguousLast", words: "issue parcel report", at: "POST /issues/{id}", expected: 2 },
    { rule: "ambiguousLast", words: "account charge", at: "POST /accounts/{id}", expected: 1 },
  ];

  it.each(rows)("$rule: $words of $at", ({ rule, words, at, expected, ...stated }) => {
    const {
      operation: { method },
      pathParts: parts,
    } = classifyOperation(operation(at), {});
    const chunk = {
      words: words.split(" "),
      method,
      parts,
      hasGroup: false,
      summaryVerb: "",
      isTransitive: false,
      isSentence: false,
      ...stated,
    };
    const first = verbPositionRules.findIndex((one) => one(chunk) !== undefined);
    expect({
      rule: nameOf(verbPositionRules[first]),
      expected: verbPositionRules[first]?.(chunk),
    }).toEqual({ rule, expected });
    expect(
      verbPositionRules
        .slice(first + 1)
        .map((one) => one(chunk))
        .find((found) => found !== undefined),
    ).not.toBe(expected);
  });

  it("has a row for every rule", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(verbPositionRules.map(nameOf));
  });
});
