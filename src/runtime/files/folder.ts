/** A file that was read. */
export interface LocalFile {
  /** Without its folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The one folder of this machine in which tools may read files and save them. */
export interface Folder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** A file in the folder or below it; or why there is none, as a clause without a subject. */
  read(path: string): Promise<LocalFile | string>;
  /**
   * Saves under this name, or one like it: no file is ever overwritten. @returns the path;
   * `undefined` when it cannot be saved
   */
  save(name: string, bytes: Uint8Array): Promise<string | undefined>;
}
