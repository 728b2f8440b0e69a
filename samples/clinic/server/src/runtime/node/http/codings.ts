/**
 * What node:zlib decodes; zstd is newer than the oldest Node that is served. RFC 9110, section
 * 8.4.1; RFC 8878.
 */
export const codings: readonly string[] = [
  "gzip",
  "deflate",
  "br",
  ...(process.versions["zstd"] === undefined ? [] : ["zstd"]),
];

/** As many as can be wanted of one body; RFC 9110 sets no bound. */
const mostCodings = 5;

/**
 * The codings of a body in the order in which they were applied; none where one of them is unknown:
 * then the body is left as it is.
 */
export function codingsOf(contentEncoding: string): readonly string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim().replace(/^x-gzip$/, "gzip"));
  const applied = names.filter((name) => name !== "" && name !== "identity");
  if (!applied.every((name) => codings.includes(name))) return [];
  if (applied.length > mostCodings)
    throw Object.assign(new Error("too many content codings"), { code: "Z_DATA_ERROR" });
  return applied;
}
