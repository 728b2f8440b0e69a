import { extensionOf } from "./media-types.js";

/** Where the name of a downloaded file can come from. */
export interface Named {
  readonly headers?: Pick<Headers, "get"> | undefined;
  readonly url: string;
  readonly mimeType: string;
  readonly tool: string;
}

/**
 * A safe name for a file: as the API names it (RFC 6266), else the end of its URL, else the tool's.
 */
export function fileName({ headers, url, mimeType, tool }: Named): string {
  const last = decoded(new URL(url).pathname.split("/").at(-1) ?? "");
  const name =
    safe(dispositionName(headers?.get("content-disposition") ?? "")) || safe(last) || tool;
  return /\.[a-z0-9]{1,10}$/i.test(name) ? name : `${name}${extensionOf(mimeType)}`;
}

function dispositionName(header: string): string {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted ?? bare ?? "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters of a name that are looked at; of a longer one, the first and the last. */
const mostLooked = 400;

/**
 * The last part of a path, in characters that every file system takes and no shell or terminal
 * obeys; never hidden.
 */
function safe(name: string): string {
  const whole = name.split(/[/\\]/).at(-1) ?? "";
  const last =
    whole.length > mostLooked
      ? `${whole.slice(0, mostLooked / 2)}${whole.slice(-mostLooked / 2)}`
      : whole;
  const plain = last.replace(/[^\p{L}\p{N} ._()+-]/gu, "_").replace(/^[. -]+|[. ]+$/g, "");
  const short = plain.length > 80 ? `${plain.slice(0, 60)}${plain.slice(-20)}` : plain;
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short;
}
