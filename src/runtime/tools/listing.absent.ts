/** Stands in for the choice of the tool list: without the tool search, it has every tool. */
import type { ListMode, ListSettings } from "./listing.js";

export function listModeOf(_api: unknown, _tools: unknown, { listMode }: ListSettings): ListMode {
  return listMode ?? "tools";
}
