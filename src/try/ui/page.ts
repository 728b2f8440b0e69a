/** The page of `mcp-gen serve --ui`. It has no text of a document: its script adds texts as nodes. */
import { reportStyle } from "../../render/report/index.js";
import { script } from "./script.js";
import { style } from "./style.js";

/** Files of the page by path: their media type and text. */
export const pageFiles: ReadonlyMap<string, readonly [mediaType: string, text: string]> = new Map([
  ["/style.css", ["text/css; charset=utf-8", reportStyle + style]],
  ["/script.js", ["text/javascript; charset=utf-8", script]],
  [
    "/",
    [
      "text/html; charset=utf-8",
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mcp-gen</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><h1 id="title">mcp-gen</h1><p id="status" role="status">Connecting …</p></header>
<div class="panes" id="panes" hidden>
<nav aria-label="Tools">
<input type="search" id="filter" placeholder="Search" aria-label="Search tools" aria-keyshortcuts="/">
<ul id="tools"></ul>
</nav>
<main id="tool" tabindex="-1"></main>
</div>
<script type="module" src="/script.js"></script>
</body>
</html>
`,
    ],
  ],
]);
