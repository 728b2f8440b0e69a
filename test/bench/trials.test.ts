import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../bench/trials/", import.meta.url));
const tables = execFileSync(process.execPath, [`${folder}score.mjs`], { encoding: "utf8" });

test("the tables of the docs are those of the logs and the judgement", () => {
  expect(readFileSync("docs/benchmarks.md", "utf8")).toContain(tables.trim());
});

const servers = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(servers.map(({ name }) => name))("every call on %s belongs to a task", (server) => {
  for (const file of readdirSync(`${folder}${server}/logs`)) {
    const lines = readFileSync(`${folder}${server}/logs/${file}`, "utf8").trim().split("\n");
    const calls = lines.filter((line) => (JSON.parse(line) as { event: string }).event === "call");
    const judgement = `${folder}${server}/${file.replace(".jsonl", ".json")}`;
    const { calls: tasks } = JSON.parse(readFileSync(judgement, "utf8")) as { calls: number[] };
    expect({ file, calls: calls.length }).toEqual({ file, calls: tasks.length });
  }
});
