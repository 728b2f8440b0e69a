import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";

/** Program of an installed Chromium: `CHROME_BIN`, or one of the usual places. */
export const chromium = [
  process.env["CHROME_BIN"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== "" && existsSync(path));

/** Starts the browser without a window and without requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  const playwright = await import("playwright-core");
  return playwright.chromium.launch({
    executablePath: chromium ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
}
