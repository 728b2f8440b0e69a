/** Stands in for contents of media types, which this project does not send. */

export function serialize(..._: readonly unknown[]): string {
  return "";
}
