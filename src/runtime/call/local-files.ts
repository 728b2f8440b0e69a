import { base64 } from "../data/values.js";
import type { Folder, LocalFile } from "../files/files.js";
import { isBinary, isMultipart, mediaTypeOfFile } from "../data/media-types.js";
import type { InputProblem } from "../request/types.js";
import type { ParameterSource, RequestMapping, ToolInput } from "../types.js";

type LocalFilesResult =
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
  for (const { name, filenameInput } of fileInputs(mapping)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const readReference = async (text: unknown): Promise<unknown> => {
      if (typeof text !== "string" || !/^file:/i.test(text)) return text;
      const file = await folder.read(text);
      if (typeof file === "string") return void problems.push({ input: name, problem: file });
      if (
        filenameInput !== undefined &&
        input[filenameInput] === undefined &&
        !Array.isArray(value)
      )
        replaced.set(filenameInput, file.name);
      return toDataUri(file);
    };
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
  return `data:${mediaTypeOfFile(name) ?? ""};base64,${base64(bytes)}`;
}

interface FileInput {
  readonly name: string;
  /** The input that holds the file's name. */
  readonly filenameInput?: string | undefined;
}

/** Inputs that hold files: the whole body, or fields of a multipart body. */
function fileInputs({ body }: RequestMapping): readonly FileInput[] {
  if (!body) return [];
  if (body.from !== undefined) {
    const isFile = isBinary(body.contentType) && !isMultipart(body.contentType);
    return isFile ? [{ name: body.from }] : [];
  }
  return Object.entries(body.encoding ?? {}).flatMap(([field, { file, filenameInput }]) => {
    const name = file ? inputOf(body.fields?.[field]) : undefined;
    return name === undefined ? [] : [{ name, filenameInput }];
  });
}

function inputOf(source: ParameterSource | undefined): string | undefined {
  if (typeof source === "string" || source === undefined) return source;
  return "from" in source ? source.from : undefined;
}
