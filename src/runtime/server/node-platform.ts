import { createNodeClient } from "../client/node-client.js";
import type { Platform } from "../client/platform.js";

/** The platform of Node. Its modules are loaded on first use. */
export function createNodePlatform(): Platform {
  return {
    async readTextFile(path) {
      const { readFile } = await import("node:fs/promises");
      return readFile(path, "utf8");
    },
    async openFolder(path) {
      const { openFolder } = await import("../files/node-folder.js");
      return openFolder(path);
    },
    async signedInToken(request, rejected) {
      const { signedInToken } = await import("../auth/sign-in/session.js");
      return signedInToken(request, rejected);
    },
    async requestSignIn(request, scopes) {
      const { requestSignIn } = await import("../auth/sign-in/local-consent.js");
      return requestSignIn(request, scopes);
    },
    async signInsSettled() {
      const { signInsSettled } = await import("../auth/sign-in/local-consent.js");
      return signInsSettled();
    },
    send: createNodeClient(),
  };
}
