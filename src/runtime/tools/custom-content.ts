/** Prompts and resources of user code, which call tools as custom tools do. */
import type { CustomPrompt, CustomResource, Hooks } from "./definitions.js";
import type { ObjectSchema, ValueOf } from "./schema-types.js";

/** Sentence for the user whose code has them; undefined if they are served. */
export const contentProblem: string | undefined = undefined;

type TypedPrompt<In extends ObjectSchema | undefined, Tools> = Omit<
  CustomPrompt<In extends ObjectSchema ? ValueOf<In> : Record<never, never>, Tools>,
  "inputSchema"
> & { readonly inputSchema?: In };

/** Types prompts by their input schemas, and `call.tools` by the tools of a server. */
export function customPromptsFor<Tools>(): <const In extends ObjectSchema | undefined = undefined>(
  prompt: TypedPrompt<In, Tools>,
) => CustomPrompt {
  return (prompt) => prompt as unknown as CustomPrompt;
}

/** The variables of a URI template, as texts. */
type VariablesOf<Uri extends string> = {
  readonly [Name in NamesIn<Uri>]: string;
};

type NamesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Types resources by the variables of their URIs, and `call.tools` by the tools of a server. */
export function customResourcesFor<Tools>(): <const Uri extends string>(
  resource: CustomResource<VariablesOf<Uri>, Tools> & { readonly uri: Uri },
) => CustomResource {
  return (resource) => resource as unknown as CustomResource;
}

/** Longest URI that is matched. */
const MAX_URI = 4_000;

/** Reads the variables of a URI; undefined if it is not one of the template. */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  if (uri.length > MAX_URI) return undefined;
  const names: string[] = [];
  const pattern = template.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
    names.push(part);
    return "([^/?#]+)";
  });
  const values = new RegExp(`^${pattern.join("")}$`, "u").exec(uri)?.slice(1);
  try {
    return values && Object.fromEntries(names.map((name, i) => [name, decode(values[i])]));
  } catch {
    return undefined;
  }
}

function decode(text = ""): string {
  return decodeURIComponent(text);
}

/** True for a URI with variables. */
export function isTemplate({ uri }: Pick<CustomResource, "uri">): boolean {
  return uri.includes("{");
}

/** Describes prompts and resources that clients could not tell apart or read. */
export function contentProblems({ prompts = [], resources = [] }: Hooks): readonly string[] {
  const invalid = resources.filter(
    ({ uri }) => !/^[a-z][a-z0-9+.-]*:(?:[^\s{}]|\{\w+\})+$/i.test(uri),
  );
  return [
    ...invalid.map(
      ({ uri }) =>
        `src/custom has a resource with the URI ${JSON.stringify(uri)}: ` +
        "write one with a scheme, and variables such as {id}.",
    ),
    ...duplicates(prompts.map(({ name }) => name)).map(
      (name) => `src/custom has two prompts ${name}.`,
    ),
    ...duplicates(resources.map(({ uri }) => uri)).map(
      (uri) => `src/custom has two resources ${uri}.`,
    ),
  ];
}

function duplicates(names: readonly string[]): readonly string[] {
  return names.filter((name, i) => names.indexOf(name) < i);
}
