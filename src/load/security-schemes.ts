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
  const schemes = schemesOf(root);
  const isForeign = (key: string): boolean =>
    /^[^#]+#\//.test(key) &&
    !(schemes && Object.hasOwn(schemes, key)) &&
    key.split("#", 1)[0] !== root.$self;
  for (const holder of securityHolders(root)) {
    if (!Array.isArray(holder.security)) continue;
    holder.security = holder.security.map((requirement: unknown) =>
      isObject(requirement) && Object.keys(requirement).some(isForeign)
        ? renameKeys(requirement, (key) =>
            isForeign(key) ? componentName(key, names, schemes) : key,
          )
        : requirement,
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
  schemes: Raw | undefined,
): string {
  const existing = names.get(reference);
  if (existing !== undefined) return existing;
  const base = reference.slice(reference.lastIndexOf("/") + 1) || "scheme";
  const isTaken = (name: string): boolean =>
    (schemes !== undefined && Object.hasOwn(schemes, name)) || [...names.values()].includes(name);
  let name = base;
  for (let n = 2; isTaken(name); n++) name = `${base}_${n}`;
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
