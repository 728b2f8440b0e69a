import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runSample } from "./sample.js";

/** What is committed beside each sample is what the generator makes of it today; `npm run samples` brings it up to date. */
const samples = fileURLToPath(new URL("../../samples", import.meta.url));
const names = readdirSync(samples, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

describe.each(names)("samples/%s", (name) => {
  it("has its output committed, and up to date", () => {
    expect(existsSync(path.join(samples, name, "server/package.json"))).toBe(true);
    const { status, stdout, stderr } = runSample(path.join(samples, name), "--check");
    expect(`${stdout}${stderr}`).not.toContain("would change");
    expect(status).toBe(0);
  });
});
