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

describe("name collisions", () => {
  it.each([
    {
      input: [operation("GET /v1/users", list), operation("GET /v2/users", list)],
      expected: ["list_users", "list_users_v2"],
    },
    {
      input: [
        operation("GET /users/{id}/likes", { ...list, operationId: "listLikes" }),
        operation("GET /likes", { ...list, operationId: "getLikes" }),
      ],
      expected: ["list_likes", "list_likes_without_id"],
    },
    {
      input: [
        operation("GET /refunds", list),
        operation("GET /transactions/{id}/refunds", { ...list, operationId: "listRefunds" }),
        operation("GET /v2/transactions/{id}/refunds", { ...list, operationId: "listRefunds_2" }),
      ],
      expected: ["list_refunds", "list_transaction_refunds", "list_transaction_refunds_v2"],
    },
    {
      input: [
        operation("GET /history", { operationId: "getVoucherHistory" }),
        operation("GET /vouchers/{id}/voucherHistory", { operationId: "getVoucherHistory_1" }),
      ],
      expected: ["get_voucher_history", "get_voucher_history_by_id"],
    },
    {
      input: [
        operation("POST /me/projects", { operationId: "create_project_alt1" }),
        operation("POST /users/{id}/projects", { operationId: "create_project" }),
      ],
      expected: ["create_project_me", "create_project"],
    },
    // A further path of one function, with a parameter of its own.
    {
      input: [
        operation("POST /flows/{flowId}/tasks/{id}/heartbeat", {
          operationId: "Task_RecordHeartbeat2",
        }),
        operation("POST /tasks/{id}/heartbeat", { operationId: "Task_RecordHeartbeat" }),
      ],
      expected: ["record_task_heartbeat_flows", "record_task_heartbeat"],
    },
    {
      input: [operation("GET /u/{id}"), operation("GET /u/{name}")],
      expected: ["get_u", "get_u_by_name"],
    },
    {
      input: [
        operation("GET /a", { operationId: "getUser" }),
        operation("GET /b", { operationId: "get_user" }),
      ],
      expected: ["get_user", "get_user_b"],
    },
    {
      input: [
        operation("GET /a", { operationId: "get user" }),
        operation("GET /b", { operationId: "get:user" }),
      ],
      expected: ["get_user", "get_user_b"],
    },
    {
      input: [
        operation("GET /old", { operationId: "getPet", deprecated: true }),
        operation("GET /pets/{id}", { operationId: "get-pet" }),
      ],
      expected: ["get_pet_old", "get_pet"],
    },
    {
      input: [
        operation("GET /animal/search", list),
        operation("POST /animal/search", { body: { required: true, contents: [] } }),
      ],
      expected: ["search_animal", "search_animal_with_body"],
    },
    {
      input: [
        operation("DELETE /products/{id}", { operationId: "deleteProduct" }),
        operation("POST /products/{id}", { operationId: "DeleteProduct2" }),
      ],
      expected: ["delete_product", "delete_product_via_post"],
    },
    {
      input: [
        operation("PUT /p/{id}", { operationId: "p_update" }),
        operation("PATCH /p/{id}", { operationId: "patch_p" }),
      ],
      expected: ["update_p", "patch_p"],
    },
    {
      input: [
        operation("GET /a/people", list),
        operation("GET /a/persons", list),
        operation("POST /a/people"),
        operation("POST /a/persons"),
      ],
      expected: [
        "list_a_people",
        "list_a_persons",
        "create_a_person",
        "create_a_person_in_persons",
      ],
    },
    {
      input: [
        operation("GET /listPads", { operationId: "listPadsUsingGET", ...list }),
        operation("GET /listAllPads", { operationId: "listAllPadsUsingGET", ...list }),
      ],
      expected: ["list_pads", "list_all_pads"],
    },
    {
      input: [operation("GET /c/{cid}/subs/{sid}/discount"), operation("GET /subs/{sid}/discount")],
      expected: ["get_sub_discount", "get_sub_discount_without_cid"],
    },
    {
      input: [operation("GET /a/{id}/{x}"), operation("GET /a/{id}/{x}/{id}")],
      expected: ["get_a", "get_a_by_id_x_id"],
    },
    {
      input: [
        operation("GET /r/{n}/repos", { ...list, deprecated: true }),
        operation("GET /r/{n}/reposV2", { ...list, operationId: "listRRepos" }),
      ],
      expected: ["list_r_repos_deprecated", "list_r_repos"],
    },
    {
      input: [
        operation("GET /_ping", {
          operationId: "SystemPing",
          responses: [ok({ type: "string" }, "200", "text/plain")],
        }),
        operation("HEAD /_ping", { operationId: "SystemPingHead" }),
      ],
      expected: ["ping_system", "check_ping_system"],
    },
    {
      input: [
        operation("GET /oauth.access", { operationId: "oauth_access" }),
        operation("GET /oauth.v2.access", { operationId: "oauth_v2_access" }),
      ],
      expected: ["get_oauth_access", "get_oauth_access_v2"],
    },
    {
      input: [
        operation("POST /designer/templates", { operationId: "createTemplate" }),
        operation("POST /templates", { operationId: "create_template" }),
      ],
      expected: ["create_template", "create_template_without_designer"],
    },
    { input: [operation("GET /ip"), operation("GET /ip.txt")], expected: ["get_ip", "get_ip_txt"] },
    {
      input: [
        operation("GET /x/client-scopes/maps/client/scope"),
        operation("GET /x/client/maps/client/scope"),
      ],
      expected: ["get_client_scope", "get_client_scope_in_client"],
    },
    {
      input: [
        operation("GET /b/{bucket}/acl", { operationId: "b.acl.get" }),
        operation("GET /b/{bucket}/o/{object}/acl", { operationId: "o.acl.get" }),
      ],
      expected: ["get_b_acl", "get_o_acl"],
    },
    {
      input: [
        operation("GET /weather", { fixedQuery: [["of", "city"]] }),
        operation("GET /weather/", { fixedQuery: [["of", "place"]] }),
      ],
      expected: ["get_weather", "get_weather_place"],
    },
    {
      input: [
        operation("GET /c", { operationId: "orgs.users.list", ...list }),
        operation("GET /{c}/users", { operationId: "orgs.users.list", ...list }),
      ],
      expected: ["list_org_users", "list_users"],
    },
  ])("$expected", ({ input, expected }) => {
    expect([...all(input).values()]).toEqual(expected);
  });

  it("falls back to a hash when nothing in the path differs, and reports it", () => {
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

  it("does not rename tools when the selection changes", () => {
    const everything = all(before);
    const some = plan(api(before), { only: ["GET /p1*"] });
    for (const tool of some.tools)
      expect(tool.definition.name).toBe(everything.get(`GET ${tool.operations[0]!.path}`));
  });

  describe("names of excluded operations", () => {
    const versions = ["v1", "v2", "v3"].map((version) => operation(`GET /${version}/users`, list));
    const select = (rules: object): object => ({
      configuration: { content: { select: rules }, locationOf: () => ({ pointer: "#" }) },
    });
    const withoutV1 = { match: { path: "/v1/**" }, include: false };

    it.each([
      { given: {}, want: ["list_users", "list_users_v2", "list_users_v3"] },
      { given: { skip: ["GET /v1/**"] }, want: ["list_users", "list_users_v3"] },
      { given: { skip: ["GET /v1/**", "GET /v2/**"] }, want: ["list_users"] },
      { given: { skip: ["GET /v2/**"] }, want: ["list_users", "list_users_v3"] },
      {
        given: { skip: ["GET /v1/**"], namespace: "x" },
        want: ["x_list_users", "x_list_users_v3"],
      },
      { given: select({ rules: [withoutV1] }), want: ["list_users", "list_users_v3"] },
      // A wider selection renames nothing.
      { given: { only: ["GET /v2/**"] }, want: ["list_users_v2"] },
      {
        given: select({
          default: "exclude",
          rules: [{ match: { path: "/v3/**" }, include: true }],
        }),
        want: ["list_users_v3"],
      },
    ])("$given", ({ given, want }) => {
      const made = plan(api(versions), given);
      expect(names(made)).toEqual(want);
      expect(codesOf(made).filter((code) => code === "plan-name-clash")).toHaveLength(
        want.filter((name) => /_v\d$/.test(name)).length,
      );
    });

    it("are free for merged tools", () => {
      const item = { type: "object", properties: { id: { type: "string" } } } as const;
      const resource = (version: string): readonly Operation[] => [
        operation(`GET /${version}/users`, {
          responses: [ok({ type: "array", items: item })],
        }),
        operation(`GET /${version}/users/{id}`, { responses: [ok(item)] }),
      ];
      const both = api([...resource("v1"), ...resource("v2")]);
      expect(names(plan(both))).toEqual(["find_users", "find_users_v2"]);
      expect(names(plan(both, { skip: ["GET /v1/**"] }))).toEqual(["find_users"]);
    });

    it("select the operations that have them", () => {
      const configuration = (name: string): object => ({
        configuration: {
          content: { tools: { [name]: { title: "People" } } },
          locationOf: () => ({ pointer: "#" }),
        },
        skip: ["GET /v1/**"],
      });
      const made = plan(api(versions), configuration("list_users"));
      expect(made.tools.map(({ definition }) => definition.title)).toContain("People");
      expect(
        plan(api(versions), configuration("list_users_v2")).diagnostics.map(
          ({ message }) => message,
        ),
      ).toContain("The tool list_users_v2 does not exist; its operation is called list_users.");
    });
  });

  it("gives arbitrary operations unique, legal names", () => {
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
        (input) => {
          const operations = input.map(({ path, method, operationId }) =>
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
