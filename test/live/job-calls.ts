/** Calls whose work takes time, by the SDK's client of each protocol era. */
import { type AnyClient, clients, onProgress, type Target } from "../e2e/clients.js";

type Connect = (target: Target) => Promise<AnyClient>;

/** The SDK's current client, for revisions up to 2025-11-25 and for 2026-07-28. */
export const eras: readonly (readonly [string, Connect])[] = [clients[1]!, clients[2]!];

/** A call with the progress that its client received. */
export interface JobCall {
  readonly result: Awaited<ReturnType<AnyClient["callTool"]>> & { readonly rejected?: string };
  readonly messages: readonly string[];
  /** The result as JSON. */
  readonly text: string;
}

type Call = (params: object, options: object) => ReturnType<AnyClient["callTool"]>;

/** @param cancels whether the client cancels the call when it reports progress */
export async function callJob(
  client: AnyClient,
  params: { readonly name: string; readonly arguments: object },
  cancels = false,
): Promise<JobCall> {
  const messages: string[] = [];
  const controller = new AbortController();
  onProgress(client, (message) => {
    messages.push(message ?? "");
    if (cancels) controller.abort();
  });
  const callTool = client.callTool.bind(client) as Call;
  const result = await callTool(params, {
    onprogress: () => {},
    ...(cancels && { signal: controller.signal }),
  }).catch((error: unknown) => ({ rejected: String(error) }));
  return { result, messages, text: JSON.stringify(result) };
}

/** Starts a bundled server over stdio for one client, and closes both. */
export async function withClient<Result>(
  connect: Connect,
  server: string,
  env: Readonly<Record<string, string>>,
  use: (client: AnyClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect({ command: process.execPath, args: [server], env: { ...env } });
  return use(client).finally(() => client.close());
}
