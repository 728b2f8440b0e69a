import { isGeneratedKey } from "../words.js";

const TEMPLATE = /^(?:get|post|put|patch|delete|head|options)[-_: ]*(\/[^\s]*)$/i;

/**
 * The path of an operationId that is method and path (`get-/crm/v3/cards/{id}_getById`): it may be
 * longer than the operation's, part of which can stand in the server's URL. Undefined for all other
 * identifiers.
 */
export function pathInId(id: string, path: string): string | undefined {
  const found = id.length > 400 || !id.includes("/") ? undefined : TEMPLATE.exec(id)?.[1];
  if (found === undefined) return undefined;
  const bare = found.replace(/_[A-Za-z]+$/, "");
  return (
    [found, bare].find((text) => text.endsWith(path)) ?? (found.includes("{") ? found : undefined)
  );
}

/**
 * An operationId without what tools put behind it: `listPetsUsingGET_1`, `petsGET`,
 * `listPets2020_05_31`, `listPets-e46a`. Empty when all of it is a generated key.
 */
export function cleanId(id: string, method: string): string {
  if (/[a-z]$/.test(id) && !/\d/.test(id.slice(-8))) return id;
  if (isGeneratedKey(id)) return "";
  const plain = id
    .slice(0, 400)
    .replace(/[_-]?\d{4}[_-]\d\d[_-]\d\d$/, "")
    .replace(/(?<=.)[-.](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{4,8}$/, "");
  const using = plain.replace(
    /[_-]?[uU]sing[_-]?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:_\d{1,3})?$/,
    "",
  );
  if (using !== plain) return using;
  const shouted = /[a-z\d}][_-]?([A-Z]{3,7})(?:_\d{1,3})?$/.exec(plain);
  return shouted?.[1] === method ? plain.slice(0, shouted.index + 1) : plain;
}
