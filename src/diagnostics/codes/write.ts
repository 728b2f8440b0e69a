/** Codes reported by `src/write`: kebab-case, `write-` first. */
export const writeCodes = {
  /**
   * The folder is one that nobody generates into by intention: `/`, the home folder, the current
   * folder.
   */
  "write-target-refused": "error",
  /** The folder cannot be one: it is a file or a link, or its parent does not exist. */
  "write-target-unusable": "error",
  /** The folder holds something, and nothing says that mcp-gen made it. */
  "write-folder-foreign": "error",
  /** Generated files were changed by their owner since. */
  "write-files-edited": "error",
  /** A declaration marked `@keep` does not fit what is generated now. */
  "write-kept-broken": "error",
  /** Likewise, and it was carried over by `--force`. */
  "write-kept-unfit": "warning",
  /** A file with declarations marked `@keep` is not generated any more. */
  "write-kept-gone": "error",
  /** A package-lock.json of the owner's was made for another package.json. */
  "write-lock-behind": "info",
  /** Only seen by `--check`: files repeat another version of the package than it has now. */
  "write-version-behind": "info",
  /** A new file would replace one that mcp-gen did not write. */
  "write-files-foreign": "error",
  /** A file or folder that is to be written is a symbolic link, or no file. */
  "write-not-a-file": "error",
  /**
   * `.mcp-gen/manifest.json` or a journal names paths outside the folder, or is not what mcp-gen
   * writes.
   */
  "write-manifest-invalid": "error",
  /** A file to write has a path that leaves the folder, or that another one has too. */
  "write-path-illegal": "error",
  /** Another run is writing to the same folder. */
  "write-locked": "error",
  /** Only seen by runs that may not write: an earlier run was interrupted while it moved files. */
  "write-interrupted": "error",
  /** An earlier run was interrupted while it moved files, and has been completed. */
  "write-recovered": "info",
  /** The operating system refused: no space, no permission, a broken disk. */
  "write-failed": "error",
} as const;
