import { describe, expect, test } from "vitest";
import { refused, sent, target } from "./sent.js";

const profile = { path: "/users/{id}/profile", pathParams: { id: "id" } } as const;
const file = { path: "/files/{name}.{ext}", pathParams: { name: "name", ext: "ext" } } as const;

describe("B01–B04: arguments cannot change the path of an operation", () => {
  test.each<readonly [string, string]>([
    ["42", "/users/42/profile"],
    ["%2e%2e", "/users/%252e%252e/profile"],
    ["a/b", "/users/a%2Fb/profile"],
    ["a?b#c", "/users/a%3Fb%23c/profile"],
    ["...", "/users/.../profile"],
    ["a..b", "/users/a..b/profile"],
    ["src/.x./y", "/users/src%2F.x.%2Fy/profile"],
    [" ", "/users/%20/profile"],
    ["http://evil.test", "/users/http%3A%2F%2Fevil.test/profile"],
    ["\t\r\n", "/users/%09%0D%0A/profile"],
    ["{id}", "/users/%7Bid%7D/profile"],
    ["$&", "/users/%24%26/profile"],
  ])("%j → %s", (id, want) => {
    const { url } = sent(profile, { id });
    expect(url).toBe(`https://api.example.com/v1${want}`);
    expect(new URL(url).pathname.split("/")).toHaveLength("/v1/users/x/profile".split("/").length);
  });

  test.each([
    "..",
    ".",
    "../../admin/delete-all?x=",
    "..\\admin",
    "..;/x",
    ".;x",
    "a/../b",
    "a\\..",
    "/..",
    "",
  ])("%j is refused", (id) => {
    expect(refused(profile, { id }).map(({ input }) => input)).toEqual(["id"]);
  });
  test.each<readonly [string, object, string]>([
    ["null", { id: null }, "is missing; the path needs a value"],
    ["absent", {}, "is missing; the path needs a value"],
    ["empty", { id: "" }, "is empty; the path needs a value"],
    ["empty array", { id: [] }, "is empty; the path needs a value"],
  ])("%s is refused", (_, input, problem) =>
    expect(refused(profile, input as Record<string, unknown>)).toEqual([{ input: "id", problem }]),
  );

  test.each<readonly [method: string, path: string, isSent: boolean]>([
    ["GET", "/contents/{path}", true],
    ["POST", "/contents/{path}", true],
    ["GET", "/repos/{owner}/contents/{filePath}", true],
    ["GET", "/folders/{parent_folder}", true],
    ["DELETE", "/contents/{path}", false],
    ["PUT", "/contents/{path}", false],
    ["GET", "/contents/{path}/checkpoints", false],
    ["GET", "/users/{id}", false],
    ["GET", "/campaigns/{empath}", false],
  ])("the empty path of a root: %s %s", (method, path, isSent) => {
    const [, owner, last = owner!] = path.match(/\{(\w+)\}(?:.*\{(\w+)\})?/) ?? [];
    const mapping = { method, path, pathParams: { [owner!]: "owner", [last]: "last" } };
    const input = { owner: "a", last: "" };
    if (isSent) expect(sent(mapping, input).url).toMatch(/\/$/);
    else expect(refused(mapping, input).map((one) => one.problem)).toHaveLength(1);
  });

  test("several parameters in a segment are validated together", () => {
    expect(target(file, { name: "a", ext: "md" })).toBe("/files/a.md");
    expect(target(file, { name: ".", ext: "." })).toBe("/files/...");
    expect(target(file, { name: "", ext: "gitignore" })).toBe("/files/.gitignore");
    expect(refused(file, { name: "", ext: "" }).map(({ input }) => input)).toEqual(["name"]);
    expect(refused(file, { name: "", ext: "." }).map(({ input }) => input)).toEqual(["name"]);
    expect(refused(file, {}).map(({ input }) => input)).toEqual(["name", "ext"]);
  });
  test("dots added by styles and reserved expansion are validated", () => {
    const of = (style: "label" | "matrix" | "simple", allowReserved = false) => ({
      path: "/{v}",
      pathParams: { v: { from: "v", style, allowReserved } },
    });
    expect(refused(of("label"), { v: "" })).toHaveLength(1);
    expect(refused(of("label"), { v: "." })).toHaveLength(1);
    expect(target(of("label"), { v: "x" })).toBe("/.x");
    expect(refused(of("simple", true), { v: "%2e%2E" })).toHaveLength(1);
    expect(refused(of("simple", true), { v: "%2e." })).toHaveLength(1);
    expect(refused(of("simple", true), { v: "a%2F.%2e%5cb" })).toHaveLength(1);
    expect(
      refused(
        { path: "/{a}{b}", pathParams: { a: "a", b: { from: "b", style: "matrix" } } },
        { a: "..", b: 1 },
      ),
    ).toHaveLength(1);
  });
});

describe("A23: templates", () => {
  test.each<readonly [string, string]>([
    ["/a/{id}/{id}", "/a/7/7"],
    ["/a/{id}{ext}", "/a/7x"],
    ["/a/", "/a/"],
    ["", "/"],
    ["nolead", "/nolead"],
    ["/a:b@c;d=e,f", "/a:b@c;d=e,f"],
    ["/pets/{id}:archive", "/pets/7:archive"],
    ["/e?x=1", "/e%3Fx=1"],
    ["/f#frag", "/f%23frag"],
    ["/c/{id", "/c/%7Bid"],
    ["/é b/%20", "/%C3%A9%20b/%20"],
    ["//evil.test/i", "//evil.test/i"],
    ["/\\evil.test", "/%5Cevil.test"],
    ["/@evil.test/x", "/@evil.test/x"],
  ])("%s → %s", (path, want) => {
    const { url } = sent({ path, pathParams: { id: "id", ext: { value: "x" } } }, { id: 7 });
    expect(url).toBe(`https://api.example.com/v1${want}`);
    expect(new URL(url).origin).toBe("https://api.example.com");
    expect(new URL(url).href).toBe(url);
  });
  test.each(["/../h", "/a/../../b", "/.", "/%2e%2E/h"])(
    "%s leads out of its place and is refused",
    (path) => expect(refused({ path }, {})).toHaveLength(1),
  );
  test("an unknown path parameter is a problem with its name", () =>
    expect(refused({ path: "/{ghost}" }, {})[0]?.input).toBe("ghost"));
});
