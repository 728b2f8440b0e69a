import type { Platform } from "../platform.js";

/** What Node can do. Its modules are loaded when something needs them. */
export const nodePlatform: Platform = {
  async readTextFile(path) {
    const { readFile } = await import("node:fs/promises");
    return readFile(path, "utf8");
  },
  async openFolder(path) {
    const { openFolder } = await import("./folder.js");
    return openFolder(path);
  },
  async fetchWithCertificate(certificate, url, init) {
    const { fetchWithCertificate } = await import("./fetch-with-certificate.js");
    return fetchWithCertificate(certificate, url, init);
  },
};
