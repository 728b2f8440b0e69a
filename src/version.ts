/**
 * Version of mcp-gen, as in package.json (a test compares them). A constant, so that no run has to
 * read a file for it.
 */
export const version = "0.1.0";
