/**
 * Pages of the documentation site, made of the documents of the repository.
 *
 * Links stay as GitHub reads them. A link to a folder or to a file that is not a page leads to a
 * page made for it: the list of the folder's files, or the text of the file.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";

/** Documents that become pages. The README is the start page. */
export const ROOT_PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "samples/README.md",
  "templates/README.md",
];

/** Longest file that a page shows, in bytes. */
const MAX_SHOWN = 60_000;

const LANGUAGES = { ".json": "json", ".mjs": "js", ".ts": "ts", ".yaml": "yaml", ".yml": "yaml" };

/**
 * Texts of all pages by their path on the site. Throws if a link leads nowhere.
 *
 * @param {string} root folder of the repository
 * @returns {Map<string, string>}
 */
export function sitePages(root) {
  const pages = new Map();
  const linked = new Set();
  for (const path of documentsOf(root)) {
    const text = readFileSync(join(root, path), "utf8");
    pages.set(pagePath(path), rewriteLinks(root, path, text, linked));
  }
  for (const path of linked) pages.set(pagePath(path), listingOf(root, path));
  return pages;
}

/** Repository paths of the documents that become pages, the decisions included. */
export function documentsOf(root) {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const paths = docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  return [...ROOT_PAGES, ...paths.map((path) => path.replaceAll("\\", "/")).toSorted()];
}

/** Path on the site of a document, a folder or another file of the repository. */
export function pagePath(path) {
  if (posix.basename(path) === "README.md") return posix.join(posix.dirname(path), "index.md");
  return path.endsWith(".md") ? path : `${path}.md`;
}

/** Links of a document outside of its code blocks, resolved to their pages. */
function rewriteLinks(root, document, text, linked) {
  const isPage = new Set(documentsOf(root));
  return text.replace(/^```[^]*?^```|\]\((?!https?:|mailto:|#)([^)#\s]+)/gm, (whole, link) => {
    if (link === undefined) return whole;
    const target = targetOf(root, document, link);
    if (!isPage.has(target)) linked.add(target);
    const from = posix.dirname(pagePath(document));
    const to = posix.relative(from, pagePath(target));
    return `](${to.startsWith(".") ? to : `./${to}`}`;
  });
}

/** Repository path of a link. A folder with a README is that README. */
function targetOf(root, document, link) {
  const target = posix.join(posix.dirname(document), link).replace(/\/$/, "");
  if (!existsSync(join(root, target))) throw new Error(`${document}: ${link} does not exist`);
  const readme = `${target}/README.md`;
  return documentsOf(root).includes(readme) ? readme : target;
}

/** Page of a folder or a file that is not a document. */
function listingOf(root, path) {
  const title = `# ${path}\n\n`;
  if (!statSync(join(root, path)).isDirectory()) return title + fileText(root, path);
  const names = readdirSync(join(root, path)).toSorted();
  const links = names.filter((name) => name.endsWith(".md"));
  if (path.startsWith("docs/"))
    return `${title}${links.map((name) => entryOf(root, path, name)).join("\n")}\n`;
  const files = names.filter((name) => statSync(join(root, path, name)).isFile());
  const folders = names.filter((name) => !files.includes(name));
  const rest =
    folders.length > 0 ? `Folders: ${folders.map((name) => `\`${name}\``).join(", ")}.\n\n` : "";
  return (
    title +
    rest +
    files.map((name) => `## ${name}\n\n${fileText(root, `${path}/${name}`)}`).join("\n")
  );
}

/** List item that links a page by its heading. */
function entryOf(root, folder, name) {
  const [, heading = name] = /^# (.*)$/m.exec(readFileSync(join(root, folder, name), "utf8")) ?? [];
  return `- [${heading.replace(/^(\d+)\./, "$1:")}](./${posix.basename(folder)}/${name})`;
}

/** A file as a code block, or its size if it is long. */
function fileText(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  if (text.length > MAX_SHOWN) return `${Math.round(text.length / 1000)} KB, not shown here.\n`;
  const fence = "`".repeat(
    Math.max(3, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length + 1)),
  );
  return `${fence}${LANGUAGES[posix.extname(path)] ?? "text"}\n${text.trimEnd()}\n${fence}\n`;
}
