export { applyOverlay } from "./apply.js";
export { readOverlay, type Overlay, type OverlayAction } from "./document.js";
