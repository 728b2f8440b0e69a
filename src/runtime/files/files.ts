/** Local files: names of downloads, and files that inputs name. */
import { extensionFor, isBinary, isMultipart, mediaTypeOfFile } from "../data/media-types.js";
import { base64 } from "../data/bytes.js";
import { decodeOrKeep } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import { percentEncode } from "../request/serialize.js";
import type { InputProblem } from "../request/types.js";
import type { RequestMapping, ToolInput } from "../types.js";

/** Sources of the name of a downloaded file, in order of preference. */
interface FileNameSources {
  /** `Content-Disposition` is read. RFC 6266. */
  readonly headers?: Pick<Headers, "get"> | undefined;
  readonly url: string;
  readonly mimeType: string;
  readonly tool: string;
}

/** A safe name for a downloaded file: from its headers, else its URL, else the tool's name. */
export function fileName({ headers, url, mimeType, tool }: FileNameSources): string {
  const lastSegment = decodeOrKeep(new URL(url).pathname.split("/").at(-1) ?? "");
  const disposition = headers?.get("content-disposition") ?? "";
  const name = sanitizeName(dispositionName(disposition)) || sanitizeName(lastSegment) || tool;
  const hasExtension = /\.[a-z0-9]{1,10}$/i.test(name);
  return hasExtension ? name : `${name}${extensionFor(mimeType)}`;
}

/** The file name of a `Content-Disposition` header; empty without one. RFC 6266, section 4.3. */
function dispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeOrKeep(extended);
  const [, quoted, token = ""] =
    /;\s*filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]+))/i.exec(header) ?? [];
  // Some servers send paths of Windows, whose backslashes do not escape.
  return quoted?.replace(/\\(["\\])/g, "$1") ?? token;
}

/** Characters of a name that are inspected. The middle of a longer name is dropped. */
const maxInspected = 400;
const maxLength = 80;
const keptEnd = 20;

/**
 * The last segment of a path, without characters that a file system, shell or terminal interprets.
 * The result is never a hidden file and never a reserved name of Windows.
 */
function sanitizeName(path: string): string {
  const segment = path.split(/[/\\]/).at(-1) ?? "";
  const safe = dropMiddle(segment, maxInspected, maxInspected / 2)
    .replace(/[^\p{L}\p{N} ._()+-]/gu, "_")
    .replace(/^[. -]+|(?<![. ])[. ]+$/g, "");
  const short = dropMiddle(safe, maxLength, keptEnd);
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short;
}

function dropMiddle(text: string, length: number, endLength: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - endLength)}${text.slice(-endLength)}`;
}

/** A file that was read. */
export interface LocalFile {
  /** Without its folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The one local folder in which tools may read and save files. */
export interface Folder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** True if clients are on other machines, which cannot use the path and must not learn it. */
  readonly isRemote?: boolean;
  /**
   * Reads a file in the folder or below it.
   * @returns on failure, the reason as a clause without a subject
   */
  read(path: string): Promise<LocalFile | string>;
  /**
   * Saves a file under this name, or under a numbered one when the name exists. Never overwrites.
   * @returns the path; `undefined` when the file cannot be saved
   */
  save(name: string, bytes: Uint8Array): Promise<string | undefined>;
}

/** An input with the contents of its files, or the files that cannot be read. */
export type LocalFilesResult =
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Replaces references to local files (`file:report.pdf`, `file:///…`) by the files' content, in
 * inputs that hold files. Without a configured folder such a text is sent unchanged.
 */
export async function readLocalFiles(
  input: ToolInput,
  mapping: RequestMapping,
  folder: Folder | undefined,
): Promise<LocalFilesResult> {
  if (!folder || !mapping.body) return { ok: true, input };
  const problems: InputProblem[] = [];
  const replaced = new Map<string, unknown>();
  for (const name of fileInputs(mapping)) {
    const readReference = async (text: unknown): Promise<unknown> => {
      if (typeof text !== "string" || !/^file:/i.test(text)) return text;
      const file = await folder.read(text);
      if (typeof file === "string") return void problems.push({ input: name, problem: file });
      return toDataUri(file);
    };
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (Array.isArray(value)) replaced.set(name, await Promise.all(value.map(readReference)));
    else if (value !== undefined) replaced.set(name, await readReference(value));
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    input: replaced.size === 0 ? input : { ...input, ...Object.fromEntries(replaced) },
  };
}

function toDataUri({ name, bytes }: LocalFile): string {
  return `data:${mediaTypeOfFile(name) ?? ""};name=${percentEncode(name)};base64,${base64(bytes)}`;
}

/** Inputs that hold files: the whole body, or fields of a multipart body. */
function fileInputs({ body }: RequestMapping): readonly string[] {
  if (!body) return [];
  if (body.from !== undefined) {
    const isFile = isBinary(body.contentType) && !isMultipart(body.contentType);
    return isFile ? [body.from] : [];
  }
  return Object.entries(body.encoding ?? {}).flatMap(([field, { file }]) => {
    const source = file ? body.fields?.[field] : undefined;
    return (source && inputOf(source)) ?? [];
  });
}
