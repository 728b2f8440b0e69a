/**
 * The modules of undici that are imported by their path. The package as a whole is twice as large,
 * because it has a `fetch` of its own, and sets the global dispatcher of Node's `fetch`.
 */
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export default connect;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export default buildConnector;
}
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  export default EnvHttpProxyAgent;
}
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export default Pool;
}
