import { readFileSync } from "node:fs";
import { serve } from "../../src/runtime/serve.js";

/** A server with the definition and the tools of a file. */
const { api, tools } = JSON.parse(readFileSync(process.env["DEFINITION"]!, "utf8"));

await serve({
  api,
  tools,
  signIn: () => import("../../src/runtime/auth/sign-in/index.js"),
});
