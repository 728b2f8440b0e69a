import { request as httpRequest } from "node:http";

/** Options of a request; a field that is left out has its usual value. */
export interface RequestOptions {
  readonly method?: string;
  /** A header with the value `undefined` is not definedHeaders. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A string is definedHeaders as it is; another value as JSON. */
  readonly body?: unknown;
  readonly path?: string;
}

export interface ReceivedResponse {
  /** 0 when the connection was closed without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const definedHeaders = (headers: NonNullable<RequestOptions["headers"]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** Sends a request with node:http, because `fetch` does not send the headers under test. */
export function send(
  url: URL,
  { method = "POST", headers = {}, body, path = url.pathname }: RequestOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve) => {
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        path,
        method,
        headers: definedHeaders({ ...json, ...headers }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
        response.on("close", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    // The server may close the connection while the client still writes. The client then receives
    // no response.
    request.on("error", () => resolve({ status: 0, headers: {}, body: "" }));
    request.end(
      method !== "POST" ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    );
  });
}
