import type { Policy } from "./policy.js";
import { json, type Reply } from "./reply.js";
import type { OAuthSettings } from "./settings.js";

/** How clients learn where to get a token for this server. RFC 9728. */
export interface ResourceMetadata {
  /**
   * Where clients find it. Section 3.1: the well-known path goes before the path of the resource.
   */
  readonly url: string;
  readonly document: object;
}

const wellKnown = "/.well-known/oauth-protected-resource";

export function resourceMetadata(
  { issuer, publicUrl, scopes }: OAuthSettings,
  title: string,
): ResourceMetadata {
  const { origin, pathname } = new URL(publicUrl);
  return {
    url: `${origin}${wellKnown}${pathname.replace(/\/$/, "")}`,
    document: {
      resource: publicUrl,
      authorization_servers: [issuer],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ["header"],
      resource_name: title,
    },
  };
}

/**
 * The metadata, at its place and, for clients that only look there, without the path of the
 * resource. Public: any page may read it.
 */
export function metadataOf(
  path: string,
  { metadata }: Pick<Policy, "metadata">,
): Reply | undefined {
  if (!metadata || (path !== wellKnown && path !== new URL(metadata.url).pathname))
    return undefined;
  return json(200, metadata.document, {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "mcp-protocol-version",
    "cache-control": "max-age=3600",
  });
}
