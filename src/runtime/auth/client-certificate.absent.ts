/** Stands in for client certificates: no scheme of this API has one. */
import type { CredentialResult } from "./types.js";

export function readCertificate(..._: readonly unknown[]): Promise<CredentialResult> {
  return Promise.reject(new Error("This server was generated without client certificates."));
}
