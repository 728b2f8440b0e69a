/** Marks of tools in texts that are written before the tools have their final names. */

/** Place of a tool's name in a text that is written before the tools have their final names. */
export const toolMark = (index: number): string => `‹tool:${index}›`;

/** A mark, with its index as group. */
export const TOOL_MARK = /‹tool:(\d+)›/g;

/** Tests whether a text has a mark. */
export const hasToolMark = (text: string): boolean => text.includes("‹tool:");
