import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { oneLine } from "../diagnostics/index.js";
import { onRead } from "../load/index.js";
import { filesBelow } from "../render/templates/files-below.js";
import type { Run } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { runGenerate } from "./generate.js";
import { helpPointer } from "./help.js";
import type { GenerateCommand } from "./program.js";
import { summarize, summarizeBriefly } from "./summary.js";
import type { Terminal } from "./terminal.js";

/**
 * How often is looked: soon enough for a person, and little work also for documents of a thousand
 * files.
 */
const LOOK_EVERY_MS = 200;
const MORE_PER_FILE_MS = 0.5;

/**
 * Generates, and again whenever something changed that was read: the document, the files it refers
 * to, the configuration, overlays, templates. Errors are said, and waited out. Files are looked at
 * instead of asking the system to tell, which does not do so for networks, containers and editors
 * that replace files.
 * @param stop ends it; by default Ctrl-C does
 */
export async function runWatch(
  command: GenerateCommand,
  terminal: Terminal,
  stop: AbortSignal = interruption(),
): Promise<ExitCode> {
  const problem = objection(command);
  if (problem) return (terminal.error(`error: ${problem}\n${helpPointer()}\n`), exitCodes.usage);
  const inputs = new Inputs();
  onRead((path) => inputs.note(path));
  try {
    const first = await runOnce(command, terminal, inputs, summarize);
    if (first === exitCodes.usage && inputs.size === 0) return first;
    terminal.error(
      `Watching ${inputs.size === 1 ? "1 file" : `${inputs.size} files`}; Ctrl-C ends it.\n`,
    );
    for (
      let changed = await inputs.change(stop);
      changed !== undefined;
      changed = await inputs.change(stop)
    ) {
      terminal.error(`${oneLine(changed)} changed\n`);
      await runOnce(command, terminal, inputs, summarizeBriefly);
    }
    return exitCodes.done;
  } finally {
    onRead(undefined);
  }
}

async function runOnce(
  command: GenerateCommand,
  terminal: Terminal,
  inputs: Inputs,
  tell: typeof summarize,
): Promise<ExitCode> {
  inputs.forget();
  const onConfigured = ({ options, curated }: Run): void =>
    inputs.noteTemplates(options.templates ?? curated?.settings.templates);
  return runGenerate(command, terminal, { tell, onConfigured });
}

function objection({ source, options }: GenerateCommand): string | undefined {
  if (source === "-")
    return "--watch needs a document that can be read again, and standard input cannot.";
  if (source !== undefined && /^https?:/i.test(source))
    return "--watch needs a document on this machine.";
  return options.check ? "Choose one of --watch and --check." : undefined;
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

/** The files that a run read, as they were then. */
class Inputs {
  #stamps = new Map<string, string>();
  #templates: { readonly folder: string; readonly stamp: string } | undefined;

  get size(): number {
    return this.#stamps.size;
  }

  forget(): void {
    this.#stamps = new Map();
  }

  note(path: string): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, stampOf(path));
  }

  noteTemplates(folder: string | undefined): void {
    this.#templates = folder === undefined ? undefined : { folder, stamp: stampOfFolder(folder) };
  }

  /**
   * Waits until something changed, and then until nothing does any more. @returns what; undefined
   * when it was stopped
   */
  async change(stop: AbortSignal): Promise<string | undefined> {
    let found: string | undefined;
    let before = "";
    while (!stop.aborted) {
      await wait(LOOK_EVERY_MS + this.size * MORE_PER_FILE_MS, undefined, { signal: stop }).catch(
        () => undefined,
      );
      const now = this.#all();
      if (found !== undefined && now === before) return found;
      found ??= this.#changed();
      before = now;
    }
    return undefined;
  }

  #changed(): string | undefined {
    for (const [path, stamp] of this.#stamps) if (stampOf(path) !== stamp) return path;
    const { folder, stamp } = this.#templates ?? {};
    return folder !== undefined && stampOfFolder(folder) !== stamp ? folder : undefined;
  }

  #all(): string {
    return [
      ...[...this.#stamps.keys()].map(stampOf),
      this.#templates ? stampOfFolder(this.#templates.folder) : "",
    ].join();
  }
}

/** Tells one state of a file from another. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "absent";
  }
}

function stampOfFolder(folder: string): string {
  try {
    return filesBelow(folder)
      .map((path) => `${path} ${stampOf(path)}`)
      .join("\n");
  } catch {
    return "absent";
  }
}
