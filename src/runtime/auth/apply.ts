/**
 * Putting a credential into a request. Whatever stood in its place was not one, and is replaced.
 */
import type { BoundRequest } from "../bind/types.js";
import { encodeCookieName, percentEncode } from "../bind/percent.js";
import type { MessageCredential } from "./credential.js";

/** `request` with the credential, and with nothing else under its name. */
export function applyCredential(
  request: BoundRequest,
  credential: MessageCredential,
): BoundRequest {
  switch (credential.in) {
    case "header":
      return withHeader(request, credential);
    case "query":
      return { ...request, url: withQueryParameter(request.url, credential) };
    case "cookie":
      return withCookie(request, credential);
  }
}

/** `request` with this header, and with no other of its name. */
export function withHeader(
  request: BoundRequest,
  { name, value }: { readonly name: string; readonly value: string },
): BoundRequest {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
}

function withQueryParameter(url: string, { name, value }: MessageCredential): string {
  const [path = "", ...rest] = url.split("?");
  const others = rest
    .join("?")
    .split("&")
    .filter((pair) => pair !== "" && !new URLSearchParams(pair).has(name));
  return `${path}?${[...others, `${percentEncode(name)}=${percentEncode(value)}`].join("&")}`;
}

function withCookie(request: BoundRequest, credential: MessageCredential): BoundRequest {
  const name = encodeCookieName(credential.name);
  const [, cookies = ""] =
    request.headers.find(([header]) => header.toLowerCase() === "cookie") ?? [];
  const others = cookies
    .split("; ")
    .filter((cookie) => cookie !== "" && !cookie.startsWith(`${name}=`));
  return withHeader(request, {
    name: "Cookie",
    value: [...others, `${name}=${credential.value}`].join("; "),
  });
}
