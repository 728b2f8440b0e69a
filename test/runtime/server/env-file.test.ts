import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withEnvFile } from "../../../src/runtime/server/node-platform.js";
import { scratch } from "../../write/tree.js";

const folder = scratch();
const file = join(folder, ".env");
writeFileSync(file, "# comment\nCLINIC_KEY='from file'\nCLINIC_URL=https://api.example\nEMPTY=\n");
const other = join(folder, "staging.env");
writeFileSync(other, "CLINIC_KEY=staging\n");
mkdirSync(join(folder, "directory"));

test.each([
  ["a variable of the file", {}, { CLINIC_KEY: "from file", CLINIC_URL: "https://api.example" }],
  ["the environment takes precedence", { CLINIC_KEY: "mine" }, { CLINIC_KEY: "mine", EMPTY: "" }],
  ["also if it is empty", { CLINIC_KEY: "" }, { CLINIC_KEY: "" }],
  ["another file", { CLINIC_ENV_FILE: other }, { CLINIC_KEY: "staging" }],
])("%s", (_, env, want) => {
  expect(withEnvFile(env, "CLINIC", file)).toMatchObject({ ok: true, env: want });
});

test.each([
  ["UTF-8 with a mark", Buffer.from("\ufeffCLINIC_KEY=ä\r\n")],
  ["UTF-16", Buffer.from("\ufeffCLINIC_KEY=ä\r\n", "utf16le")],
])("a file in %s, as Windows writes it", (_, content) => {
  const path = join(folder, "windows.env");
  writeFileSync(path, content);
  expect(withEnvFile({}, "CLINIC", path)).toEqual({ ok: true, env: { CLINIC_KEY: "ä" } });
});

test.each([
  ["no file", { A: "1" }, join(folder, "absent")],
  ["no file is asked for", { A: "1" }, undefined],
  ["the file is switched off", { A: "1", CLINIC_ENV_FILE: "" }, file],
])("%s", (_, env, path) => {
  expect(withEnvFile(env, "CLINIC", path)).toEqual({ ok: true, env });
});

test.each([
  [".env is a folder", {}, join(folder, "directory"), ".env cannot be read (EISDIR)."],
  [
    "the chosen file is missing",
    { CLINIC_ENV_FILE: join(folder, "absent") },
    file,
    "The file of CLINIC_ENV_FILE cannot be read (ENOENT).",
  ],
])("%s", (_, env, path, problem) => {
  expect(withEnvFile(env, "CLINIC", path)).toEqual({ ok: false, problem });
});
