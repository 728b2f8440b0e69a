/** Stands in for texts in place of numbers, which no input of this project is. */
import type { ToolInput } from "../types.js";

export const isIdentifierForNumber = (..._: readonly unknown[]): boolean => false;

export const isLargeInteger = (..._: readonly unknown[]): boolean => false;

export const withLargeIntegers = (input: ToolInput, _: unknown): ToolInput => input;

export const restoreDigits = (input: ToolInput, ..._: readonly unknown[]): ToolInput => input;
