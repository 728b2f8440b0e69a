/** Style sheet of the report, for light and dark color schemes and for print. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1f24;
  --soft: #5b6570;
  --line: #d8dde3;
  --ground: #ffffff;
  --raised: #f5f7f9;
  --accent: #0b62c4;
  --fill: #4c8fdd;
  --warn: #a15c00;
  --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e3e7eb;
    --soft: #9aa5b1;
    --line: #333b44;
    --ground: #14181d;
    --raised: #1d232a;
    --accent: #7db4f5;
    --fill: #3f7fcb;
    --warn: #e0a54a;
    --bad: #f2877f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0 auto;
  padding: 2rem 1.25rem 4rem;
  max-width: 68rem;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: break-word;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; }
h1 small { color: var(--soft); font-weight: 400; font-size: 1rem; }
h2 {
  font-size: 1.3rem;
  margin: 2.5rem 0 .75rem;
  padding-top: .75rem;
  border-top: 1px solid var(--line);
}
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .9rem; margin: 1rem 0 .25rem; color: var(--soft); }
a { color: var(--accent); }
small, footer { color: var(--soft); }
footer { margin-top: 2.5rem; font-size: .875rem; }
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
ul { padding-left: 1.25rem; }
.tiles {
  display: grid;
  grid-template-columns: repeat(4, 1fr);
  gap: .75rem;
  padding: 0;
  margin: 1.25rem 0;
  list-style: none;
}
.tiles li {
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 10px;
  padding: .75rem 1rem;
}
.tiles strong { font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles small { display: block; }
.find {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  gap: .5rem .75rem;
  align-items: center;
  margin: 1rem 0;
  padding: .6rem 0;
  background: var(--ground);
}
.find input { flex: 1 1 12rem; min-width: 0; max-width: 32rem; }
.find output:empty { display: none; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: .925rem; }
th, td {
  text-align: left;
  vertical-align: top;
  padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line);
}
thead th { color: var(--soft); font-weight: 500; }
.operations th:first-child { width: 40%; }
.operations th:nth-child(2) { width: 28%; }
.inputs th:first-child, .inputs th:last-child { width: 23%; }
.inputs th:nth-child(2) { width: 5.5rem; }
.environment th:first-child { width: 40%; }
.environment th:nth-child(2) { width: 5.5rem; }
.sources th:nth-child(3) { width: 30%; }
.bars th { font-weight: 500; width: 42%; }
.bars td:nth-child(2) { text-align: right; font-variant-numeric: tabular-nums; width: 5.5rem; }
svg { width: min(14rem, 55%); height: .6rem; vertical-align: middle; border-radius: 3px; }
.track { fill: var(--line); }
.fill { fill: var(--fill); }
.over .fill { fill: var(--bad); }
.tool {
  border: 1px solid var(--line);
  border-radius: 10px;
  margin: .5rem 0;
  padding: 0 1rem;
  background: var(--raised);
}
.tool[open] { padding-bottom: .5rem; }
.tool:target { border-color: var(--accent); }
.tool > summary {
  cursor: pointer;
  padding: .6rem 0;
  display: flex;
  flex-wrap: wrap;
  gap: .25rem .75rem;
  align-items: baseline;
}
.tool > summary code { font-weight: 600; }
.title { flex: 1 1 12rem; }
.document { white-space: pre-line; }
.ops { color: var(--soft); font-size: .85rem; min-width: 0; }
.tokens {
  margin-left: auto;
  font-variant-numeric: tabular-nums;
  font-size: .85rem;
  color: var(--soft);
  white-space: nowrap;
}
.tag {
  font-weight: 500;
  font-size: .75rem;
  border: 1px solid var(--line);
  border-radius: 99px;
  padding: 0 .5rem;
  color: var(--soft);
  white-space: nowrap;
}
.tag.strong { color: var(--bad); border-color: currentColor; }
.prose { max-width: 48rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: 0; }
dd { margin: 0; min-width: 0; }
.omitted td { color: var(--soft); }
.diagnostics > summary { cursor: pointer; font-weight: 600; margin: .5rem 0; }
.warning > summary { color: var(--warn); }
.error > summary { color: var(--bad); }
.diagnostics li { margin: .4rem 0; }
.locations { display: block; }
.locations summary { cursor: pointer; }
.fix { display: block; padding: .35rem .6rem; background: var(--raised); border-radius: 6px; }
input, button {
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: .4rem .75rem;
}
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
@media (max-width: 60rem) {
  .columns { grid-template-columns: 1fr; }
}
@media (max-width: 40rem) {
  body { padding: 1.25rem 1rem 3rem; }
  .tiles { grid-template-columns: 1fr 1fr; gap: .5rem; }
  .tiles strong { font-size: 1.35rem; }
  .title { flex-basis: 100%; }
  .ops { flex-basis: 100%; order: 1; }
  .tokens { margin-left: 0; }
  .cards thead { display: none; }
  .cards, .cards tbody, .cards tr, .cards td { display: block; }
  .cards tr {
    margin: .5rem 0;
    padding: .5rem .75rem;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--raised);
  }
  .tool .cards tr { background: var(--ground); }
  .cards td { padding: .1rem 0; border: 0; }
  .cards td:empty { display: none; }
  .cards td + td { position: relative; padding-left: 6.5rem; }
  .cards td + td::before {
    content: attr(data-label);
    position: absolute;
    left: 0;
    color: var(--soft);
  }
  .cards td[data-label="description"] { padding-left: 0; }
  .cards td[data-label="description"]::before { content: none; }
  .bars tr {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 .75rem;
    padding: .35rem 0;
    border-bottom: 1px solid var(--line);
  }
  .bars, .bars tbody { display: block; }
  .bars th, .bars td, .bars td:nth-child(2) {
    display: block;
    width: auto;
    padding: 0;
    border: 0;
    text-align: left;
  }
  .bars td.bar { grid-column: 1 / -1; }
}
@media print {
  nav, .find { display: none; }
  body { max-width: none; }
  .tool { break-inside: avoid; }
}
`;

/**
 * Script of the report: filters tools, operations and diagnostics, expands tools, and opens the
 * target of a link.
 */
