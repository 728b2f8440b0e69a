/**
 * Version of mcp-gen, equal to that of package.json (tested). A constant saves reading a file in
 * every run.
 */
export const version = "0.1.0";
