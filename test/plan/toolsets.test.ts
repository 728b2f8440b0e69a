import { expect, test } from "vitest";
import type { Operation } from "../../src/model/types.js";
import { assignToolsets } from "../../src/plan/toolsets.js";
import { operation } from "./fixtures.js";

/** `count` operations below a path. */
const below = (path: string, count: number, tag?: string): readonly Operation[] =>
  Array.from({ length: count }, (_, i) =>
    operation(`GET ${path}/sub${String(i)}`, { tags: tag === undefined ? [] : [tag] }),
  );

/** Size of each toolset. */
function sizes(operations: readonly Operation[]): Readonly<Record<string, number>> {
  const { list, byOperation } = assignToolsets(operations, []);
  expect(byOperation.size).toBe(operations.length);
  const names = [...byOperation.values()];
  return Object.fromEntries(
    list.map(({ name }) => [name, names.filter((other) => other === name).length]),
  );
}

test.each([
  {
    reason: "small APIs keep their tags",
    given: [below("/a", 39, "pets"), below("/b", 1, "owners")],
    want: { pets: 39, owners: 1 },
  },
  {
    reason: "paths without tags that have nearly nothing in common are one toolset",
    given: ["/a", "/b", "/c", "/d", "/e"].flatMap((path) => below(path, 1)),
    want: { api: 5 },
  },
  {
    reason: "a few paths without tags are groups",
    given: ["/a", "/b", "/c", "/d"].flatMap((path) => below(path, 1)),
    want: { a: 1, b: 1, c: 1, d: 1 },
  },
  {
    reason: "tags are kept, also those of one operation",
    given: ["/a", "/b", "/c", "/d", "/e"].flatMap((path) => below(path, 1, `tag ${path}`)),
    want: { tag_a: 1, tag_b: 1, tag_c: 1, tag_d: 1, tag_e: 1 },
  },
  {
    reason: "a tag that holds most of the API is split by path",
    given: [
      below("/pets/{id}/visits", 20, "pets"),
      below("/pets/{id}/photos", 20, "pets"),
      below("/pets/{id}", 8, "pets"),
    ],
    want: { pets: 8, pets_visits: 20, pets_photos: 20 },
  },
  {
    reason: "a tag of everything is split beside its paths",
    given: [below("/pets", 30, "default"), below("/owners", 20, "default")],
    want: { pets: 30, owners: 20 },
  },
  {
    reason: "a small tag joins the one whose name it begins with",
    given: [below("/a", 20, "users"), below("/b", 20, "pets"), below("/c", 2, "user profiles")],
    want: { users: 22, pets: 20 },
  },
  {
    reason: "small tags join by their common words",
    given: [
      below("/a", 20, "users"),
      below("/b", 20, "pets"),
      below("/c", 4, "on demand songs"),
      below("/d", 3, "on demand films"),
    ],
    want: { users: 20, pets: 20, on_demand: 7 },
  },
  {
    reason: "a small tag joins the toolset of its path",
    given: [
      below("/v1/users", 20, "users"),
      below("/v1/pets", 20, "pets"),
      below("/v1/pets", 2, "x"),
    ],
    want: { users: 20, pets: 22 },
  },
  {
    reason: "the rest is other",
    given: [
      below("/a", 20, "users"),
      below("/b", 20, "pets"),
      below("/c", 3, "maps"),
      below("/d", 3, "news"),
    ],
    want: { users: 20, pets: 20, other: 6 },
  },
  {
    reason: "what paths do not split is named by what most operations are about",
    given: [
      below("/pets", 41, "pets"),
      ...["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((name) =>
        below(`/${name}`, 5, name.repeat(3)),
      ),
    ],
    want: { pets: 21, pets_sub28: 20, other: 25, other_f: 25 },
  },
])("$reason", ({ given, want }) => {
  expect(sizes(given.flat())).toEqual(want);
});

test("a part of a toolset is named and described by its contents", () => {
  const repos = ["branches", "forks", "hooks", "keys", "stats", "tags", "teams", "topics", "views"];
  const operations = [
    ...repos.flatMap((name, i) => below(`/repos/{id}/${name}`, i === 6 ? 5 : 4, "repos")),
    ...below("/repos/{id}/zones", 4, "repos"),
    ...below("/pets", 40, "pets"),
  ];
  const { list } = assignToolsets(operations, []);
  expect(list.find(({ name }) => name === "repos_teams")).toEqual({
    name: "repos_teams",
    title: "Repos teams",
    description: "teams, tags, topics, views, zones",
  });
});

test("a toolset of several tags names them", () => {
  const operations = [
    ...below("/a", 40, "users"),
    ...below("/c", 3, "Maps"),
    ...below("/d", 3, "News"),
  ];
  expect(assignToolsets(operations, []).list.at(-1)).toEqual({
    name: "other",
    title: "Other",
    description: "Maps, News",
  });
});

test("the order of operations does not matter", () => {
  const operations = [
    ...below("/a", 20, "users"),
    ...below("/b", 21, "pets"),
    ...below("/c", 3, "maps"),
    ...below("/d", 3, "news"),
  ];
  expect(sizes(operations.toReversed())).toEqual(sizes(operations));
});
