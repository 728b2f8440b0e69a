import { resolvePointer } from "../../src/json-pointer.js";
import type { AnyClient } from "../e2e/clients.js";
import type { LiveProject } from "./project.js";
import type { CallReport, LiveCall } from "./types.js";

/** Values of earlier answers by name. */
export type Saved = Map<string, unknown>;

/** Base URL, and a function that stops the server. */
interface Target {
  readonly url: string;
  stop(): Promise<void>;
}

/** Makes the calls in their order, each whatever came of the earlier ones. */
export async function runScenario(
  calls: readonly LiveCall[],
  project: LiveProject,
  target: Target,
): Promise<{ readonly reports: readonly CallReport[]; readonly saved: Saved }> {
  const saved: Saved = new Map();
  const connections = new Map<LiveCall["credentials"], AnyClient>();
  const reports: CallReport[] = [];
  try {
    for (const call of calls) {
      if (call.kind === "server stopped") await target.stop();
      const client = connections.get(call.credentials) ?? (await project.connect(call.credentials));
      connections.set(call.credentials, client);
      reports.push(await runCall(withStoppedTexts(call, project, target), client, saved));
    }
  } finally {
    await Promise.all([...connections.values()].map((client) => client.close()));
  }
  return { reports, saved };
}

/** Without a server, the answer names the base URL and its variable. */
function withStoppedTexts(call: LiveCall, { prefix }: LiveProject, { url }: Target): LiveCall {
  return call.kind === "server stopped"
    ? { ...call, expect: "error", says: [url, `${prefix}_BASE_URL`, ...(call.says ?? [])] }
    : call;
}

async function runCall(call: LiveCall, client: AnyClient, saved: Saved): Promise<CallReport> {
  try {
    const args = insertSaved(call.arguments ?? {}, saved) as Record<string, unknown>;
    const result = await client.callTool({ name: call.tool, arguments: args });
    const text = textOf(result.content);
    const failures = [
      ...(Boolean(result.isError) === (call.expect === "error")
        ? []
        : [`it is ${result.isError ? "an error" : "a result"}: ${text.slice(0, 200)}`]),
      ...(call.says ?? []).filter((part) => !text.includes(part)).map((part) => `lacks "${part}"`),
      ...saveValues(call, result.structuredContent ?? parseJson(text), saved),
    ];
    return { call, text, failures };
  } catch (error) {
    const text = `The client threw: ${(error as Error).message}`;
    return { call, text, failures: [text] };
  }
}

function saveValues(call: LiveCall, content: unknown, saved: Saved): string[] {
  return Object.entries(call.save ?? {}).flatMap(([name, pointer]) => {
    const value = resolvePointer(content, `#${pointer}`);
    if (value === undefined) return [`has nothing at ${pointer} for $${name}`];
    saved.set(name, value);
    return [];
  });
}

/** Content of a tool without output schema: the JSON before the notes. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.split("\nNote: ")[0] ?? "");
  } catch {
    return undefined;
  }
}

/** Replaces `$name` by the saved value. */
function insertSaved(value: unknown, saved: Saved): unknown {
  if (Array.isArray(value)) return value.map((item) => insertSaved(item, saved));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, insertSaved(item, saved)]),
    );
  if (typeof value !== "string" || !value.startsWith("$")) return value;
  if (!saved.has(value.slice(1))) throw new Error(`no earlier call saved ${value}`);
  return saved.get(value.slice(1));
}

function textOf(content: unknown): string {
  return (content as readonly { readonly type: string; readonly text?: string }[])
    .map((block) => block.text ?? JSON.stringify(block))
    .join("\n");
}
