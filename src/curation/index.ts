export { readCurationFile, type CurationFile } from "./file.js";
export { readCuration, type ReadCuration } from "./read.js";
export { settingsOf } from "./settings.js";
export type * from "./types.js";
