/** Client certificates, which the connection presents. */
import type { SchemeOf } from "../security-schemes.js";
import type { WrapSend } from "../request/types.js";
import { invalidCredentials, unsupportedCredentials } from "./requirements.js";
import type { AuthContext, CredentialResult, Platform } from "./types.js";

const UNREADABLE = "does not name a readable PEM file";

/**
 * Reads certificate and key. Each variable holds a path, or PEM text on platforms without files.
 */
export async function readCertificate(
  scheme: SchemeOf<"mutualTLS">,
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
  const wrapSend: WrapSend = (send) => (request, options) =>
    send(request, { ...options, tls: { cert, key } });
  return { ok: true, credential: { in: "exchange", wrapSend, secrets: [] } };
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
