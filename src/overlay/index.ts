export { applyOverlay } from "./apply.js";
export type { OverlayAction } from "./action.js";
export { readOverlay, type Overlay } from "./document.js";
