/** Stands in for requests that a caller writes itself, which are left out. */
import type { RequestMapping, ToolInput } from "../types.js";
import type { ApiContext, BindResult, InputProblem } from "./types.js";

type RawRequest =
  | { readonly ok: true; readonly mapping: RequestMapping; readonly input: ToolInput }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** No tool has such requests. */
export function readRawRequest(_template: RequestMapping, _input: ToolInput): RawRequest {
  return { ok: false, problems: [] };
}

/** No request is bound. */
export function bindRawRequest(_request: unknown, _context: ApiContext): BindResult {
  return { ok: false, problems: [] };
}
