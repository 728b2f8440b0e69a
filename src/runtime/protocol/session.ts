/**
 * Sessions of clients before 2026-07-28, which state their capabilities only once. The ID has what
 * a server has to know, so that it stores nothing: a client that invents one deceives only itself.
 */
import { isObject } from "../data/values.js";

/** Capabilities of a client that its session ID records. */
export interface ClientSession {
  readonly supportsForms: boolean;
  readonly supportsUrls: boolean;
}

const sessionPattern = /^[0-9a-f-]{36}\.(plain|form|url|form-url)$/;

/** Reads a session ID; undefined for one that this server has not issued. */
export function readSession(id: string | null | undefined): ClientSession | undefined {
  const [, kinds] = sessionPattern.exec(id ?? "") ?? [];
  if (kinds === undefined) return undefined;
  const all = kinds.split("-");
  return { supportsForms: all.includes("form"), supportsUrls: all.includes("url") };
}

/** The session ID for a client that initializes; undefined for other messages. */
export function sessionFor(message: unknown): string | undefined {
  if (!isObject(message) || message["method"] !== "initialize") return undefined;
  const params = message["params"];
  const capabilities = isObject(params) ? params["capabilities"] : undefined;
  const kinds = [
    ...(declaresForms(capabilities) ? ["form"] : []),
    ...(declaresUrls(capabilities) ? ["url"] : []),
  ];
  return `${crypto.randomUUID()}.${kinds.join("-") || "plain"}`;
}

/** True for elicitation with forms. Without a mode, it means forms. MCP 2025-11-25, "Elicitation". */
export function declaresForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isObject(elicitation)) return false;
  return isObject(elicitation["form"]) || elicitation["url"] === undefined;
}

/** True for elicitation by URL. */
export function declaresUrls(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isObject(elicitation) && isObject(elicitation["url"]);
}
