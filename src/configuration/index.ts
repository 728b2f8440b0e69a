export { readConfiguration, type ConfigurationResult } from "./read-configuration.js";
export { parseConfiguration, type ParsedConfiguration } from "./parse-configuration.js";
export { settingsOf } from "./read-configuration.js";
export type * from "./types.js";
