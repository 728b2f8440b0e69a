import { shapes } from "../views/shapes.js";
import { precompileTemplates } from "./compile.js";
import { readTemplates } from "./sources.js";

/**
 * The text of the module that takes the place of `precompiled.ts` in the built program.
 * @param folder the default templates
 * @throws TemplateError when a template names something that its view does not have
 */
export function precompileModule(folder: string): string {
  return `export const precompiled = ${precompileTemplates(readTemplates(folder), shapes)};\n`;
}
