import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

/** The files of an image's last stage, and the command of its container. */
export interface Image {
  /** Folder with all stages, to be removed. */
  readonly folder: string;
  /** The working folder of the last stage. */
  readonly app: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

interface Stage {
  readonly root: string;
  workdir: string;
  readonly said: Map<string, string>;
}

/**
 * Follows a Dockerfile without a container. COPY respects .dockerignore, RUN uses this machine's
 * Node, and `npm ci` copies the installed packages.
 */
export async function follow(project: string): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-image-"));
  const context = join(folder, "context");
  for (const name of readdirSync(project).filter(
    ignoring(readFileSync(join(project, ".dockerignore"), "utf8")),
  ))
    cpSync(join(project, name), join(context, name), { recursive: true });
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: "", workdir: "/", said: new Map() };
  for (const [instruction, rest] of instructionsOf(
    readFileSync(join(project, "Dockerfile"), "utf8"),
  )) {
    if (instruction === "FROM") {
      stage = { root: join(folder, `stage${stages.size}`), workdir: "/", said: new Map() };
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? "", stage);
    } else if (instruction === "WORKDIR")
      mkdirSync(join(stage.root, (stage.workdir = rest)), { recursive: true });
    else if (instruction === "COPY") copy(rest.split(" "), stage, context, stages);
    else if (instruction === "RUN") await run(rest, join(stage.root, stage.workdir));
    else stage.said.set(instruction, rest);
  }
  const list = (instruction: string): readonly string[] =>
    JSON.parse(/\[.*\]$/.exec(stage.said.get(instruction) ?? "")?.[0] ?? "[]") as string[];
  return {
    folder,
    app: join(stage.root, stage.workdir),
    user: stage.said.get("USER") ?? "root",
    entrypoint: list("ENTRYPOINT"),
    command: list("CMD"),
    healthcheck: list("HEALTHCHECK"),
  };
}

function instructionsOf(text: string): readonly (readonly [string, string])[] {
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

/** Parses a .dockerignore that contains names. The last matching line decides. */
function ignoring(text: string): (name: string) => boolean {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return (name) =>
    !(lines.findLast((line) => line === "*" || line.replace(/^!/, "") === name) ?? "!").match(
      /^[^!]/,
    );
}

/** https://docs.docker.com/reference/dockerfile/#copy */
function copy(
  args: readonly string[],
  stage: Stage,
  context: string,
  stages: ReadonlyMap<string, Stage>,
): void {
  const from = args.find((arg) => arg.startsWith("--from="))?.slice("--from=".length);
  const [to = ".", ...sources] = args.filter((arg) => !arg.startsWith("--")).toReversed();
  const target = join(stage.root, stage.workdir, to);
  for (const source of sources) {
    const path = join(from === undefined ? context : stages.get(from)!.root, source);
    cpSync(
      path,
      to.endsWith("/") && statSync(path).isFile() ? join(target, basename(source)) : target,
      { recursive: true },
    );
  }
}

async function run(script: string, cwd: string): Promise<void> {
  if (script.startsWith("npm ci "))
    symlinkSync(resolve("node_modules"), join(cwd, "node_modules"), "junction");
  else await promisify(execFile)("sh", ["-c", script], { cwd });
}
