export { applyOverlay } from "./apply-overlay.js";
export { type Overlay, type OverlayAction, readOverlay } from "./read-overlay.js";
