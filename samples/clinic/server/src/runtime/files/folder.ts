/** A file that was read. */
export interface LocalFile {
  /** Without its folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The one local folder in which tools may read and save files. */
export interface Folder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /**
   * Reads a file in the folder or below it.
   * @returns on failure, the reason as a clause without a subject
   */
  read(path: string): Promise<LocalFile | string>;
  /**
   * Saves a file under this name, or under a numbered one when the name exists. Never overwrites.
   * @returns the path; `undefined` when the file cannot be saved
   */
  save(name: string, bytes: Uint8Array): Promise<string | undefined>;
}
