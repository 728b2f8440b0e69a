/** Stands in for advice about request bodies: no operation of this project sends one. */

export function asksForBody(..._: readonly unknown[]): boolean {
  return false;
}

export function fieldsOfOmittedBody(..._: readonly unknown[]): readonly string[] {
  return [];
}

export function failsWithoutBody(..._: readonly unknown[]): boolean {
  return false;
}

export function isAboutAbsence(..._: readonly unknown[]): boolean {
  return false;
}

export function omittedBodyFault(..._: readonly unknown[]): string {
  return "";
}

export function omittedBodyAdvice(..._: readonly unknown[]): string {
  return "";
}
