import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { quoteText } from "../../diagnostics/index.js";
import { parseFile, type SourceFile } from "../file.js";
import { type Limits, limits } from "../limits.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { percentDecode } from "../pointer.js";
import { fetchUrl } from "../source/fetch-url.js";
import { readRegularFile } from "../source/read-file.js";
import { publicUrl, urlObjection } from "../source/url-rules.js";
import type { LoadOptions } from "../types.js";

/** Of more files that are not there, nobody reads what may be meant. */
const EXPLAINED = 20;

/** Where the relative references of a file lead from. */
export type Base =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "url"; readonly url: URL }
  | { readonly kind: "none" };

/** A file of the document with its place in the store. */
export interface StoredFile {
  /** 0 is the main document. */
  readonly id: number;
  readonly base: Base;
  readonly source: SourceFile;
}

/** What a `$ref`'s address stands for, once the rules allow it. */
interface Permit {
  /** The same for every way to write the address of one file. */
  readonly key: string;
  readonly label: string;
  readonly base: Base;
  readonly read: () => Promise<Outcome<Uint8Array>> | Outcome<Uint8Array>;
}

/**
 * Opens the files that `$ref`s name, each once, if the rules allow: a relative path that stays in
 * the folder of the document (or `refRoot`) also after symbolic links are followed, or a URL on a
 * host of `allowRemoteRefs`. An address that the rules forbid is never looked at, so that not even
 * its existence shows.
 */
export class FileStore {
  private readonly files = new Map<string, Outcome<StoredFile>>();
  private readonly permits = new Map<string, Outcome<Permit>>();
  private readonly texts = new Map<string, Outcome<string>>();
  readonly main: StoredFile;
  private readonly root: string | undefined;
  private readonly realRoot: string | undefined;
  private bytes = 0;
  private missing = 0;

  constructor(
    source: SourceFile,
    origin: { readonly path?: string; readonly url?: URL },
    private readonly options: LoadOptions,
    private readonly bounds: Limits = limits,
  ) {
    const folder = origin.path === undefined ? options.refRoot : dirname(origin.path);
    this.root = folder === undefined ? undefined : resolve(options.refRoot ?? folder);
    this.realRoot = this.root === undefined ? undefined : (realPath(this.root) ?? this.root);
    const base: Base = origin.url
      ? { kind: "url", url: origin.url }
      : folder === undefined
        ? { kind: "none" }
        : { kind: "folder", folder: resolve(folder) };
    this.main = { id: 0, base, source };
    this.files.set(mainKey(origin), ok(this.main));
  }

  get all(): readonly StoredFile[] {
    return [...this.files.values()].flatMap((file) => (file.problem ? [] : [file.value]));
  }

  /** The parsed file at an address (a `$ref` without its fragment), seen from another file. */
  async open(from: StoredFile, address: string): Promise<Outcome<StoredFile>> {
    const permit = this.permit(from, address);
    if (permit.problem) return permit;
    const { key, label, base } = permit.value;
    const known = this.files.get(key);
    if (known) return known;
    const bytes = await this.read(permit.value);
    const parsed = bytes.problem ? bytes : await parseFile(bytes.value, label);
    const file = parsed.problem
      ? parsed
      : ok<StoredFile>({ id: this.files.size, base, source: parsed.value });
    this.files.set(key, file);
    return file;
  }

  /**
   * What tells the file at an address from all others, if the rules allow to look at it; the main
   * document of another store may be that file.
   */
  keyOf(from: StoredFile, address: string): Outcome<string> {
    const permit = this.permit(from, address);
    return permit.problem ? permit : ok(permit.value.key);
  }

  /** The text of a documentation file. */
  async openText(from: StoredFile, address: string): Promise<Outcome<string>> {
    const permit = this.permit(from, address);
    if (permit.problem) return permit;
    const { key, label } = permit.value;
    const known = this.texts.get(key);
    if (known) return known;
    const bytes = await this.read(permit.value);
    const made = bytes.problem ? bytes : plainText(bytes.value, label);
    this.texts.set(key, made);
    return made;
  }

  private async read(permit: Permit): Promise<Outcome<Uint8Array>> {
    const { label } = permit;
    if (this.files.size >= this.bounds.files)
      return failed(
        "load-too-large",
        `The document is spread over more than ${this.bounds.files} files`,
        { file: label, pointer: "#" },
        "Bundle it into fewer files first.",
      );
    const bytes = await permit.read();
    if (bytes.problem) return bytes;
    this.bytes += bytes.value.length;
    return this.bytes <= this.bounds.totalBytes
      ? bytes
      : failed(
          "load-too-large",
          "The files of the document are too large together",
          { file: label, pointer: "#" },
          "Bundle only what the tools need.",
        );
  }

  private permit(from: StoredFile, address: string): Outcome<Permit> {
    const key = `${from.base.kind === "folder" ? from.base.folder : from.id}\0${address}`;
    let permit = this.permits.get(key);
    if (!permit) this.permits.set(key, (permit = this.judge(from, address)));
    return permit;
  }

