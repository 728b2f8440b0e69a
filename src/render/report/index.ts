export { reportData, type ReportData } from "./data.js";
export { REPORT_MARK, reportPage } from "./page.js";
