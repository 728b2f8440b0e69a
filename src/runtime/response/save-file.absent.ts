/** Stands in for saved files: this project has no folder for them. */

export interface FileSource {
  readonly url: string;
  readonly headers?: unknown;
}

export const saveFile = async (..._: readonly unknown[]): Promise<undefined> => undefined;