  private judge(from: StoredFile, address: string): Outcome<Permit> {
    const url =
      /^[a-z][a-z0-9+.-]+:/i.test(address) || from.base.kind === "url" || address.startsWith("//");
    if (url) return this.permitUrl(from, address);
    if (from.base.kind === "none" || this.root === undefined)
      return refuse(
        address,
        "is relative, and standard input has no folder",
        "Pass the document as a file, or name its folder with --ref-root.",
      );
    return this.permitPath(from.base.folder, address, this.root);
  }

  private permitUrl(from: StoredFile, address: string): Outcome<Permit> {
    const base = from.base.kind === "url" ? from.base.url.href : undefined;
    if (!URL.canParse(address, base))
      return refuse(address, "is not a valid address", "Correct it.");
    const url = new URL(address, base);
    url.hash = "";
    const network = url.protocol === "https:" || url.protocol === "http:";
    if (!network)
      return refuse(
        address,
        `is a ${url.protocol} address, and only relative paths and https are followed`,
        "Use a path relative to the document.",
      );
    const rule = (hop: URL): string | undefined =>
      this.isAllowedHost(hop) ? undefined : "its host is not among the allowed ones";
    if (rule(url))
      return refuse(
        address,
        "is on the network, and its host is not allowed",
        `Put a copy beside the document, or allow the host with --allow-remote-refs ${url.host}.`,
      );
    const objection = urlObjection(url);
    if (objection)
      return refuse(address, `is not fetched: ${objection}`, "Put a copy beside the document.");
    const label = publicUrl(url);
    return ok({
      key: url.href,
      label,
      base: { kind: "url", url },
      read: () =>
        fetchUrl(url, label, this.bounds, rule).then((got) =>
          got.problem ? got : ok(got.value.bytes),
        ),
    });
  }

  private isAllowedHost(url: URL): boolean {
    return (this.options.allowRemoteRefs ?? []).some(
      (host) => host === url.host || host === url.hostname,
    );
  }

  private permitPath(folder: string, address: string, root: string): Outcome<Permit> {
    if (isAbsolute(address) || /^[a-z]:/i.test(address) || address.startsWith("\\"))
      return refuse(
        address,
        "is an absolute path, and only relative ones are followed",
        "Use a path relative to the document.",
      );
    const candidates = spellings(address).map((path) => join(folder, path));
    const inside = candidates.filter((path) => isInside(path, root));
    if (inside.length === 0)
      return refuse(
        address,
        "leads out of the folder of the document",
        "Move the file into it, or widen the folder with --ref-root.",
      );
    const found = inside
      .map((path) => ({ path, real: realPath(path) }))
      .find(({ real }) => real !== undefined);
    const { path, real } = found ?? { path: inside[0] ?? folder, real: undefined };
    if (real !== undefined && !isInside(real, this.realRoot ?? root))
      return refuse(
        address,
        "leads out of the folder of the document by a symbolic link",
        "Put a copy of the file into the folder.",
      );
    const label = this.labelOf(path);
    return ok({
      key: real ?? path,
      label,
      base: { kind: "folder", folder: dirname(path) },
      read: () => readRegularFile(path, label, this.bounds.bytes, () => this.missing++ < EXPLAINED),
    });
  }

  /**
   * Relative to the folder that the user typed, so that a terminal can open it and no other path of
   * the machine shows.
   */
  private labelOf(path: string): string {
    if (this.main.base.kind !== "folder")
      return relative(this.root ?? "", path)
        .split(sep)
        .join("/");
    const inside = relative(this.main.base.folder, path).split(sep).join("/");
    const typed =
      this.main.source.label === "-" ? "." : dirname(this.main.source.label).split(sep).join("/");
    return typed === "." ? inside : `${typed.replace(/\/$/, "")}/${inside}`;
  }
}

/**
 * What an address may mean, the likeliest first: as a URI, as it stands, as a path of Windows, and
 * with accents in one character or in two, which are the same for macOS. What a document means must
 * not depend on where it is read.
 */
function spellings(address: string): readonly string[] {
  const written = percentDecode(address) ?? address;
  const slashes = written.replaceAll("\\", "/");
  return [
    ...new Set([written, address, slashes, slashes.normalize("NFC"), slashes.normalize("NFD")]),
  ];
}

function plainText(bytes: Uint8Array, label: string): Outcome<string> {
  if (!isUtf8(bytes) || bytes.includes(0))
    return failed("load-not-utf8", "The file is not UTF-8 text", { file: label, pointer: "#" });
  return ok(new TextDecoder().decode(bytes));
}

/** What tells a document that was named on the command line from all others. */
export function mainKey(origin: { readonly path?: string; readonly url?: URL }): string {
  if (origin.url) return origin.url.href;
  return origin.path === undefined ? "-" : (realPath(origin.path) ?? resolve(origin.path));
}

function refuse(address: string, why: string, hint: string): Outcome<never> {
  return failed(
    "load-ref-refused",
    `The $ref ${quoteText(address.replace(/\/\/[^/@]*@/, "//"))} ${why}`,
    undefined,
    hint,
  );
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
