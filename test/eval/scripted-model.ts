/** A model's API on loopback whose responses are written down. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One turn of the model, or an HTTP response. */
export type Turn =
  | {
      readonly text?: string;
      readonly calls?: readonly (readonly [name: string, input: unknown])[];
      readonly tokens?: readonly [input: number, output: number];
    }
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Starts the API. After its last turn it responds with the text "done". */
export async function startModel(format: "openai" | "anthropic", turns: readonly Turn[]) {
  const rest = [...turns];
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "null") as unknown;
    requests.push({ path: incoming.url ?? "", headers: incoming.headers, body });
    const turn = rest.shift() ?? { text: "done" };
    const isHttp = "status" in turn;
    const status = isHttp ? turn.status : 200;
    const content = isHttp ? turn.body : wireForm(format, turn, requests.length);
    response.writeHead(status, { ...(isHttp && turn.headers) });
    response.end(typeof content === "string" ? content : JSON.stringify(content ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

function wireForm(
  format: "openai" | "anthropic",
  { text, calls = [], tokens: [input, output] = [100, 10] }: Exclude<Turn, { status: number }>,
  number: number,
): object {
  const id = (index: number): string => `call_${number}_${index}`;
  if (format === "anthropic")
    return {
      type: "message",
      role: "assistant",
      content: [
        ...(text === undefined ? [] : [{ type: "text", text }]),
        ...calls.map(([name, args], i) => ({ type: "tool_use", id: id(i), name, input: args })),
      ],
      usage: { input_tokens: input, output_tokens: output },
    };
  return {
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text ?? null,
          ...(calls.length > 0 && {
            tool_calls: calls.map(([name, args], i) => ({
              id: id(i),
              type: "function",
              function: {
                name,
                arguments: typeof args === "string" ? args : JSON.stringify(args),
              },
            })),
          }),
        },
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output },
  };
}
