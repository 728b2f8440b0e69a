// Calls of tools as single requests, each with a connection of its own.
let lastId = 0;

/** Calls a tool. Returns its result; throws without one. */
export async function callTool(url, name, input, headers) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      connection: "close",
      "mcp-protocol-version": "2025-06-18",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++lastId,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  const text = await response.text();
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  if (!result) throw new Error(text.slice(0, 200));
  return result;
}

export const isOk = ({ isError = false }) => !isError;

/** Number of results without an error. */
export const countOk = (results) => results.filter(isOk).length;

/** Runs something so many times, one after the other. */
export async function repeat(count, run) {
  const results = [];
  for (let i = 0; i < count; i++) results.push(await run(i));
  return results;
}
