/** Media types of files that agents send and get most, by the ends of their names. */
const byExtension: ReadonlyMap<string, string> = new Map([
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["svg", "image/svg+xml"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["json", "application/json"],
  ["xml", "application/xml"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
  ["mp4", "video/mp4"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
]);

/** What a file of this name most likely is. */
export function mediaTypeOf(name: string): string | undefined {
  return byExtension.get(/\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "");
}

/** How the name of a file of this type ends: `.pdf`; `.bin` for what is not known. */
export function extensionOf(mimeType: string): string {
  const known = [...byExtension].find(([, type]) => type === mimeType);
  return `.${known?.[0] ?? "bin"}`;
}

/** Where the name of a downloaded file can come from. */
export interface FileNameSources {
  readonly headers?: Pick<Headers, "get"> | undefined;
  readonly url: string;
  readonly mimeType: string;
  readonly tool: string;
}

/**
 * A safe name for a file: as the API names it (RFC 6266), else the end of its URL, else the tool's.
 */
export function fileName({ headers, url, mimeType, tool }: FileNameSources): string {
  const last = decodeOrKeep(new URL(url).pathname.split("/").at(-1) ?? "");
  const name =
    sanitizeName(dispositionName(headers?.get("content-disposition") ?? "")) ||
    sanitizeName(last) ||
    tool;
  return /\.[a-z0-9]{1,10}$/i.test(name) ? name : `${name}${extensionOf(mimeType)}`;
}

function dispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeOrKeep(extended);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted ?? bare ?? "";
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters of a name that are looked at; of a longer one, the first and the last. */
const maxInspected = 400;

/**
 * The last part of a path, in characters that every file system takes and no shell or terminal
 * obeys; never hidden.
 */
function sanitizeName(name: string): string {
  const whole = name.split(/[/\\]/).at(-1) ?? "";
  const last =
    whole.length > maxInspected
      ? `${whole.slice(0, maxInspected / 2)}${whole.slice(-maxInspected / 2)}`
      : whole;
  const plain = last.replace(/[^\p{L}\p{N} ._()+-]/gu, "_").replace(/^[. -]+|[. ]+$/g, "");
  const short = plain.length > 80 ? `${plain.slice(0, 60)}${plain.slice(-20)}` : plain;
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short;
}
