/** Stands in for the consent of users, which no scheme of the API needs. */

export function localConsent(_: unknown): undefined {
  return undefined;
}
