/** Codes reported by `src/write`: kebab-case, `write-` first. */
export const writeCodes = {
  /**
   * The folder is one that nobody generates into by intention: `/`, the home folder, the current
   * folder.
   */
  "write-folder-refused": "error",
  /** The folder cannot be one: it is a file or a link, or its parent does not exist. */
  "write-folder-unusable": "error",
  /** The folder holds something, and nothing says that mcp-gen made it. */
  "write-folder-not-empty": "error",
  /** Generated files were changed by their owner since. */
  "write-files-edited": "error",
  /** A declaration marked `@keep` does not fit what is generated now. */
  "write-keep-conflict": "error",
  /** Likewise, and it was carried over by `--force`. */
  "write-keep-conflict-forced": "warning",
  /** A file with declarations marked `@keep` is not generated any more. */
  "write-keep-file-removed": "error",
  /** A package-lock.json of the owner's was made for another package.json. */
  "write-lockfile-outdated": "info",
  /** Only seen by `--check`: files repeat another version of the package than it has now. */
  "write-version-outdated": "info",
  /** A new file would replace one that mcp-gen did not write. */
  "write-files-not-generated": "error",
  /** A file or folder that is to be written is a symbolic link, or no file. */
  "write-not-a-file": "error",
  /**
   * `.mcp-gen/manifest.json` or a journal names paths outside the folder, or is not what mcp-gen
   * writes.
   */
  "write-manifest-invalid": "error",
  /** A file to write has a path that leaves the folder, or that another one has too. */
  "write-path-invalid": "error",
  /** Another run is writing to the same folder. */
  "write-locked": "error",
  /** Only seen by runs that may not write: an earlier run was interrupted while it moved files. */
  "write-interrupted": "error",
  /** An earlier run was interrupted while it moved files, and has been completed. */
  "write-recovered": "info",
  /** The operating system refused: no space, no permission, a broken disk. */
  "write-failed": "error",
} as const;
