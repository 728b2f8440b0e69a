/** Stands in for the page that a 402 names: no operation of this project documents the status. */

export function paymentPage(..._: readonly unknown[]): string | undefined {
  return undefined;
}
