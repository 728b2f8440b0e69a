/** Stands in for the inputs that users are asked for: no tool has any. */

export const withAskedInputs = (_tool: unknown, args: unknown, _: unknown): unknown => args;

export const unaskedProblems = (..._: readonly unknown[]): readonly never[] => [];

export const askForInputs = (..._: readonly unknown[]): undefined => undefined;
