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
html { scroll-behavior: smooth; }
body {
  margin: 0 auto;
  padding: 2rem 1.25rem 4rem;
  max-width: 68rem;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
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
code { font: .875em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
nav a { margin-right: 1rem; }
.tiles {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr));
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
.columns {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr));
  gap: 0 2.5rem;
}
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td {
  text-align: left;
  vertical-align: top;
  padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere;
}
thead th { color: var(--soft); font-weight: 500; }
.bars th { font-weight: 500; width: 1%; white-space: nowrap; overflow-wrap: normal; }
.bars td:nth-child(2) { text-align: right; font-variant-numeric: tabular-nums; width: 5rem; }
.bars .bar { white-space: nowrap; }
svg { width: min(14rem, 60%); height: .6rem; vertical-align: middle; border-radius: 3px; }
.track { fill: var(--line); }
.fill { fill: var(--fill); }
.over .fill { fill: var(--bad); }
.tool {
  border: 1px solid var(--line);
  border-radius: 10px;
  margin: .5rem 0;
  padding: 0 1rem;
  background: var(--raised);
  overflow-x: auto;
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
.ops { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
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
dd { margin: 0; }
.omitted td { color: var(--soft); }
.diagnostics > summary { cursor: pointer; font-weight: 600; margin: .5rem 0; }
.warning > summary { color: var(--warn); }
.error > summary { color: var(--bad); }
.diagnostics li { margin: .25rem 0; overflow-wrap: anywhere; }
input, button {
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: .4rem .75rem;
}
input { width: min(26rem, 100%); }
button { cursor: pointer; }
@media print {
  nav, .scripted { display: none; }
  body { max-width: none; }
  .tool { break-inside: avoid; }
}
`;

/** Script of the report: filters tools, expands them, and opens the target of a link. */
export const script = `
const tools = [...document.querySelectorAll(".tool")];
const headings = [...document.querySelectorAll("#tools h3")];
const filter = document.getElementById("filter");
const shown = document.getElementById("shown");
const expand = document.getElementById("expand");
filter.closest(".scripted").hidden = false;
const update = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let many = 0;
  for (const tool of tools) {
    const text = tool.textContent.toLowerCase();
    tool.hidden = !words.every((word) => text.includes(word));
    if (!tool.hidden) many++;
  }
  for (const heading of headings) {
    let next = heading.nextElementSibling;
    let any = false;
    while (next && next.tagName === "DETAILS") {
      any = any || !next.hidden;
      next = next.nextElementSibling;
    }
    heading.hidden = !any;
  }
  shown.value = words.length === 0 ? "" : many + " of " + tools.length;
};
filter.addEventListener("input", update);
expand.addEventListener("click", () => {
  const open = tools.some((tool) => !tool.hidden && !tool.open);
  for (const tool of tools) if (!tool.hidden) tool.open = open;
  expand.textContent = open ? "Collapse all" : "Expand all";
});
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") {
    target.hidden = false;
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", openTarget);
openTarget();
`;
