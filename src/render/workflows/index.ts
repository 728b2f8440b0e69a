export { workflowToolView } from "../views/workflow-tool.js";
export { workflowView } from "./view.js";
