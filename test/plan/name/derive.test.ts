import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { subjectOf } from "../../../src/plan/kind.js";
import { idRules, read } from "../../../src/plan/name/derive/from-id.js";
import { pathRules } from "../../../src/plan/name/derive/from-path.js";
import { parseOperationId } from "../../../src/plan/name/operation-id/index.js";
import { verbRules } from "../../../src/plan/name/operation-id/verb-at.js";
import { ok, operation } from "../given.js";

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
      rule: "searchesForObject",
      id: "getSearchMovie",
      at: "GET /movies/search-all",
      more: list,
      want: "search movie",
    },
    {
      rule: "searchesForObject",
      id: "catalog_getLookupBook",
      at: "GET /catalog",
      want: "lookup catalog book",
    },
    {
      rule: "verbAmongWords",
      id: "genai_import_custom_model",
      at: "POST /custom_models/import",
      more: { summary: "Import a custom model" },
      want: "import genai custom model",
    },
    {
      rule: "verbAmongWords",
      id: "file_copy_job",
      at: "POST /files/{id}",
      more: { summary: "Copy a file" },
      want: "copy file job",
    },
    {
      rule: "groupAlone",
      id: "emojis/get",
      at: "GET /emojis",
      more: { responses: [ok({ type: "object" })] },
      want: "get emojis",
    },
    {
      rule: "groupAlone",
      id: "CountryAirportList_list",
      at: "GET /airports",
      more: list,
      want: "list country airports",
    },
    {
      rule: "objectIsPath",
      id: "listOnCalls",
      at: "GET /oncalls",
      more: list,
      want: "list oncalls",
    },
    {
      rule: "linkToGroup",
      id: "issues/list-for-repo",
      at: "GET /repos/{repo}/issues",
      more: list,
      want: "list issues for repo",
    },
    { rule: "linkToGroup", id: "getById", at: "GET /pets/{id}", want: "get pet by id" },
    { rule: "allOfThem", id: "pets.deleteAll", at: "DELETE /everything", want: "delete pets" },
    { rule: "allOfThem", id: "deleteAll", at: "DELETE /products", want: "delete products" },
    {
      rule: "createsOne",
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
    const subject = subjectOf(operation(at, { operationId: id, ...more }), {});
    return applied(idRules, read(parseOperationId(id, subject)!, subject));
  };

  it.each(rows)("$rule: $id of $at is $want", (row) => {
    const { rule, want, without } = applying(row);
    expect({ rule, want }).toEqual({ rule: row.rule, want: row.want });
    expect(without).not.toBe(want);
  });

  it("has a row", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(idRules.map(nameOf));
  });
});

describe("a rule for paths", () => {
  const rows: readonly Row[] = [
    { rule: "endsInVerb", at: "POST /pets/{id}/adopt", want: "adopt pet" },
    { rule: "endsInVerb", at: "GET /pets/findByStatus", more: list, want: "find pets by status" },
    { rule: "endsInVerb", at: "POST /bookings/{id}/check_in", want: "check_in booking" },
    { rule: "endsInIdentifier", at: "POST /chat.postMessage", want: "post chat message" },
    { rule: "isVerbAlone", at: "POST /convert", want: "convert" },
    {
      rule: "readsByParameter",
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
    const found = applied(pathRules, subjectOf(operation(at, more), {}));
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
    { rule: "behindItsThing", words: "invite resolve", at: "GET /invites/{code}", want: 1 },
    { rule: "behindItsThing", words: "exec resize", at: "POST /exec/{id}/resize", want: 1 },
    {
      rule: "beforeItsThing",
      words: "glaze pot",
      at: "PUT /pots/{id}/glaze",
      said: "glaze",
      want: 0,
    },
    {
      rule: "beforeItsThing",
      words: "share clay pots list",
      at: "POST /clay-pots-list/share",
      want: 0,
    },
    { rule: "behindItsManner", words: "bulk check", at: "POST /links:bulkCheck", want: 0 },
    { rule: "strongFirst", words: "list pets", at: "GET /pets", want: 0 },
    { rule: "loneIndex", words: "index", at: "GET /users", grouped: true, want: 0 },
    { rule: "weakFirst", words: "check pet", at: "POST /pets/{id}", want: 0 },
    { rule: "weakFirst", words: "post comment", at: "GET /posts", want: -1 },
    { rule: "strongLater", words: "post list", at: "GET /all", want: 1 },
    { rule: "strongLater", words: "user delete account", at: "POST /a", want: 1 },
    { rule: "strongLater", words: "report delete all", at: "GET /reports", want: 1 },
    { rule: "strongLater", words: "admin bulk delete", at: "POST /admin", want: 1 },
    { rule: "weakLast", words: "action search", at: "POST /search/action", want: 1 },
    { rule: "weakLast", words: "account charge", at: "POST /accounts/{id}", want: 1 },
  ];

  it.each(rows)("$rule: $words of $at", ({ rule, words, at, grouped = false, said = "", want }) => {
    const {
      operation: { method },
      parts,
    } = subjectOf(operation(at), {});
    const chunk = { words: words.split(" "), grouped, method, parts, said };
    const first = verbRules.findIndex((one) => one(chunk) !== undefined);
    expect({ rule: nameOf(verbRules[first]), want: verbRules[first]?.(chunk) }).toEqual({
      rule,
      want,
    });
    expect(
      verbRules
        .slice(first + 1)
        .map((one) => one(chunk))
        .find((found) => found !== undefined),
    ).not.toBe(want);
  });

  it("has a row", () => {
    expect([...new Set(rows.map(({ rule }) => rule))]).toEqual(verbRules.map(nameOf));
  });
});
