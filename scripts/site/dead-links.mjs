import { posix } from "node:path";

/**
 * Links of built pages to missing pages or headings, each with its page.
 *
 * @param {Map<string, string>} pages HTML of each page by its path
 * @param {string} base path of the site on its host
 * @returns {string[]}
 */
export function deadLinks(pages, base) {
  const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
  return [...pages].flatMap(([path, html]) =>
    linksOf(html)
      .filter((link) => !isAlive(link, path, base, ids))
      .map((link) => `${path}: ${link} leads nowhere`),
  );
}

function idsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
}

/** Targets of the links of a page, except those to other sites. */
function linksOf(html) {
  const links = [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, link]) => link);
  return [...new Set(links)].filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

function isAlive(link, page, base, ids) {
  const [path, anchor = ""] = link.split("#");
  const target = path === "" ? page : resolvePage(path, page, base);
  const known = ids.get(target) ?? ids.get(`${target}.html`);
  return known !== undefined && (anchor === "" || known.has(decodeURIComponent(anchor)));
}

/** Path of the page that a link names. A folder is its start page. */
function resolvePage(path, page, base) {
  const resolved = path.startsWith("/")
    ? path.slice(base.length)
    : posix.join(posix.dirname(page), path);
  return resolved === "" || resolved.endsWith("/") ? `${resolved}index.html` : resolved;
}
