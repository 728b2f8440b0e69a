import { isObject } from "../json.js";

type Raw = Record<string, unknown>;

/**
 * Adds components for security schemes that requirements refer to by URI (OpenAPI 3.2, "Security
 * Requirement Object"). A name without a component may be the URI of a Security Scheme Object in
 * another document. Each becomes a component with a `$ref`, in place, so that references are
 * resolved as usual.
 * @returns the added references
 */
export function hoistSecuritySchemes(root: Raw): readonly string[] {
  const names = new Map<string, string>();
  const known = schemesOf(root);
  const isForeign = (key: string): boolean =>
    /^[^#]+#\//.test(key) &&
    !(known && Object.hasOwn(known, key)) &&
    key.split("#", 1)[0] !== root.$self;
  for (const owner of securityHolders(root)) {
    if (!Array.isArray(owner.security)) continue;
    owner.security = owner.security.map((one: unknown) =>
      isObject(one) && Object.keys(one).some(isForeign)
        ? renameKeys(one, (key) => (isForeign(key) ? componentName(key, names, known) : key))
        : one,
    );
  }
  if (names.size > 0) addSchemes(root, names);
  return [...names.keys()];
}

/** The objects with a `security` field: the root and all operations. */
function securityHolders(root: Raw): readonly Raw[] {
  const items = valuesOf(root.paths).filter(isObject);
  return [
    root,
    ...items
      .flatMap((item) => [...valuesOf(item), ...valuesOf(item.additionalOperations)])
      .filter(isObject),
  ];
}

function valuesOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

function schemesOf({ components }: Raw): Raw | undefined {
  return isObject(components) && isObject(components.securitySchemes)
    ? components.securitySchemes
    : undefined;
}

function renameKeys(requirement: Raw, name: (key: string) => string): Raw {
  return Object.fromEntries(
    Object.entries(requirement).map(([key, scopes]) => [name(key), scopes]),
  );
}

/** Component name for a reference: its last segment, with a number if taken. */
function componentName(
  reference: string,
  names: Map<string, string>,
  known: Raw | undefined,
): string {
  const given = names.get(reference);
  if (given !== undefined) return given;
  const wanted = reference.slice(reference.lastIndexOf("/") + 1) || "scheme";
  const isTaken = (name: string): boolean =>
    (known !== undefined && Object.hasOwn(known, name)) || [...names.values()].includes(name);
  let name = wanted;
  for (let n = 2; isTaken(name); n++) name = `${wanted}_${n}`;
  names.set(reference, name);
  return name;
}

function addSchemes(root: Raw, names: ReadonlyMap<string, string>): void {
  const added = Object.fromEntries(
    [...names].map(([reference, name]) => [name, { $ref: reference }]),
  );
  const components = isObject(root.components) ? root.components : {};
  root.components = { ...components, securitySchemes: { ...schemesOf(root), ...added } };
}
