/** Chat completions of OpenAI, which many other servers offer, too. */
import { isObject } from "../../json.js";
import { type Message, type ModelApi, type ModelCall, ModelError } from "./model.js";

/** https://platform.openai.com/docs/api-reference/chat */
export const openai: ModelApi = {
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  path: "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  request: ({ system, tools, messages }, { name, temperature, maxTokens }) => ({
    model: name,
    stream: false,
    max_completion_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...messages.flatMap(toWire),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name: tool, description, inputSchema }) => ({
        type: "function",
        function: { name: tool, description, parameters: inputSchema },
      })),
    }),
  }),
  response: (body) => {
    const { choices, usage } = isObject(body) ? body : {};
    const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
    const message = isObject(choice) ? choice.message : undefined;
    if (!isObject(message)) throw new ModelError("The response has no choices[0].message");
    const calls = Array.isArray(message.tool_calls)
      ? (message.tool_calls as readonly unknown[])
      : [];
    return {
      text: typeof message.content === "string" ? message.content : "",
      calls: calls.map(readCall),
      usage: {
        input: numberOf(usage, "prompt_tokens"),
        output: numberOf(usage, "completion_tokens"),
      },
    };
  },
};

function toWire(message: Message): readonly object[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.text }];
    case "model":
      return [
        {
          role: "assistant",
          content: message.text === "" ? null : message.text,
          ...(message.calls.length > 0 && {
            tool_calls: message.calls.map(({ id, name, input }) => ({
              id,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
        },
      ];
    case "results":
      return message.results.map(({ id, text }) => ({
        role: "tool",
        tool_call_id: id,
        content: text,
      }));
  }
}

function readCall(call: unknown): ModelCall {
  const called = isObject(call) && isObject(call.function) ? call.function : {};
  const id = isObject(call) ? String(call.id) : "";
  return { id, name: String(called.name), ...readArguments(called.arguments) };
}

function readArguments(text: unknown): Pick<ModelCall, "input" | "problem"> {
  if (text === undefined || text === "") return { input: {} };
  try {
    const input: unknown = typeof text === "string" ? JSON.parse(text) : text;
    if (isObject(input)) return { input };
  } catch {
    // The problem below covers syntax errors, too.
  }
  return { input: {}, problem: "The arguments are not a JSON object. Send them as one." };
}

/** A member that is a number; 0 if there is none. */
export function numberOf(value: unknown, key: string): number {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" ? found : 0;
}
