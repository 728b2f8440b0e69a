/** The facts by which an agent chooses a tool, and the tool that calls it. */
import type { AnyTool } from "../tools/definitions.js";

/** Effect of a tool, by its annotations. */
type EffectClass = "read" | "write" | "destructive";

/** A tool without its inputs. */
export interface Identity {
  readonly name: string;
  readonly title: string;
  /** Absent in a server of one API. */
  readonly api?: string;
  readonly toolset?: string;
  readonly effect: EffectClass;
}

export function identityOf({ name, title, api, toolset, annotations }: AnyTool): Identity {
  const { readOnlyHint, destructiveHint } = annotations;
  const effect = readOnlyHint ? "read" : destructiveHint ? "destructive" : "write";
  return {
    name,
    title,
    ...(api !== undefined && { api }),
    ...(toolset !== undefined && { toolset }),
    effect,
  };
}

/** JSON Schemas of the fields. */
export const identityProperties = {
  name: { type: "string" },
  title: { type: "string" },
  toolset: { type: "string" },
  effect: { type: "string", enum: ["read", "write", "destructive"] },
} as const;