export const script = `
const all = (selector) => [...document.querySelectorAll(selector)];
const filter = document.getElementById("filter");
const shown = document.getElementById("shown");
const expand = document.getElementById("expand");
const tools = all(".tool");
const lists = [
  ["tools", tools],
  ["operations", all("#operations tbody tr")],
  ["diagnostics", all(".diagnostic")],
].map(([name, elements]) => ({ name, elements, texts: undefined }));
document.querySelector(".find").hidden = false;
const thousands = (number) => String(number).replace(/\\B(?=(\\d{3})+$)/g, ",");
const isShown = (element) => !element.hidden;
const select = (list, words) => {
  list.texts ??= list.elements.map((element) => element.textContent.toLowerCase());
  list.elements.forEach((element, i) => {
    element.hidden = !words.every((word) => list.texts[i].includes(word));
  });
  const count = list.elements.filter(isShown).length;
  return thousands(count) + " of " + thousands(list.elements.length) + " " + list.name;
};
const hideEmpty = (selector, inside) => {
  for (const group of all(selector)) group.hidden = ![...group.querySelectorAll(inside)].some(isShown);
};
const update = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const counts = lists.map((list) => select(list, words));
  hideEmpty(".group", ".tool, .diagnostic");
  const isFiltered = words.length > 0;
  shown.value = isFiltered ? counts.join(", ") : "";
  for (const section of all("#budget, #environment")) section.hidden = isFiltered;
  for (const list of all(".diagnostics")) if (isFiltered) list.open = !list.hidden;
};
const clear = () => {
  filter.value = "";
  update();
};
filter.addEventListener("input", update);
filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
  if (event.key !== "Enter") return;
  const first = tools.find(isShown)?.querySelector("summary")
    ?? all("#operations tbody tr").find(isShown)?.querySelector("a");
  first?.focus();
  event.preventDefault();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target === filter) return;
  filter.focus();
  event.preventDefault();
});
expand.addEventListener("click", () => {
  const open = tools.some((tool) => isShown(tool) && !tool.open);
  for (const tool of tools) if (isShown(tool)) tool.open = open;
  expand.textContent = open ? "Collapse all" : "Expand all";
});
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (!target.checkVisibility()) clear();
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", openTarget);
openTarget();
`;
