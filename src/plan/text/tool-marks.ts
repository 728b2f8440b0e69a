/** Marks of tools in texts that are written before the tools have their final names. */
import type { Operation } from "../../model/types.js";

/** Place of a tool's name in a text that is written before the tools have their final names. */
export const toolMark = (index: number): string => `‹tool:${index}›`;

/** A mark, with its index as group. */
export const TOOL_MARK = /‹tool:(\d+)›/g;

/** Tests whether a text has a mark. */
export const hasToolMark = (text: string): boolean => text.includes("‹tool:");

/** Operations that texts refer to, and the function that marks them. */
export interface CrossReferences {
  /** Replaces each reference to another operation by a mark. */
  link(text: string, own: Operation): string;
  /** Operation of a mark. */
  operationOf(index: number): Operation | undefined;
}
