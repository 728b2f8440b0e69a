import { isReservedWord } from "./reserved.js";

/**
 * The camelCase identifier of a tool name: `find_pets` → `findPets`. No two names give the same one
 * (an underscore before a digit stays). Reserved words and names whose `…Input` or `…Output` is a
 * schema's get `Tool` behind them.
 */
export function identifierOf(name: string, isTaken: (typeName: string) => boolean): string {
  const camel = camelCase(name);
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  const clashes = isReservedWord(camel) || isTaken(`${pascal}Input`) || isTaken(`${pascal}Output`);
  return clashes ? `${camel}Tool` : camel;
}

function camelCase(name: string): string {
  const [first = "", ...rest] = name.split("_");
  return (
    first +
    rest
      .map((word) =>
        /^[a-z]/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : `_${word}`,
      )
      .join("")
  );
}
