/** Banner of ES module bundles: defines `require` for the bundled CommonJS packages. */
export const requireBanner = {
  js:
    'import { createRequire as __createRequire } from "node:module"; ' +
    "const require = __createRequire(import.meta.url);",
};
