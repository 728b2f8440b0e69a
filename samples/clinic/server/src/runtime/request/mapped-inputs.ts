import type { ParameterSource, RequestMapping } from "../types.js";
import { inputOf } from "./parameter-source.js";

/** Lists the inputs that a request is built from. */
export function mappedInputs(request: RequestMapping): readonly string[] {
  const { pathParams, query, headers, cookies, querystring, body } = request;
  const sources: ParameterSource[] = [pathParams, query, headers, cookies, body?.fields].flatMap(
    (location) => Object.values(location ?? {}),
  );
  if (querystring) sources.push(querystring);
  if (body?.from !== undefined) sources.push(body.from);
  const fileNames = Object.values(body?.encoding ?? {}).flatMap(
    ({ filenameInput }) => filenameInput ?? [],
  );
  return [...sources.flatMap((source) => inputOf(source) ?? []), ...fileNames];
}

/** Lists the inputs that select or limit what a request returns: those of its query. */
export function queryInputs({ query = {}, querystring }: RequestMapping): readonly string[] {
  const inputs = Object.values(query).flatMap((source) => inputOf(source) ?? []);
  return querystring ? [...inputs, querystring.from] : inputs;
}
