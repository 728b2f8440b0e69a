import type { InputProblem } from "../request/types.js";
import { isBinary, isMultipart } from "../media-types.js";
import type { RequestMapping, ParameterSource } from "../types.js";
import type { Input } from "../call/validate.js";
import type { Folder, LocalFile } from "./folder.js";
import { mediaTypeOf } from "./file-names.js";
import { base64 } from "../bytes.js";

export type LocalFilesResult =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * The input with local files in the place of their paths: `file:report.pdf` and `file:///…` in an
 * input that holds a file. Without a folder nothing calls this, and such a text is sent as the text
 * that it is.
 */
export async function readLocalFiles(
  input: Input,
  send: RequestMapping,
  folder: Folder,
): Promise<LocalFilesResult> {
  const problems: InputProblem[] = [];
  const read = new Map<string, unknown>();
  for (const { name, filename } of fileInputs(send)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const one = async (text: unknown): Promise<unknown> => {
      if (typeof text !== "string" || !/^file:/i.test(text)) return text;
      const file = await folder.read(text);
      if (typeof file === "string") return void problems.push({ input: name, problem: file });
      if (filename !== undefined && input[filename] === undefined && !Array.isArray(value))
        read.set(filename, file.name);
      return toDataUri(file);
    };
    if (value !== undefined)
      read.set(name, Array.isArray(value) ? await Promise.all(value.map(one)) : await one(value));
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, input: read.size === 0 ? input : { ...input, ...Object.fromEntries(read) } };
}

function toDataUri({ name, bytes }: LocalFile): string {
  return `data:${mediaTypeOf(name) ?? ""};base64,${base64(bytes)}`;
}

interface FileInput {
  readonly name: string;
  /** The input with the file's name. */
  readonly filename?: string | undefined;
}

/** The inputs that hold files: the whole body, or fields of a form. */
function fileInputs({ body }: RequestMapping): readonly FileInput[] {
  if (!body) return [];
  if (body.from !== undefined)
    return isBinary(body.contentType) && !isMultipart(body.contentType)
      ? [{ name: body.from }]
      : [];
  return Object.entries(body.encoding ?? {}).flatMap(([field, { file, filenameInput }]) => {
    const name = file ? inputOf(body.fields?.[field]) : undefined;
    return name === undefined ? [] : [{ name, filename: filenameInput }];
  });
}

function inputOf(wire: ParameterSource | undefined): string | undefined {
  if (typeof wire === "string" || wire === undefined) return wire;
  return "from" in wire ? wire.from : undefined;
}
