/** Client certificates (mutual TLS), from the files that the environment names. */
import type { AuthContext } from "./types.js";
import type { Platform } from "../platform.js";
import type { SecuritySchemeDefinition } from "../types.js";
import { unsupportedCredentials, invalidCredentials } from "./failures.js";
import type { CredentialResult } from "./types.js";

const UNREADABLE = "names no readable PEM file";

/**
 * Reads certificate and key. Each variable holds a path, or PEM text on platforms without files.
 */
export async function readCertificate(
  scheme: Extract<SecuritySchemeDefinition, { kind: "mutualTLS" }>,
  { env, platform = {} }: AuthContext,
): Promise<CredentialResult> {
  if (!platform.send)
    return unsupportedCredentials(
      "client certificates cannot be presented where this server runs.",
    );
  const [cert, key] = await Promise.all([
    readPem(env[scheme.certEnv] ?? "", platform),
    readPem(env[scheme.keyEnv] ?? "", platform),
  ]);
  if (cert === undefined) return invalidCredentials([scheme.certEnv], UNREADABLE);
  if (key === undefined) return invalidCredentials([scheme.keyEnv], UNREADABLE);
  return { ok: true, credential: { in: "connection", tls: { cert, key } } };
}

async function readPem(value: string, { readTextFile }: Platform): Promise<string | undefined> {
  if (isPem(value)) return value;
  try {
    const text = (await readTextFile?.(value)) ?? "";
    return isPem(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}
