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
  readonly want: string;
}

const nameOf = (rule: { readonly name: string } | undefined): string | undefined => rule?.name;

/** The rule that gives the name, the name in words, and what the rules behind it would give. */
function applied<Given>(
  rules: readonly ((given: Given) => { readonly words: readonly string[] } | undefined)[],
  given: Given,
) {
  const at = rules.findIndex((rule) => rule(given));
  const words = (rule: number): string | undefined => rules[rule]?.(given)?.words.join(" ");
  const next = rules.findIndex((rule, i) => i > at && rule(given));
  return { rule: nameOf(rules[at]), want: words(at), without: words(next) };
}

describe("a rule for operationIds", () => {
  const rows: readonly Row[] = [
    {
      rule: "searchVerbAfterGet",
      id: "getSearchMovie",
      at: "GET /movies/search-all",
      more: list,
      want: "search movie",
    },
    {
      rule: "searchVerbAfterGet",
      id: "catalog_getLookupBook",
      at: "GET /catalog",
      want: "lookup catalog book",
    },
    {
      rule: "verbInsideWords",
      id: "genai_import_custom_model",
      at: "POST /custom_models/import",
      more: { summary: "Import a custom model" },
      want: "import genai custom model",
    },
    {
      rule: "verbInsideWords",
      id: "file_copy_job",
      at: "POST /files/{id}",
      more: { summary: "Copy a file" },
      want: "copy file job",
    },
    {
      rule: "groupOnly",
      id: "emojis/get",
      at: "GET /emojis",
      more: { responses: [ok({ type: "object" })] },
      want: "get emojis",
    },
    {
      rule: "groupOnly",
      id: "CountryAirportList_list",
      at: "GET /airports",
      more: list,
      want: "list country airports",
    },
    {
      rule: "objectFromPath",
      id: "listOnCalls",
      at: "GET /oncalls",
      more: list,
      want: "list oncalls",
    },
    {
      rule: "connectiveToGroup",
      id: "issues/list-for-repo",
      at: "GET /repos/{repo}/issues",
      more: list,
      want: "list issues for repo",
    },
    { rule: "connectiveToGroup", id: "getById", at: "GET /pets/{id}", want: "get pet by id" },
    { rule: "allOfGroup", id: "pets.deleteAll", at: "DELETE /everything", want: "delete pets" },
    { rule: "allOfGroup", id: "deleteAll", at: "DELETE /products", want: "delete products" },
    {
      rule: "createByNoun",
      id: "shop_packages",
      at: "POST /shop_packages",
      want: "create shop package",
    },
    {
      rule: "verbAndObject",
      id: "code-scanning/list-alerts",
      at: "GET /code-scanning/alerts",
      more: list,
      want: "list code scanning alerts",
    },
    { rule: "verbAndObject", id: "inventory", at: "GET /store/inventory", want: "get inventory" },
    {
      rule: "verbAndObject",
      id: "ListNumberCountry",
      at: "GET /numbers",
      more: list,
      want: "list number countries",
    },
  ];
  const applying = ({ id = "", at, more }: Row) => {
    const subject = classifyOperation(operation(at, { operationId: id, ...more }), {});
    return applied(operationIdRules, readOperationId(parseOperationId(id, subject)!, subject));
  };

  it.each(rows)("$rule: $id of $at is $want", (row) => {
    const { rule, want, without } = applying(row);
    expect({ rule, want }).toEqual({ rule: row.rule, want: row.want });
    expect(without).not.toBe(want);
  });

  it("has a row", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(operationIdRules.map(nameOf));
  });
});

describe("a rule for paths", () => {
  const rows: readonly Row[] = [
    { rule: "endsInVerb", at: "POST /pets/{id}/adopt", want: "adopt pet" },
    { rule: "endsInVerb", at: "GET /pets/findByStatus", more: list, want: "find pets by status" },
    { rule: "endsInVerb", at: "POST /bookings/{id}/check_in", want: "check_in booking" },
    { rule: "endsInIdentifier", at: "POST /chat.postMessage", want: "post chat message" },
    { rule: "isSingleVerb", at: "POST /convert", want: "convert" },
    {
      rule: "readByParameter",
      at: "GET /documents/findByMention/{doc}",
      more: list,
      want: "find documents by mention",
    },
    { rule: "startsWithSearch", at: "GET /search/movie", more: list, want: "search movie" },
    {
      rule: "kindAndNoun",
      at: "GET /owners/{o}/pets/{p}/visits",
      more: list,
      want: "list pet visits",
    },
    { rule: "kindAndNoun", at: "POST /Invite", want: "create invite" },
    { rule: "kindAndNoun", at: "OPTIONS /pets", want: "get pets options" },
  ];

  it.each(rows)("$rule: $at is $want", ({ rule, at, more, want }) => {
    const found = applied(pathRules, classifyOperation(operation(at, more), {}));
    expect({ rule: found.rule, want: found.want }).toEqual({ rule, want });
    expect(found.without).not.toBe(want);
  });

  it("has a row", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(pathRules.map(nameOf));
  });
});

describe("a rule for the place of the verb", () => {
  const rows: readonly {
    readonly rule: string;
    readonly words: string;
    readonly at: string;
    readonly grouped?: boolean;
    readonly said?: string;
    readonly want: number;
  }[] = [
    { rule: "afterObject", words: "invite resolve", at: "GET /invites/{code}", want: 1 },
    { rule: "afterObject", words: "exec resize", at: "POST /exec/{id}/resize", want: 1 },
    {
      rule: "beforeObject",
      words: "glaze pot",
      at: "PUT /pots/{id}/glaze",
      said: "glaze",
      want: 0,
    },
    {
      rule: "beforeObject",
      words: "share clay pots list",
      at: "POST /clay-pots-list/share",
      want: 0,
    },
    { rule: "afterAdverb", words: "bulk check", at: "POST /links:bulkCheck", want: 0 },
    { rule: "unambiguousFirst", words: "list pets", at: "GET /pets", want: 0 },
    { rule: "indexAlone", words: "index", at: "GET /users", grouped: true, want: 0 },
    { rule: "ambiguousFirst", words: "check pet", at: "POST /pets/{id}", want: 0 },
    { rule: "ambiguousFirst", words: "post comment", at: "GET /posts", want: -1 },
    { rule: "unambiguousLater", words: "post list", at: "GET /all", want: 1 },
    { rule: "unambiguousLater", words: "user delete account", at: "POST /a", want: 1 },
    { rule: "unambiguousLater", words: "report delete all", at: "GET /reports", want: 1 },
    { rule: "unambiguousLater", words: "admin bulk delete", at: "POST /admin", want: 1 },
    { rule: "ambiguousLast", words: "action search", at: "POST /search/action", want: 1 },
    { rule: "ambiguousLast", words: "account charge", at: "POST /accounts/{id}", want: 1 },
  ];

  it.each(rows)("$rule: $words of $at", ({ rule, words, at, grouped = false, said = "", want }) => {
    const {
      operation: { method },
      pathParts: parts,
    } = classifyOperation(operation(at), {});
    const chunk = { words: words.split(" "), hasGroup: grouped, method, parts, summaryVerb: said };
    const first = verbPositionRules.findIndex((one) => one(chunk) !== undefined);
    expect({
      rule: nameOf(verbPositionRules[first]),
      want: verbPositionRules[first]?.(chunk),
    }).toEqual({ rule, want });
    expect(
      verbPositionRules
        .slice(first + 1)
        .map((one) => one(chunk))
        .find((found) => found !== undefined),
    ).not.toBe(want);
  });

  it("has a row", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(verbPositionRules.map(nameOf));
  });
});
