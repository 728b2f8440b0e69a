/**
 * What the report can do besides, where scripts run: filter its tools, open them all, and the one
 * that a link leads to.
 */
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
    for (; next && next.tagName === "DETAILS"; next = next.nextElementSibling) any = any || !next.hidden;
    heading.hidden = !any;
  }
  shown.value = words.length === 0 ? "" : many + " of " + tools.length;
};
filter.addEventListener("input", update);
expand.addEventListener("click", () => {
  const open = tools.some((tool) => !tool.hidden && !tool.open);
  for (const tool of tools) if (!tool.hidden) tool.open = open;
  expand.textContent = open ? "Close all" : "Open all";
});
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") { target.hidden = false; target.open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", openTarget);
openTarget();
`;
