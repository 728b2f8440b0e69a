import type { Platform } from "../../../src/runtime/auth/types.js";
import { createNodeClient, watchFetch } from "../../../src/runtime/client/node-client.js";
import { createNodePlatform } from "../../../src/runtime/server/node-platform.js";

/**
 * Sends with undici. The test runner may have used `fetch` before, which `watchFetch` would take
 * for a replacement.
 */
export const sendByNode = createNodeClient(watchFetch(false));

/** The platform of servers on Node. */
export const testNodePlatform: Platform = { ...createNodePlatform(), send: sendByNode };
