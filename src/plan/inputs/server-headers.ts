/** Header parameters that the server or `mcp-gen.yaml` sets for every request. */
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole } from "./candidates.js";

export const FROM_ENVIRONMENT = "credentials come from the environment";

/** Headers that the server sets itself, with the reason. */
const SERVER_HEADERS: Readonly<Record<string, string>> = {
  accept: "the server requests formats that it can read",
  "accept-encoding": "the server requests content codings that it can read",
  "content-type": "it follows from the body",
  "user-agent": "the server identifies itself",
  authorization: FROM_ENVIRONMENT,
  "proxy-authorization": FROM_ENVIRONMENT,
  cookie: "cookies have their own parameters",
  host: "it follows from the URL",
  "content-length": "it follows from the body",
  "transfer-encoding": "it follows from the body",
  connection: "it belongs to the transport",
};

interface HeaderContext {
  readonly schemas: Schemas;
  /** Headers of every request, from mcp-gen.yaml, in lower case. */
  readonly configuredHeaders?: ReadonlySet<string>;
}

/** Content codings in `Accept-Encoding`. RFC 9110, sections 8.4.1 and 12.5.3; RFC 8878. */
const CONTENT_CODING = /^(?:x-)?(?:gzip|compress|deflate|br|zstd|identity|\*)$/i;

/** Role of a header that callers must not set. */
export function serverHeaderRole(
  { in: location, wireName, schema }: InputCandidate,
  { configuredHeaders, schemas }: HeaderContext,
): InputRole | undefined {
  const name = wireName.toLowerCase();
  if (location !== "header") return undefined;
  if (configuredHeaders?.has(name))
    return { kind: "excluded", reason: "mcp-gen.yaml sets it for every request" };
  if (!Object.hasOwn(SERVER_HEADERS, name)) return undefined;
  const values = resolveSchema(schemas, schema).enum ?? [];
  // Some APIs choose the form of the result by `Accept-Encoding: base64`.
  return name === "accept-encoding" && values.some((value) => !CONTENT_CODING.test(String(value)))
    ? undefined
    : { kind: "excluded", reason: SERVER_HEADERS[name] as string };
}
