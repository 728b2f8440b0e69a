/** Where the record of the definitions of tools is written, below the output folder. */
export const LOCK_PATH = "mcp-gen.lock.json";
