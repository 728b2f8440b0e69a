import { createHash, randomBytes } from "node:crypto";
import { CLIENT_ID, consent, type TestProvider } from "../sign-in/provider.js";

/** Signs a user in with a public client, as an MCP client does, and returns the access token. */
export async function accessTokenOf(
  { issuer }: TestProvider,
  user: string,
  resource: string,
): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const redirect_uri = "http://127.0.0.1:7/callback";
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri,
    state: "s",
    scope: "pets:read",
    resource,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const callback = await consent(`${issuer}/auth?${query}`, undefined, user);
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: CLIENT_ID,
      redirect_uri,
      code: callback.searchParams.get("code") ?? "",
      code_verifier: verifier,
      resource,
    }),
  });
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  return token;
}
