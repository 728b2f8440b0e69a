import type { BoundRequest } from "../runtime/index.js";

/** `request` with an HMAC of its body, hexadecimal, in `X-Signature`. By Web Crypto, so that it works in workers too. */
export async function signed(request: BoundRequest, key: string): Promise<BoundRequest> {
  const text = new TextEncoder();
  const body = typeof request.body === "string" ? text.encode(request.body) : (request.body ?? new Uint8Array());
  const secret = await crypto.subtle.importKey("raw", text.encode(key || "unsigned"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", secret, new Uint8Array(body)));
  const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...request, headers: [...request.headers, ["X-Signature", hex]] };
}
