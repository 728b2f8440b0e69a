/** The part of `oidc-provider`, which has no types of its own, that tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface GrantEvent {
    readonly oidc: {
      readonly params?: Readonly<Record<string, unknown>>;
      readonly entities: { readonly Grant?: { readonly jti?: string } };
    };
  }

  interface GrantContext {
    readonly oidc: { readonly client: object; readonly params: Readonly<Record<string, unknown>> };
    status: number;
    body: object;
  }

  export interface AccessToken {
    readonly accountId?: string;
    resourceServer?: object;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    on(event: "grant.success", listener: (context: GrantEvent) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    registerGrantType(
      name: string,
      handler: (context: GrantContext) => Promise<void>,
      parameters: readonly string[],
    ): void;
    readonly AccessToken: {
      new (values: object): AccessToken;
      find(value: string): Promise<AccessToken | undefined>;
      revokeByGrantId(id: string): Promise<void>;
    };
    readonly RefreshToken: { revokeByGrantId(id: string): Promise<void> };
    readonly ResourceServer: new (identifier: string, data: object) => object;
  }
}
