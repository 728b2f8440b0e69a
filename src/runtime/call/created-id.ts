/** The ID of a thing that a request has created. */
import { isObject } from "../data/values.js";
import type { ResponseHeaders } from "../request/types.js";
import type { ReadBack } from "../types.js";

type Created = NonNullable<ReadBack["created"]>;

/** Finds the ID in the header `Location`, else in the body. RFC 9110, section 15.3.2. */
export function createdId(
  created: Created,
  headers: Pick<ResponseHeaders, "get">,
  body: unknown,
): string | number | undefined {
  return idInLocation(created, headers.get("location") ?? "") ?? idInBody(created, body);
}

/** The segment after the collection, at the end of the URL's path. Other paths lead elsewhere. */
function idInLocation({ collection }: Created, location: string): string | undefined {
  if (location === "") return undefined;
  try {
    const { pathname } = new URL(location, "http://localhost/");
    const [id, before] = pathname.split("/").filter(Boolean).toReversed().map(decodeURIComponent);
    return before === collection ? id : undefined;
  } catch {
    return undefined;
  }
}

function idInBody(created: Created, body: unknown): string | number | undefined {
  if (typeof body === "string" || typeof body === "number") return body;
  if (!isObject(body)) return undefined;
  const inner = Object.values(body).filter(isObject);
  for (const object of inner.length === 1 ? [body, inner[0]!] : [body]) {
    for (const field of created.fields) {
      const value = fieldValue(object, field);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** `pet_id` is `petId`, too. */
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

function fieldValue(
  object: Readonly<Record<string, unknown>>,
  field: string,
): string | number | undefined {
  const entry = Object.entries(object).find(([name]) => normalized(name) === normalized(field));
  const value = entry?.[1];
  return (typeof value === "string" && value !== "") || typeof value === "number"
    ? value
    : undefined;
}
