/** A full result, of which only a part is shown. */
export type FullResult =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly bytes: Uint8Array };
