/**
 * Path of the file that holds all shared files and their fingerprints, relative to the package's
 * folder. The build sets it, because one file is read faster than 150 small ones. Undefined when
 * the sources run without a build: then the files are read one by one.
 */
export const verbatimBundle: string | undefined = undefined;
