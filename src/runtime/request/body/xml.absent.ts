/** Stands in for XML, which no operation of this project takes. */

export function xmlDocument(..._: readonly unknown[]): string {
  return "";
}

export function xmlDocumentOf(..._: readonly unknown[]): string {
  return "";
}
