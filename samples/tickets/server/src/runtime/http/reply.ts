/** An answer given instead of serving the request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** A refusal, in the words of the protocol. */
export function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return json(status, { jsonrpc: "2.0", error: { code: -32000, message }, id: null }, headers);
}
