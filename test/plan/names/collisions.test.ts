import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { api, codesOf, names, ok, operation } from "../fixtures.js";
import { seed } from "../../seed.js";

const list = { responses: [ok({ type: "array", items: {} })] };
const all = (operations: readonly Operation[]): Map<string, string> =>
  new Map(
    plan(api(operations), { includeDeprecated: true }).tools.map((tool) => [
      `${tool.operations[0]!.method} ${tool.operations[0]!.path}`,
      tool.definition.name,
    ]),
  );

describe("two operations of one name", () => {
  it.each([
    {
      given: [operation("GET /v1/users", list), operation("GET /v2/users", list)],
      want: ["list_users", "list_users_v2"],
    },
    {
      given: [operation("GET /u/{id}"), operation("GET /u/{name}")],
      want: ["get_u", "get_u_by_name"],
    },
    {
      given: [
        operation("GET /a", { operationId: "getUser" }),
        operation("GET /b", { operationId: "get_user" }),
      ],
      want: ["get_user", "get_user_b"],
    },
    {
      given: [
        operation("GET /a", { operationId: "get user" }),
        operation("GET /b", { operationId: "get:user" }),
      ],
      want: ["get_user", "get_user_b"],
    },
    {
      given: [
        operation("GET /old", { operationId: "getPet", deprecated: true }),
        operation("GET /pets/{id}", { operationId: "get-pet" }),
      ],
      want: ["get_pet_old", "get_pet"],
    },
    {
      given: [
        operation("GET /animal/search", list),
        operation("POST /animal/search", { body: { required: true, contents: [] } }),
      ],
      want: ["search_animal", "search_animal_with_body"],
    },
    {
      given: [
        operation("PUT /p/{id}", { operationId: "p_update" }),
        operation("PATCH /p/{id}", { operationId: "patch_p" }),
      ],
      want: ["update_p", "patch_p"],
    },
    {
      given: [
        operation("GET /a/people", list),
        operation("GET /a/persons", list),
        operation("POST /a/people"),
        operation("POST /a/persons"),
      ],
      want: ["list_a_people", "list_a_persons", "create_a_person", "create_a_person_in_persons"],
    },
    {
      given: [operation("GET /c/{cid}/subs/{sid}/discount"), operation("GET /subs/{sid}/discount")],
      want: ["get_sub_discount", "get_sub_discount_without_cid"],
    },
    {
      given: [operation("GET /a/{id}/{x}"), operation("GET /a/{id}/{x}/{id}")],
      want: ["get_a", "get_a_by_id_x_id"],
    },
    {
      given: [
        operation("GET /r/{n}/repos", { ...list, deprecated: true }),
        operation("GET /r/{n}/reposV2", { ...list, operationId: "listRRepos" }),
      ],
      want: ["list_r_repos_deprecated", "list_r_repos"],
    },
    {
      given: [
        operation("GET /_ping", { operationId: "SystemPing" }),
        operation("HEAD /_ping", { operationId: "SystemPingHead" }),
      ],
      want: ["ping_system", "check_ping_system"],
    },
    {
      given: [
        operation("GET /oauth.access", { operationId: "oauth_access" }),
        operation("GET /oauth.v2.access", { operationId: "oauth_v2_access" }),
      ],
      want: ["get_oauth_access", "get_oauth_access_v2"],
    },
    {
      given: [
        operation("POST /designer/templates", { operationId: "createTemplate" }),
        operation("POST /templates", { operationId: "create_template" }),
      ],
      want: ["create_template", "create_template_without_designer"],
    },
    { given: [operation("GET /ip"), operation("GET /ip.txt")], want: ["get_ip", "get_ip_txt"] },
    {
      given: [
        operation("GET /x/client-scopes/maps/client/scope"),
        operation("GET /x/client/maps/client/scope"),
      ],
      want: ["get_client_scope", "get_client_scope_in_client"],
    },
    {
      given: [
        operation("GET /b/{bucket}/acl", { operationId: "b.acl.get" }),
        operation("GET /b/{bucket}/o/{object}/acl", { operationId: "o.acl.get" }),
      ],
      want: ["get_b_acl", "get_o_acl"],
    },
    {
      given: [
        operation("GET /weather", { fixedQuery: [["of", "city"]] }),
        operation("GET /weather/", { fixedQuery: [["of", "place"]] }),
      ],
      want: ["get_weather", "get_weather_place"],
    },
    {
      given: [
        operation("GET /c", { operationId: "orgs.users.list", ...list }),
        operation("GET /{c}/users", { operationId: "orgs.users.list", ...list }),
      ],
      want: ["list_org_users", "list_users"],
    },
  ])("$want", ({ given, want }) => {
    expect([...all(given).values()]).toEqual(want);
  });

  it("falls back to a hash when nothing in the path differs, and says so", () => {
    const made = plan(api([operation("GET /c-d"), operation("GET /c_d")]));
    expect(names(made)[0]).toBe("get_c_d");
    expect(names(made)[1]).toMatch(/^get_c_d_[a-z0-9]{6}$/);
    expect(codesOf(made)).toEqual(["plan-name-clash"]);
  });
});

describe("stability", () => {
  const twentySix = [
    "getUser",
    "GETUSER",
    "get-user",
    "get_user",
    "get user",
    "constructor",
    "__proto__",
    "toString",
    "class",
    "",
    "😀",
    "   ",
    "1abc",
    "-x",
    ".hidden",
    "eval",
    "NaN",
    "$",
    "tools/list",
    "then",
    "a".repeat(300),
    "await",
    "import",
    "default",
    "arguments",
    "x(){}",
  ];
  const before = twentySix.map((operationId, i) => operation(`GET /p${i}`, { operationId }));

  it.each([
    operation("GET /p26", { operationId: "get.User" }),
    operation("GET /new"),
    operation("POST /p0", { operationId: "createUser" }),
    operation("GET /zzz", { operationId: "Get_User" }),
    operation("GET /zzz", { operationId: "get_user" }),
    operation("GET /zzz", { operationId: "get_user_p1" }),
  ])("adding $path renames none of the others", (added) => {
    const old = all(before);
    const now = all([...before, added]);
    for (const [key, name] of old) expect(now.get(key)).toBe(name);
  });

  it("selecting differently renames nothing", () => {
    const everything = all(before);
    const some = plan(api(before), { only: ["GET /p1*"] });
    for (const tool of some.tools)
      expect(tool.definition.name).toBe(everything.get(`GET ${tool.operations[0]!.path}`));
  });

  it("names any operations uniquely and legally", () => {
    const word = fc.constantFrom(
      "pets",
      "users",
      "v1",
      "v2",
      "{id}",
      "{name}",
      "search",
      "a-b",
      "a_b",
      "ü",
      "宠物",
      "nul",
      "list",
    );
    const one = fc.record({
      path: fc.array(word, { maxLength: 4 }),
      method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
      operationId: fc.option(fc.string({ maxLength: 60, unit: "binary" }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(one, {
          selector: ({ path, method }) => `${method} ${path.join("/")}`,
          maxLength: 12,
        }),
        (given) => {
          const operations = given.map(({ path, method, operationId }) =>
            operation(
              `${method} /${path.join("/")}`,
              operationId === undefined ? {} : { operationId },
            ),
          );
          const found = [...all(operations).values()];
          expect(new Set(found).size).toBe(operations.length);
          for (const name of found) expect(name).toMatch(/^[a-z][a-z0-9_]{0,47}$/);
        },
      ),
      { numRuns: 100, seed },
    );
  });
});
