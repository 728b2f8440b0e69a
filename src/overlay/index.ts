export { applyOverlay } from "./apply-overlay.js";
export type { OverlayAction } from "./read-overlay.js";
export { readOverlay, type Overlay } from "./read-overlay.js";
