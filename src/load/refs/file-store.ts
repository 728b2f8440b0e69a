import { canParseUrl } from "../../runtime/data/urls.js";
import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { quoteText } from "../../diagnostics/index.js";
import { decodePercent } from "../../json-pointer.js";
import { type Limits, limits } from "../limits.js";
import { failure, type LoadOptions, type Outcome, success } from "../types.js";
import { type ParsedFile, parseFile } from "../parse-file.js";
import { fetchUrl, publicUrl, urlRejection } from "../source/fetch-url.js";
import { readRegularFile } from "../source/read-file.js";

/** Maximum number of missing files for which a similar name is searched. */
const MAX_SUGGESTIONS = 20;

/** Base of the relative references in a file. */
type RefBase =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "url"; readonly url: URL }
  | { readonly kind: "none" };

/** File of a document in the store. */
export interface StoredFile {
  /** 0 is the main document. */
  readonly id: number;
  readonly base: RefBase;
  readonly source: ParsedFile;
}

/** File that the policy allows to open. */
interface AllowedFile {
  /** Canonical identity of the file, independent of how its address is spelled. */
  readonly key: string;
  readonly label: string;
  readonly base: RefBase;
  readonly read: () => Promise<Outcome<Uint8Array>> | Outcome<Uint8Array>;
}

/**
 * Opens each file that a `$ref` names once, if the policy allows it: a relative path within the
 * folder of the document (or `refRoot`), also after symbolic links are resolved, or a URL on a host
 * of `allowRemoteRefs`. Forbidden addresses are never accessed, so that their existence is not
 * revealed.
 */
export class FileStore {
  private readonly files = new Map<string, Outcome<StoredFile>>();
  private readonly allowed = new Map<string, Outcome<AllowedFile>>();
  private readonly texts = new Map<string, Outcome<string>>();
  readonly main: StoredFile;
  private readonly root: string | undefined;
  private readonly realRoot: string | undefined;
  private bytes = 0;
  private missing = 0;

  constructor(
    source: ParsedFile,
    origin: { readonly path?: string; readonly url?: URL },
    private readonly options: LoadOptions,
    private readonly bounds: Limits = limits,
  ) {
    const folder = origin.path === undefined ? options.refRoot : dirname(origin.path);
    this.root = folder === undefined ? undefined : resolve(options.refRoot ?? folder);
    this.realRoot = this.root === undefined ? undefined : (realPath(this.root) ?? this.root);
    const base: RefBase = origin.url
      ? { kind: "url", url: origin.url }
      : folder === undefined
        ? { kind: "none" }
        : { kind: "folder", folder: resolve(folder) };
    this.main = { id: 0, base, source };
    this.files.set(documentKey(origin), success(this.main));
  }

  get all(): readonly StoredFile[] {
    return [...this.files.values()].flatMap((file) => (file.problem ? [] : [file.value]));
  }

  /** Opens the file at an address (a `$ref` without its fragment), relative to another file. */
  async open(from: StoredFile, address: string): Promise<Outcome<StoredFile>> {
    const permit = this.allow(from, address);
    if (permit.problem) return permit;
    const { key, label, base } = permit.value;
    const cached = this.files.get(key);
    if (cached) return cached;
    const bytes = await this.read(permit.value);
    const parsed = bytes.problem ? bytes : await parseFile(bytes.value, label);
    const file = parsed.problem
      ? parsed
      : success<StoredFile>({ id: this.files.size, base, source: parsed.value });
    this.files.set(key, file);
    return file;
  }

  /**
   * Key of the file at an address, if the policy allows it. Keys are comparable between stores.
   */
  keyOf(from: StoredFile, address: string): Outcome<string> {
    const permit = this.allow(from, address);
    return permit.problem ? permit : success(permit.value.key);
  }

  /** Reads the text of a documentation file. */
  async openText(from: StoredFile, address: string): Promise<Outcome<string>> {
    const permit = this.allow(from, address);
    if (permit.problem) return permit;
    const { key, label } = permit.value;
    const cached = this.texts.get(key);
    if (cached) return cached;
    const bytes = await this.read(permit.value);
    const text = bytes.problem ? bytes : plainText(bytes.value, label);
    this.texts.set(key, text);
    return text;
  }

  private async read(permit: AllowedFile): Promise<Outcome<Uint8Array>> {
    const { label } = permit;
    if (this.files.size >= this.bounds.files)
      return failure(
        "load-too-large",
        `The document has more than ${this.bounds.files} files`,
        { file: label, pointer: "#" },
        "Bundle it into fewer files first.",
      );
    const bytes = await permit.read();
    if (bytes.problem) return bytes;
    this.bytes += bytes.value.length;
    return this.bytes <= this.bounds.totalBytes
      ? bytes
      : failure(
          "load-too-large",
          "The total size of the document's files exceeds the limit",
          { file: label, pointer: "#" },
          "Bundle only the parts that the tools need.",
        );
  }

  private allow(from: StoredFile, address: string): Outcome<AllowedFile> {
    const key = `${from.base.kind === "folder" ? from.base.folder : from.id}\0${address}`;
    let permit = this.allowed.get(key);
    if (!permit) this.allowed.set(key, (permit = this.checkAddress(from, address)));
    return permit;
  }

