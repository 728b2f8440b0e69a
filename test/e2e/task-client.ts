/** A client that declares the tasks extension. The SDK's client rejects results with a task. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

/** `CreateTaskResult`, or the result of a request about a task. */
export interface Task {
  readonly taskId: string;
  readonly status: string;
}

interface Options {
  /** True if the request declares the extension, which is the default. */
  readonly extension?: boolean;
  readonly token?: string;
}

let requestId = 0;

/** Sends one request of 2026-07-28. */
export async function postAsTaskClient(
  url: URL,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { extension = true, token }: Options = {},
): Promise<{ readonly result?: Task; readonly error?: { readonly code: number } }> {
  const capabilities = extension ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {};
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tasks", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(params["name"] ?? params["taskId"]),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++requestId,
      method,
      params: { ...params, _meta },
    }),
  });
  const body = await response.text();
  const line = /^data: (\{.*"id".*)$/m.exec(body)?.[1] ?? body;
  return JSON.parse(line) as Awaited<ReturnType<typeof postAsTaskClient>>;
}

/** Lists the violations of the extension's schema. */
export function extensionValidator(): (type: string, value: unknown) => readonly string[] {
  const file = new URL("../conformance/schema/tasks.json", import.meta.url);
  const schema = JSON.parse(readFileSync(file, "utf8")) as { $id: string };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(schema);
  return (type, value) => {
    const check = ajv.getSchema(`${schema.$id}#/$defs/${type}`)!;
    return check(value)
      ? []
      : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
