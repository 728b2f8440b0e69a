/**
 * Script of the report: filters tools, operations and findings, expands tools, and opens the target
 * of a link.
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
  ["findings", all(".finding")],
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
  hideEmpty(".group", ".tool, .finding");
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
