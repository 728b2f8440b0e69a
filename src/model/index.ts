import type { Diagnostic } from "../diagnostics/index.js";
import type { ApiDocument } from "../load/types.js";
import type { ApiModel } from "./types.js";
export type * from "./types.js";
export function toModel(_document: ApiDocument): { readonly model?: ApiModel; readonly diagnostics: readonly Diagnostic[] } { throw new Error("model"); }