  private checkAddress(from: StoredFile, address: string): Outcome<AllowedFile> {
    const url =
      /^[a-z][a-z0-9+.-]+:/i.test(address) || from.base.kind === "url" || address.startsWith("//");
    if (url) return this.allowUrl(from, address);
    if (from.base.kind === "none" || this.root === undefined)
      return refFailure(
        address,
        "is relative, and standard input has no base folder",
        "Pass the document as a file, or name its folder with --ref-root.",
      );
    return this.allowPath(from.base.folder, address, this.root);
  }

  private allowUrl(from: StoredFile, address: string): Outcome<AllowedFile> {
    const base = from.base.kind === "url" ? from.base.url.href : undefined;
    if (!canParseUrl(address, base))
      return refFailure(address, "is not a valid address", "Correct it.");
    const url = new URL(address, base);
    url.hash = "";
    const network = url.protocol === "https:" || url.protocol === "http:";
    if (!network)
      return refFailure(
        address,
        `is a ${url.protocol} address; only relative paths and https are allowed`,
        "Use a path relative to the document.",
      );
    const rule = (hop: URL): string | undefined =>
      this.isAllowedHost(hop) ? undefined : "its host is not allowed";
    if (rule(url))
      return refFailure(
        address,
        "refers to a host that is not allowed",
        `Copy it into the document's folder, or allow the host with --allow-remote-refs ${url.host}.`,
      );
    const objection = urlRejection(url);
    if (objection)
      return refFailure(
        address,
        `is not fetched: ${objection}`,
        "Copy it into the document's folder.",
      );
    const label = publicUrl(url);
    return success({
      key: url.href,
      label,
      base: { kind: "url", url },
      read: () =>
        fetchUrl(url, label, this.bounds, { rule }).then((fetched) =>
          fetched.problem ? fetched : success(fetched.value.bytes),
        ),
    });
  }

  private isAllowedHost(url: URL): boolean {
    return isAllowedHost(url, this.options.allowRemoteRefs);
  }

  private allowPath(folder: string, address: string, root: string): Outcome<AllowedFile> {
    if (isAbsolute(address) || /^[a-z]:/i.test(address) || address.startsWith("\\"))
      return refFailure(
        address,
        "is an absolute path; only relative paths are allowed",
        "Use a path relative to the document.",
      );
    const candidates = spellings(address).map((path) => join(folder, path));
    const allowedPaths = candidates.filter((path) => isInside(path, root));
    if (allowedPaths.length === 0)
      return refFailure(
        address,
        "is outside of the document's folder",
        "Move the file into it, or allow another folder with --ref-root.",
      );
    const existing = allowedPaths
      .map((path) => ({ path, real: realPath(path) }))
      .find(({ real }) => real !== undefined);
    const { path, real } = existing ?? { path: allowedPaths[0] ?? folder, real: undefined };
    if (real !== undefined && !isInside(real, this.realRoot ?? root))
      return refFailure(
        address,
        "is a symbolic link to a file outside of the document's folder",
        "Copy the file into the folder.",
      );
    const label = this.labelOf(path);
    return success({
      key: real ?? path,
      label,
      base: { kind: "folder", folder: dirname(path) },
      read: () =>
        readRegularFile(path, label, this.bounds.bytes, () => this.missing++ < MAX_SUGGESTIONS),
    });
  }

  /**
   * Name in messages: relative to the folder as typed, so that a terminal can open it and absolute
   * paths are not revealed.
   */
  private labelOf(path: string): string {
    if (this.main.base.kind !== "folder")
      return relative(this.root ?? "", path)
        .split(sep)
        .join("/");
    const relativePath = relative(this.main.base.folder, path).split(sep).join("/");
    const typed =
      this.main.source.label === "-" ? "." : dirname(this.main.source.label).split(sep).join("/");
    return typed === "." ? relativePath : `${typed.replace(/\/$/, "")}/${relativePath}`;
  }
}

/**
 * Candidate paths of an address: percent-decoded, unchanged, with Windows separators, and in both
 * Unicode normal forms, which macOS treats as equal. The meaning of a document must not depend on
 * the system.
 */
function spellings(address: string): readonly string[] {
  const decoded = decodePercent(address) ?? address;
  const slashes = decoded.replaceAll("\\", "/");
  return [
    ...new Set([decoded, address, slashes, slashes.normalize("NFC"), slashes.normalize("NFD")]),
  ];
}

function plainText(bytes: Uint8Array, label: string): Outcome<string> {
  if (!isUtf8(bytes) || bytes.includes(0))
    return failure("load-not-utf8", "The file is not UTF-8 text", { file: label, pointer: "#" });
  return success(new TextDecoder().decode(bytes));
}

/** Tests whether `$ref`s may be fetched from the host of a URL. */
export function isAllowedHost({ host, hostname }: URL, allowed: readonly string[] = []): boolean {
  return allowed.some((name) => name === host || name === hostname);
}

/** Key of a document that was named on the command line. */
export function documentKey(origin: { readonly path?: string; readonly url?: URL }): string {
  if (origin.url) return origin.url.href;
  return origin.path === undefined ? "-" : (realPath(origin.path) ?? resolve(origin.path));
}

function refFailure(address: string, why: string, hint: string): Outcome<never> {
  return failure(
    "load-ref-rejected",
    `The $ref ${quoteText(address.replace(/\/\/[^/@]*@/, "//"))} ${why}`,
    undefined,
    hint,
  );
}

function isInside(path: string, folder: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder !== ".." && !fromFolder.startsWith(`..${sep}`) && !isAbsolute(fromFolder);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
