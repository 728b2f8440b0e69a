/** The part of `oidc-provider`, which has no types of its own, that tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface GrantEvent {
    readonly oidc: {
      readonly params?: Readonly<Record<string, unknown>>;
      readonly entities: { readonly Grant?: { readonly jti?: string } };
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    on(event: "grant.success", listener: (context: GrantEvent) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    readonly AccessToken: { revokeByGrantId(id: string): Promise<void> };
    readonly RefreshToken: { revokeByGrantId(id: string): Promise<void> };
  }
}
