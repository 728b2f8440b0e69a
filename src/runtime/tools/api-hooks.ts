/** Hooks of a server of several APIs: of one of them, and of all. */
import type { CallInfo, Hooks } from "./definitions.js";

/** The hooks in the calls of an API: those of the API run before those of the server. */
export function hooksOfApi(hooks: Hooks, name: string): Hooks {
  const { apis = {} } = hooks;
  const own = Object.hasOwn(apis, name) ? apis[name] : undefined;
  if (!own) return hooks;
  const beforeRequest = sequence(own.beforeRequest, hooks.beforeRequest);
  const afterResponse = sequence(own.afterResponse, hooks.afterResponse);
  const { mapError: first } = own;
  const { mapError: second } = hooks;
  return {
    ...hooks,
    ...(beforeRequest && { beforeRequest }),
    ...(afterResponse && { afterResponse }),
    ...(first && {
      mapError: async (text, failure, call) => {
        const mapped = await first(text, failure, call);
        return second ? second(mapped, failure, call) : mapped;
      },
    }),
  };
}

/** Two hooks as one; the first one's result is the value of the second. */
function sequence<Value>(
  first: ((value: Value, call: CallInfo) => Value | Promise<Value>) | undefined,
  second: ((value: Value, call: CallInfo) => Value | Promise<Value>) | undefined,
): ((value: Value, call: CallInfo) => Value | Promise<Value>) | undefined {
  if (!first || !second) return first ?? second;
  return async (value, call) => second(await first(value, call), call);
}
