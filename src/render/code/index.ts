/**
 * Escaping of document text for generated files. Each function accepts any text and returns text
 * that is safe in one context. The types keep unescaped strings out of views and templates.
 */
export {
  flattenString,
  joinCode,
  newline,
  ts,
  type Code,
  type DockerText,
  type EnvText,
  type FilePath,
  type Html,
  type Json,
  type Markdown,
  type Safe,
  type ShellText,
  type TomlText,
  type YamlText,
} from "./safe.js";
export { docComment, lineComment } from "./comment.js";
export { compactJson, envAssignment, envComment, json, jsonString } from "./formats.js";
export { dockerComment, dockerString } from "./formats.js";
export { html } from "./formats.js";
export {
  constantLiteral,
  type ConstantLookup,
  literal,
  memberKey,
  propertyKey,
  quoteString,
  stringLiteral,
} from "./literal.js";
export { codeSpan, markdown } from "./formats.js";
export { shellWord } from "./formats.js";
export { tomlKey } from "./formats.js";
export { yamlComment, yamlInteger, yamlString } from "./formats.js";
export { toVisibleText } from "./safe.js";
export {
  fileName,
  uniqueIdentifier,
  identifier,
  isIdentifier,
  filePath,
  plainWord,
} from "./identifiers.js";
