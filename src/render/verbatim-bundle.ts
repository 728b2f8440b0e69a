/**
 * Where the files that `verbatim.ts` copies stand in one piece, below the package's folder, with
 * what `write` would find out about each. The build sets it: 150 small files take longer to read
 * than one. When the sources run as they are, the files are read one by one.
 */
export const verbatimBundle: string | undefined = undefined;
