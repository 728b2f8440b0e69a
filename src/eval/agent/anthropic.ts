/** Messages of Anthropic. */
import { isObject } from "../../json.js";
import { type Message, type ModelApi, type ModelCall, ModelError } from "./model.js";
import { numberOf } from "./openai.js";

/** https://docs.anthropic.com/en/api/messages */
export const anthropic: ModelApi = {
  baseUrl: "https://api.anthropic.com/v1",
  keyVariable: "ANTHROPIC_API_KEY",
  path: "/messages",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  request: ({ system, tools, messages }, { name, temperature, maxTokens }) => ({
    model: name,
    stream: false,
    max_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(system !== "" && { system }),
    messages: messages.map(toWire),
    ...(tools.length > 0 && {
      tools: tools.map(({ name: tool, description, inputSchema }) => ({
        name: tool,
        description,
        input_schema: inputSchema,
      })),
    }),
  }),
  response: (body) => {
    const { content, usage } = isObject(body) ? body : {};
    if (!Array.isArray(content)) throw new ModelError("The response has no content");
    const blocks = content.filter(isObject);
    return {
      text: blocks
        .filter(({ type }) => type === "text")
        .map(({ text }) => String(text))
        .join("\n"),
      calls: blocks.filter(({ type }) => type === "tool_use").map(readCall),
      usage: {
        input:
          numberOf(usage, "input_tokens") +
          numberOf(usage, "cache_read_input_tokens") +
          numberOf(usage, "cache_creation_input_tokens"),
        output: numberOf(usage, "output_tokens"),
      },
    };
  },
};

function toWire(message: Message): object {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "model":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text", text: message.text }]),
          ...message.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
        ],
      };
    case "results":
      return {
        role: "user",
        content: message.results.map(({ id, text, isError }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: text,
          ...(isError && { is_error: true }),
        })),
      };
  }
}

function readCall({ id, name, input }: Readonly<Record<string, unknown>>): ModelCall {
  return { id: String(id), name: String(name), input: isObject(input) ? input : {} };
}
