/** RFC 8693 for `oidc-provider`, which does not have it. */
import type { AccessToken, Provider } from "oidc-provider";
import type { TestProvider } from "./provider.js";

export const EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
/** The client of an MCP server that exchanges tokens. */
export const EXCHANGER = { id: "clinic-mcp", secret: "exchange-secret-42" };
/** The only audience for which tokens are exchanged. */
export const API_AUDIENCE = "https://api.example.com/";

interface ExchangeOptions {
  /** Lifetime of the tokens in seconds. */
  readonly lifetime: number;
  /** Audience of the tokens that may be exchanged. */
  readonly resource: string | undefined;
  readonly verify: TestProvider["verify"];
}

/** Exchanges tokens of users for an MCP server for tokens of the API. */
export function addTokenExchange(
  provider: Provider,
  { lifetime, resource, verify }: ExchangeOptions,
): void {
  const parameters = ["subject_token", "subject_token_type", "audience", "requested_token_type"];
  provider.registerGrantType(
    EXCHANGE_GRANT,
    async (context) => {
      const { client, params } = context.oidc;
      const subject = await verify(String(params["subject_token"]));
      const refuse = (error: string): void => {
        context.status = 400;
        context.body = { error };
      };
      if (!subject || subject.audience !== resource) return refuse("invalid_request");
      if (params["audience"] !== API_AUDIENCE) return refuse("invalid_target");
      const scope = params["scope"];
      const values = { accountId: subject.user, client, gty: "token_exchange", scope };
      const token: AccessToken = new provider.AccessToken(values);
      token.resourceServer = new provider.ResourceServer(API_AUDIENCE, {
        scope,
        audience: API_AUDIENCE,
        accessTokenFormat: "jwt",
        accessTokenTTL: lifetime,
      });
      context.body = {
        access_token: await token.save(),
        issued_token_type: params["requested_token_type"],
        token_type: "Bearer",
        expires_in: lifetime,
      };
    },
    [...parameters, "scope"],
  );
}
