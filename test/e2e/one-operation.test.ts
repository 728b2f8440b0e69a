import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcpGen } from "../cli/built.js";
import { scratch } from "../write/tree.js";

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly parameters: readonly {
            readonly name?: string;
            readonly schema: { enum: readonly string[] };
          }[];
        };
      }
    >
  >;
}

/** Modification time and inode of each file. */
function moments(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { ino, mtimeNs } = statSync(path, { bigint: true });
      return [path.slice(folder.length + 1).replaceAll("\\", "/"), `${ino} ${mtimeNs}`] as const;
    }),
  );
}

test("a change of one operation of GitHub's API only writes its files", async () => {
  const root = scratch();
  const document = JSON.parse(
    readFileSync("node_modules/@octokit/openapi/generated/api.github.com.json", "utf8"),
  ) as Document;
  const generate = async (): Promise<string> => {
    writeFileSync(join(root, "github.json"), JSON.stringify(document));
    const { code, out, err } = await mcpGen(["github.json", "-o", "out"], root);
    if (code !== 0) throw new Error(err);
    return out;
  };
  await generate();
  const before = moments(join(root, "out"));

  const { schema } = document.paths["/user/repos"]!.get.parameters.find(
    ({ name }) => name === "visibility",
  )!;
  schema.enum = schema.enum.filter((value) => value !== "private");
  const out = await generate();

  expect(out).toContain(
    'Changes for agents: 1 breaking change.\n  ! list_repos_for_authenticated_user: Input `visibility` no longer accepts `"private"`.\n',
  );
  const after = moments(join(root, "out"));
  expect(after.size).toBe(before.size);
  expect(
    [...after]
      .filter(([path, moment]) => before.get(path) !== moment)
      .map(([path]) => path)
      .sort(),
  ).toEqual([
    ".mcp-gen/manifest.json",
    "mcp-gen.lock.json",
    "src/tools/repos_stats/list_repos_for_authenticated_user.ts",
    "test/api.json",
  ]);
});
