import type { MockContent } from "./types.js";

/**
 * A parameter of a header: `name` of `form-data; name="a b"` is `a b`. Browsers escape quotes and
 * line breaks as `%22`, `%0D`, `%0A`.
 */
export function headerParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "iu").exec(
    header,
  );
  const text = found?.[1]?.replace(/\\(.)/gu, "$1") ?? found?.[2];
  return text?.replace(/%(22|0D|0A)/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** A media type in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

/** The most specific declared content for a media type (RFC 9110, 12.5.1). */
export function contentFor(
  contents: readonly MockContent[],
  mediaType: string,
): MockContent | undefined {
  const ranges = [mediaType, `${mediaType.split("/")[0] ?? ""}/*`, "*/*"];
  for (const range of ranges) {
    const found = contents.find((c) => mediaTypeOf(c.mediaType) === range);
    if (found) return found;
  }
  return undefined;
}

/** The smallest valid file of a media type, which clients can open. */
export function smallestFile(mediaType: string): Buffer {
  const known = FILES[mediaType];
  if (known) return known();
  if (mediaType.startsWith("image/")) return png();
  if (mediaType.startsWith("audio/")) return wav();
  return Buffer.from(Array.from({ length: 64 }, (_, i) => i * 4 + 3));
}

/** One transparent pixel. */
function png(): Buffer {
  return Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
    "base64",
  );
}

/** One transparent pixel. */
function gif(): Buffer {
  return Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
}

/** Eight samples of silence: 8-bit mono PCM, 8 kHz. */
function wav(): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(44, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(8, 40);
  return Buffer.concat([header, Buffer.alloc(8, 128)]);
}

/** One empty page. */
function pdf(): Buffer {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${body}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.from(
    `${text}xref\n0 4\n0000000000 65535 f \n${table}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
    "latin1",
  );
}

/** An archive without entries: only the end record. */
function zip(): Buffer {
  return Buffer.concat([Buffer.from("PK\u0005\u0006", "latin1"), Buffer.alloc(18)]);
}

const FILES: Readonly<Record<string, (() => Buffer) | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    "image/png": png,
    "image/gif": gif,
    "image/svg+xml": () =>
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    "audio/wav": wav,
    "audio/x-wav": wav,
    "application/pdf": pdf,
    "application/zip": zip,
  },
);
