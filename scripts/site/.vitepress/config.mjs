import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { githubSlug } from "../slug.mjs";
import { pagePath } from "../pages.mjs";

const { SITE_PAGES, SITE_OUT, SITE_BASE } = process.env;
const readme = fileURLToPath(new URL("../../../README.md", import.meta.url));

/** Links of the README's list of pages, in its order. */
function sidebar() {
  const [, list = ""] = readFileSync(readme, "utf8").split(/^## Documentation$/m);
  const rows = list
    .split(/^## /m)[0]
    .split("\n")
    .filter((row) => row.startsWith("| ["));
  return rows.flatMap((row) =>
    [...row.split(" | ")[0].matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, target]) => ({
      text: text[0].toUpperCase() + text.slice(1),
      link: `/${pageOf(target).replace(/(index)?\.md$/, "")}`,
    })),
  );
}

/** Page of a link of the README. A folder is its README. */
function pageOf(target) {
  return pagePath(target === "samples" ? "samples/README.md" : target);
}

/** Shows braces as they are: pages have no expressions of Vue. */
function withoutExpressions(markdown) {
  const { rules } = markdown.renderer;
  const escapeBraces =
    (rule) =>
    (...args) =>
      rule(...args).replaceAll("{{", "&#123;&#123;");
  rules.code_inline = escapeBraces(rules.code_inline);
  rules.text = escapeBraces(rules.text);
}

/** Configuration of VitePress. `scripts/site.mjs` sets the folders. A dead link is an error. */
export default {
  title: "mcp-gen",
  description: "Generates a typed MCP server from an OpenAPI document.",
  lang: "en",
  // Browsers ask for favicon.ico otherwise.
  head: [["link", { rel: "icon", href: "data:," }]],
  base: SITE_BASE ?? "/",
  srcDir: SITE_PAGES,
  outDir: SITE_OUT,
  cacheDir: `${SITE_PAGES}/../cache`,
  markdown: { anchor: { slugify: githubSlug }, config: withoutExpressions },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [{ text: "Start", link: "/" }, ...sidebar()],
    nav: [
      { text: "Quick start", link: "/docs/quick-start" },
      { text: "Samples", link: "/samples/" },
      { text: "Changes", link: "/CHANGELOG" },
    ],
  },
};
