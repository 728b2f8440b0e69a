/** Banner of ES module bundles: gives the CommonJS packages inside a `require`. */
export const requireBanner = {
  js:
    'import { createRequire as __createRequire } from "node:module"; ' +
    "const require = __createRequire(import.meta.url);",
};
