/* Functions that run inside a page. */

export function openDetails(most) {
  const closed = [...document.querySelectorAll(".tool")].slice(0, most);
  closed.push(...document.querySelectorAll(".diagnostics, .places"));
  for (const element of closed) element.open = true;
}

export function scrollWidth() {
  return document.documentElement.scrollWidth;
}

export function focusedText() {
  return document.activeElement?.textContent?.split("\n")[0]?.trim() ?? "";
}

export function displayOf(element) {
  return getComputedStyle(element).display;
}

/** Words of the visible text that a line break splits, except very long ones. */
export function brokenWords() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.checkVisibility()) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => top));
      if (lines.size > 1 && word.length <= 30) found.push(word);
    }
  }
  return found;
}

/** Pairs of text and background with less contrast than WCAG AA asks of small text. */
export function faintTexts() {
  const rgb = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = rgb(color).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element) => {
    const color = element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
    return rgb(color)[3] === 0 ? backgroundOf(element.parentElement) : color;
  };
  const pairs = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
    if (!texts.some((node) => node.textContent.trim()) || !element.checkVisibility()) continue;
    const [color, background] = [getComputedStyle(element).color, backgroundOf(element)];
    const [dark, light] = [luminance(color), luminance(background)].sort((a, b) => a - b);
    if ((light + 0.05) / (dark + 0.05) < 4.5) pairs.add(`${color} on ${background}`);
  }
  return [...pairs];
}
