import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../write/tree.js";
import { cli, mcpGen } from "../built.js";

/** What can change in the document: values that a call may have, and words. */
export interface Api {
  readonly status: string;
  readonly summary: string;
}

const base: Api = { status: "[open, shut]", summary: "List the notes" };
const documentOf = ({ status, summary }: Api): string =>
  `openapi: 3.1.0\ninfo: {title: Notes, version: "1"}\nservers: [{url: "https://notes.example"}]\npaths: {/notes: {get: {operationId: listNotes, summary: ${summary}, parameters: [{name: status, in: query, schema: {type: string, enum: ${status}}}], responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}}\n`;

export function git(repository: string, ...args: readonly string[]): string {
  return execFileSync(
    "git",
    [
      "-c",
      "user.name=Owner",
      "-c",
      "user.email=owner@notes.example",
      "-c",
      "commit.gpgsign=false",
      ...args,
    ],
    { cwd: repository, encoding: "utf8" },
  );
}

/**
 * Puts the document and, unless it was forgotten, its server into a folder of a repository, and
 * commits them.
 */
async function commit(
  repository: string,
  folder: string,
  change: Partial<Api>,
  options: readonly string[] | undefined,
): Promise<void> {
  mkdirSync(join(repository, folder), { recursive: true });
  writeFileSync(join(repository, folder, "openapi.yaml"), documentOf({ ...base, ...change }));
  const { code, err } = options
    ? await mcpGen(["openapi.yaml", "-o", "server", ...options], join(repository, folder))
    : { code: 0, err: "" };
  if (code !== 0) throw new Error(err);
  git(repository, "add", "-A");
  git(repository, "commit", "-qm", "The server", "--allow-empty");
}

/** A repository with the server of an API in one of its folders, on `main`. */
export async function newRepository(
  folder: string,
  ...options: readonly string[]
): Promise<string> {
  const repository = scratch();
  git(repository, "init", "-q", "-b", "main");
  await commit(repository, folder, {}, options);
  return repository;
}

/** A copy with a further commit, on the branch `change`. */
export async function branchOf(
  repository: string,
  folder: string,
  change: Partial<Api>,
  regenerates: boolean,
): Promise<string> {
  const copy = scratch();
  cpSync(repository, copy, { recursive: true });
  git(copy, "checkout", "-qb", "change");
  await commit(copy, folder, change, regenerates ? [] : undefined);
  return copy;
}

/** `npx` that takes one package, which is the program that was built here. */
export function npxFor(name: string): string {
  return `[ "$1" = --yes ] && [ "$2" = "${name}" ] || exit 9\nshift 2\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(cli)} "$@"\n`;
}
