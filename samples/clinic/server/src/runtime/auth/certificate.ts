/** Client certificates (mutual TLS). The only code of a binding that reads files: those that its owner names. */
import type { Env } from "../bind/types.js";
import type { SecuritySchemeDefinition } from "../types.js";
import type { CredentialResult } from "./credential.js";
import { incorrect } from "./refusal.js";

const UNREADABLE = "names no readable PEM file";

/** Reads certificate and key. Each variable holds a path, or the PEM text itself where there are no files. */
export async function readCertificate(scheme: Extract<SecuritySchemeDefinition, { kind: "mutualTLS" }>, env: Env): Promise<CredentialResult> {
  const [cert, key] = await Promise.all([readPem(env[scheme.certEnv] ?? ""), readPem(env[scheme.keyEnv] ?? "")]);
  if (cert === undefined) return incorrect([scheme.certEnv], UNREADABLE);
  if (key === undefined) return incorrect([scheme.keyEnv], UNREADABLE);
  return { ok: true, credential: { in: "connection", tls: { cert, key } } };
}

async function readPem(value: string): Promise<string | undefined> {
  if (isPem(value)) return value;
  try {
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(value, "utf8");
    return isPem(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}
