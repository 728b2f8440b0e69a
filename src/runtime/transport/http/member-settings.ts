/** Settings of HTTP of a server of several APIs. */
import type { ApiDefinition } from "../../api-definition.js";
import type { Env } from "../../request/types.js";

/** Prefixes of the variables of the APIs of a server, of which one has that of the server. */
export const prefixesOf = (prefix: string, apis: ApiDefinition["apis"]): readonly string[] =>
  apis ? Object.values(apis).map(({ envPrefix }) => envPrefix) : [prefix];

/** Credentials of callers for one API, of which a server of several does not know for which. */
export function findSharedCredentials(
  envPrefix: string,
  apis: ApiDefinition["apis"],
  env: Env,
): readonly string[] {
  if (!apis) return [];
  const prefixes = prefixesOf(envPrefix, apis);
  const isSet = (name: string): boolean => Boolean(env[name]?.trim());
  const shared = ["FORWARD_HEADERS", "TOKEN_EXCHANGE"].filter((name) =>
    isSet(`${envPrefix}_${name}`),
  );
  const misplaced = prefixes
    .filter((prefix) => prefix !== envPrefix)
    .map((prefix) => `${prefix}_HTTP_SIGN_IN_CLIENT_ID`)
    .filter(isSet);
  return [
    ...shared.map(
      (name) => `${envPrefix}_${name} does not say to which API: set ${prefixes[0]}_${name}.`,
    ),
    ...misplaced.map(
      (name) => `${name} is one client for all APIs: set ${envPrefix}_HTTP_SIGN_IN_CLIENT_ID.`,
    ),
  ];
}

/** Names of forwarded headers, by API and by the name at this server. */
export type HeadersOfApis = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The headers of clients that are forwarded to each API. */
export function forwardHeadersOfApis(
  apis: NonNullable<ApiDefinition["apis"]>,
  read: (variable: string) => ReadonlyMap<string, string>,
): HeadersOfApis {
  return new Map(
    Object.entries(apis).map(([name, { envPrefix }]) => [
      name,
      read(`${envPrefix}_FORWARD_HEADERS`),
    ]),
  );
}
