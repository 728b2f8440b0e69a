/** Names of fields and inputs that hold credentials. */
import { isObject } from "../data/values.js";

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|secret|token|credential|private_?key|(?:^|_)(?:otp|pin|api_?key|code)(?:$|_)/i;

/** True for a name such as `password`, and for a schema with that format. */
export function isSecretField(name: string, schema?: unknown): boolean {
  return (isObject(schema) && schema["format"] === "password") || SECRET_NAME.test(name);
}
