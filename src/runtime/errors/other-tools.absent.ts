/** Stands in for other tools that help: this project has no writes, and no tool gives what another takes. */

export const sourcesOfInputs = (..._: readonly unknown[]): readonly string[] => [];

export const findReader = (..._: readonly unknown[]): string | undefined => undefined;

export const verificationAdvice = (..._: readonly unknown[]): string =>
  "find out whether it took effect";
