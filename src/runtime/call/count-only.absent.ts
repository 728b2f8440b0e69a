/** Stands in for calls that ask for a total alone: no tool has the input for it. */
import type { ToolInput } from "../types.js";

export const withSmallestPage = (_operation: unknown, input: ToolInput): ToolInput => input;

export const missingTotal = (..._: readonly unknown[]): undefined => undefined;
