/**
 * An authorization server on the loopback interface: metadata, keys that can be changed, and tokens
 * of every kind.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";

export interface Issuer {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** A token with these claims beside the usual ones. */
  token(
    claims?: JWTPayload,
    header?: {
      readonly alg?: string;
      readonly kid?: string;
      readonly key?: CryptoKey | Uint8Array;
    },
  ): Promise<string>;
  /** Replaces the key; the old one is published no more. */
  rotate(): Promise<void>;
  /** Answers everything with this status from now on; 200: as usual. */
  fail(status: number): void;
  close(): Promise<void>;
}

export const audience = "https://mcp.example.com/mcp";

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" },
  };
}

/** @param metadataAt where the metadata is */
export async function startIssuer(
  metadataAt = "/.well-known/oauth-authorization-server",
): Promise<Issuer> {
  let key = await newKey("key-1");
  let status = 200;
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = "" }, response) => {
    asked.push(url);
    const documents = new Map<string, unknown>([
      [metadataAt, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }],
      ["/keys", { keys: [key.jwk] }],
    ]);
    const found = documents.get(url);
    response
      .writeHead(status === 200 && found === undefined ? 404 : status, {
        "content-type": "application/json",
      })
      .end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    token: (claims = {}, { alg = "ES256", kid = key.kid, key: signer = key.privateKey } = {}) =>
      new SignJWT({
        iss: issuer.url,
        aud: audience,
        sub: "user",
        scope: "pets:read pets:write",
        exp: Math.floor(Date.now() / 1000) + 600,
        ...claims,
      })
        .setProtectedHeader({ alg, kid, typ: "at+jwt" })
        .sign(signer),
    rotate: async () => void (key = await newKey(`key-${Number(key.kid.slice(4)) + 1}`)),
    fail: (code) => (status = code),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}
