import { request as httpRequest } from "node:http";

export interface Sketch {
  readonly method?: string;
  /** Undefined: not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** JSON, unless it is a text. */
  readonly body?: unknown;
  readonly path?: string;
}

export interface Got {
  /** 0 when the connection was closed instead. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const sent = (headers: NonNullable<Sketch["headers"]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** By node:http, because `fetch` does not send the headers that these tests are about. */
export function send(
  url: URL,
  { method = "POST", headers = {}, body, path = url.pathname }: Sketch,
): Promise<Got> {
  return new Promise((resolve) => {
    const request = httpRequest(
      { host: url.hostname, port: url.port, path, method, headers: sent({ ...json, ...headers }) },
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
    // The connection may be closed while the client still writes; then it does not get to see the
    // answer.
    request.on("error", () => resolve({ status: 0, headers: {}, body: "" }));
    request.end(
      method !== "POST" ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    );
  });
}
