/**
 * The only way for text of a document into generated files. Each function takes any text and gives
 * text that is safe in one context; the types keep unescaped strings out of views and templates.
 */
export {
  flat,
  join,
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
} from "./code/brand.js";
export { docComment, lineComment } from "./code/comment.js";
export {
  compactJson,
  envAssignment,
  envComment,
  json,
  jsonText,
  visibleJson,
} from "./code/data.js";
export { dockerComment, dockerString } from "./code/docker.js";
export { html } from "./code/html.js";
export { literal, memberKey, propertyKey, stringLiteral } from "./code/literal.js";
export { codeSpan, markdown } from "./code/markdown.js";
export { shellWord } from "./code/shell.js";
export { tomlKey, tomlString } from "./code/toml.js";
export { prose } from "./code/text.js";
export { fileName, freeIdentifier, identifier, isIdentifier, path, word } from "./code/names.js";
