import { sendFromNode } from "../../../src/runtime/node/http/index.js";
import { watchFetch } from "../../../src/runtime/node/http/own-fetch.js";
import { createNodePlatform } from "../../../src/runtime/server/node-platform.js";
import type { Platform } from "../../../src/runtime/platform.js";

/**
 * Sends by node:http. What runs the tests may have used `fetch` before them, which a server would
 * take for something that its owner put there.
 */
export const byNode = sendFromNode(watchFetch(false));

/** What servers on Node are given. */
export const testNodePlatform: Platform = { ...createNodePlatform(), send: byNode };
