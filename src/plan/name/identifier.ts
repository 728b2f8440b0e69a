import { isReservedWord } from "./reserved.js";

/**
 * The camelCase identifier of a tool name: `find_pets` → `findPets`. No two names give the same one (an underscore
 * before a digit stays). Reserved words and names whose `…Input` or `…Output` is a schema's get `Tool` behind them.
 */
export function identifierOf(name: string, isTaken: (typeName: string) => boolean): string {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const clashes = isReservedWord(camel) || isTaken(`${pascal}Input`) || isTaken(`${pascal}Output`);
  return clashes ? `${camel}Tool` : camel;
}
