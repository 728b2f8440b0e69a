import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { addTokenExchange, EXCHANGE_GRANT, EXCHANGER } from "./token-exchange.js";

/** State of the authorization server: it answers, refuses connections, or never answers. */
type Health = "up" | "down" | "silent";

export interface VerifiedToken {
  readonly user: string | undefined;
  /** Absent in tokens for no particular resource. */
  readonly audience: string | undefined;
}

/** An authorization server on loopback, with rotation of refresh tokens. */
export interface TestProvider {
  readonly issuer: string;
  /** Number of successful requests to the token endpoint with this grant. */
  readonly grants: (type: string) => number;
  readonly revokeAll: () => Promise<void>;
  /** The user and the audience of a token; undefined if it is not valid. */
  readonly verify: (token: string) => Promise<VerifiedToken | undefined>;
  readonly setHealth: (health: Health) => void;
  readonly close: () => void;
}

export const CLIENT_ID = "clinic-cli";

/** Confidential clients, by authentication method. */
export const CONFIDENTIAL = {
  client_secret_basic: { id: "clinic-basic", secret: "basic-secret-4711%20+" },
  client_secret_post: { id: "clinic-post", secret: "post-secret-0815" },
} as const;

export interface ProviderOptions {
  /** Redirects of the client besides those on loopback. */
  readonly redirects?: readonly string[];
  /** Protected resource for which access tokens are JWTs. RFC 8707. */
  readonly resource?: string;
  /** Lifetimes in seconds. */
  readonly accessTokens?: number;
  readonly exchangedTokens?: number;
  /** Receives the parameters of successful token requests. */
  readonly onGrant?: (parameters: Readonly<Record<string, unknown>>) => void;
}

/** Starts `oidc-provider` with public and confidential clients, whose redirects are on loopback. */
export async function startProvider({
  redirects = [],
  resource,
  accessTokens = 3600,
  exchangedTokens = 3600,
  onGrant,
}: ProviderOptions = {}): Promise<TestProvider> {
  const { Provider } = await import("oidc-provider");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: clients(["http://127.0.0.1/callback", ...redirects]),
    scopes: ["openid", "offline_access", "pets:read", "pets:write"],
    features: {
      devInteractions: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      ...(resource !== undefined && { resourceIndicators: resourceIndicators(resource) }),
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    ttl: {
      AccessToken: accessTokens,
      RefreshToken: 3600,
      Session: 600,
      Grant: 3600,
      Interaction: 600,
    },
    cookies: { keys: ["test"] },
  });
  const counts = new Map<string, number>();
  provider.on("grant.success", ({ oidc }) => {
    onGrant?.(oidc.params ?? {});
    const type = String(oidc.params?.["grant_type"]);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  });
  const grants = new Set<string>();
  provider.on("grant.success", ({ oidc }) => {
    if (oidc.entities.Grant?.jti) grants.add(oidc.entities.Grant.jti);
  });
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const verify = async (token: string): Promise<VerifiedToken | undefined> => {
    const jwt = await jwtVerify(token, keys, { issuer }).catch(() => undefined);
    if (jwt) return { user: jwt.payload.sub, audience: String(jwt.payload.aud) };
    const opaque = await provider.AccessToken.find(token);
    return opaque && { user: opaque.accountId, audience: undefined };
  };
  addTokenExchange(provider, { lifetime: exchangedTokens, resource, verify });
  let health: Health = "up";
  const serve = provider.callback();
  server.on("request", (request, response) => {
    if (health === "down") request.destroy();
    else if (health === "up") serve(request, response);
  });
  return {
    issuer,
    grants: (type) => counts.get(type) ?? 0,
    async revokeAll() {
      for (const grant of grants) {
        await provider.RefreshToken.revokeByGrantId(grant);
        await provider.AccessToken.revokeByGrantId(grant);
      }
    },
    verify,
    setHealth: (next) => (health = next),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function clients(redirect_uris: readonly string[]): readonly object[] {
  const ofUsers = {
    application_type: "native",
    redirect_uris,
    grant_types: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
  };
  const exchanger = {
    client_id: EXCHANGER.id,
    client_secret: EXCHANGER.secret,
    redirect_uris: [],
    response_types: [],
    grant_types: [EXCHANGE_GRANT],
  };
  const confidential = Object.entries(CONFIDENTIAL).map(([method, { id, secret }]) => ({
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: method,
    ...ofUsers,
  }));
  const cli = { client_id: CLIENT_ID, token_endpoint_auth_method: "none", ...ofUsers };
  return [cli, ...confidential, exchanger];
}

function resourceIndicators(resource: string): object {
  return {
    enabled: true,
    defaultResource: () => resource,
    useGrantedResource: () => true,
    getResourceServerInfo: (_: unknown, requested: string) => ({
      scope: "pets:read pets:write",
      audience: requested,
      accessTokenFormat: "jwt",
      jwt: { sign: { alg: "RS256" } },
    }),
  };
}

/**
 * Signs in and consents through the forms of the provider, as a browser does.
 * @returns the redirect to the callback; the last page of a device sign-in
 */
export async function consent(start: string, userCode?: string, login = "ann"): Promise<URL> {
  return (await browse(start, { login, userCode, stopAt: "/callback" })).url;
}

interface BrowseOptions {
  readonly login?: string;
  readonly userCode?: string | undefined;
  /** Path of a redirect that is not followed. */
  readonly stopAt?: string;
  /** Cookies of the browser, which is a new one by default. */
  readonly cookies?: Map<string, string>;
}

/** A page without a form, or a redirect that was not followed. */
interface LastPage {
  readonly url: URL;
  /** 302 for a redirect that was not followed. */
  readonly status: number;
  readonly text: string;
}

/** Follows redirects, and fills in the forms of the provider. */
export async function browse(
  start: string,
  { login = "ann", userCode, stopAt, cookies = new Map() }: BrowseOptions = {},
): Promise<LastPage> {
  let [url, body]: [string, string | undefined] = [start, undefined];
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body !== undefined && { "Content-Type": "application/x-www-form-urlencoded" }),
      },
      ...(body !== undefined && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const text = await response.text();
    if (location !== null) {
      [url, body] = [new URL(location, url).href, undefined];
      if (new URL(url).pathname === stopAt) return { url: new URL(url), status: 302, text };
      continue;
    }
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt] = /name="prompt" value="([^"]+)"/.exec(text) ?? [];
    if (text.includes("Sign-in Success") || action === undefined)
      return { url: new URL(url), status: response.status, text };
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(text) ?? [];
    const isConfirmation = text.includes('name="confirm"');
    const device = `xsrf=${xsrf}&user_code=${userCode}${isConfirmation ? "&confirm=yes" : ""}`;
    const page = `prompt=${prompt}&login=${login}&password=x`;
    [url, body] = [new URL(action, url).href, xsrf === "" ? page : device];
  }
  throw new Error("too many pages");
}
