export { reportData, type ReportData } from "./data.js";
export { REPORT_MARKER, reportPage } from "./page.js";
