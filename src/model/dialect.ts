import type { At } from "./at.js";
import type { Context } from "./context.js";
import { quote } from "./findings.js";

const KNOWN_DIALECT =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

/**
 * Says so when schemas are of another dialect: the document's (`jsonSchemaDialect`), or one
 * schema's (`$schema`).
 */
export function reportDialect(c: Context, dialect: unknown, at: At): void {
  if (typeof dialect !== "string" || KNOWN_DIALECT.test(dialect)) return;
  c.findings.add(
    "model-dialect",
    at,
    `Schemas of the dialect ${quote(dialect)} are read as JSON Schema 2020-12.`,
  );
}
