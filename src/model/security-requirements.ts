import { describeType } from "../diagnostics/index.js";
import { splitPointer } from "../json-pointer.js";
import { isObject } from "../json.js";
import type { Context } from "./context.js";
import { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { type LocatedParameter, reportIgnoredHeader } from "./parameter.js";
import { emptyRecord, ownProperty, type RawObject, readBoolean, stringsIn } from "./raw-object.js";
import type { LocatedObject } from "./references.js";
import { type SecurityScheme, usesAuthorizationHeader } from "./security-scheme-kinds.js";
import type { SecuritySchemes } from "./security-schemes.js";
import type { SecurityRequirement } from "./types.js";

type Requirements = readonly SecurityRequirement[] | undefined;

/**
 * Resolves the security requirements of operations. Documents generated from code often require
 * undeclared schemes, or declare the `Authorization` header as a parameter instead. Such APIs
 * cannot be called without credentials, so these schemes are inferred.
 */
export class SecurityResolver {
  /** The root's `security`. */
  readonly root: Requirements;
  private readonly inferred = emptyRecord<SecurityScheme>();
  private readonly reported = new Set<string>();

  constructor(
    private readonly c: Context,
    private readonly declared: SecuritySchemes,
  ) {
    this.root = this.read(c.document.root, Pointer.root);
  }

  get schemes(): SecuritySchemes {
    return Object.assign(emptyRecord<SecurityScheme>(), this.declared, this.inferred);
  }

  /**
   * The requirements of an operation.
   * @param header its parameter for the `Authorization` header, used when nothing else is required
   */
  requirementsOf(
    raw: RawObject,
    pointer: Pointer,
    header: LocatedObject | undefined,
  ): Requirements {
    const requirements = ownProperty(raw, "security") == null ? this.root : this.read(raw, pointer);
    if (!header) return requirements;
    if (!requirements?.some((requirement) => Object.keys(requirement).length > 0))
      return this.requirementsFromHeader(header);
    reportIgnoredHeader(this.c, "Authorization", header.pointer);
    return requirements;
  }

  /**
   * Reads `security` of the root or an operation: OR of ANDs.
   * @returns undefined when nothing is declared, or no declared alternative is usable
   */
  private read(owner: RawObject, pointer: Pointer): Requirements {
    const rawRequirements = ownProperty(owner, "security");
    if (rawRequirements === undefined || rawRequirements === null) return undefined;
    const securityPointer = pointer.child("security");
    if (!Array.isArray(rawRequirements)) {
      this.c.diagnostics.add(
        "model-value-type",
        securityPointer,
        `\`security\` must be an array, but is ${describeType(rawRequirements)}; it is left out.`,
      );
      return undefined;
    }
    const unknown: [name: string, at: Pointer][] = [];
    const requirements = rawRequirements
      .map((alternative: unknown, index) =>
        this.readAlternative(alternative, securityPointer.child(index), unknown),
      )
      .filter((requirement) => requirement !== undefined);
    const needsNoCredentials = requirements.every(
      (requirement) => Object.keys(requirement).length === 0,
    );
    const fallback =
      needsNoCredentials && unknown.length > 0 ? this.fallbackRequirements(unknown) : undefined;
    if (fallback) return [...fallback, ...requirements];
    for (const [name, where] of unknown)
      this.reportOnce(name, where, "the alternative that needs it is left out");
    return requirements.length === 0 && rawRequirements.length > 0 ? undefined : requirements;
  }

  private readAlternative(
    value: unknown,
    pointer: Pointer,
    unknown: [string, Pointer][],
  ): SecurityRequirement | undefined {
    const { c } = this;
    if (!isObject(value))
      return void c.diagnostics.add(
        "model-security-requirement",
        pointer,
        `A security requirement must be an object, but this is ${describeType(value)}; it is left out.`,
      );
    const needed = emptyRecord<readonly string[]>();
    const unknownBefore = unknown.length;
    for (const [schemeName, scopes] of Object.entries(value)) {
      const name = Object.hasOwn(this.declared, schemeName)
        ? schemeName
        : this.resolveSchemeReference(schemeName, pointer);
      if (name === undefined) unknown.push([schemeName, pointer.child(schemeName)]);
      else
        needed[name] = stringsIn(c, Array.isArray(scopes) ? scopes : [], pointer.child(schemeName));
    }
    return unknown.length > unknownBefore ? undefined : needed;
  }

  /** OpenAPI 3.2: an unknown name is a reference (`#/components/securitySchemes/key`). */
  private resolveSchemeReference(schemeName: string, pointer: Pointer): string | undefined {
    const target =
      this.c.version === "3.2" ? this.c.references.find(schemeName, pointer) : undefined;
    const [components, container, name = "", ...rest] = target
      ? splitPointer(target.pointer.text)
      : [];
    const isScheme =
      components === "components" && container === "securitySchemes" && rest.length === 0;
    return isScheme && Object.hasOwn(this.declared, name) ? name : undefined;
  }

  /** Substitutes requirements when no alternative with credentials is usable. */
  private fallbackRequirements(
    unknown: readonly (readonly [name: string, at: Pointer])[],
  ): Requirements {
    const reportAll = (consequence: string): void =>
      unknown.forEach(([name, pointer]) => this.reportOnce(name, pointer, consequence));
    if (this.root?.length)
      return (reportAll("the requirements of the document are used instead"), this.root);
    const inferred = unknown.flatMap(([name]) => inferSchemeFromName(name) ?? []);
    if (inferred.length > 0) {
      for (const [name, pointer] of unknown)
        this.reportOnce(name, pointer, this.describeFallback(name));
      return inferred.map((scheme): SecurityRequirement => ({
        [this.addInferredScheme(scheme)]: [],
      }));
    }
    const names = Object.keys(this.declared);
    if (names.length > 0)
      return (
        reportAll("any declared scheme is used instead"),
        names.map((name): SecurityRequirement => ({ [name]: [] }))
      );
    return undefined;
  }

  private describeFallback(name: string): string {
    const inferred = inferSchemeFromName(name);
    return inferred
      ? `its name suggests ${inferred.label}`
      : "the alternative that needs it is left out";
  }

  private requirementsFromHeader({ raw, pointer }: LocatedObject): readonly SecurityRequirement[] {
    if (!this.reported.has(""))
      this.c.diagnostics.add(
        "model-header-credential",
        pointer,
        'The header parameter "Authorization" never becomes an input. Without a security ' +
          "scheme it is a credential from the environment.",
      );
    this.reported.add("");
    const declared = Object.keys(this.declared).filter((name) =>
      usesAuthorizationHeader(this.declared[name] as SecurityScheme),
    );
    const names =
      declared.length > 0 ? declared : [this.addInferredScheme(inferSchemeFromHeader(raw))];
    const needed = names.map((name): SecurityRequirement => ({ [name]: [] }));
    return readBoolean(this.c, raw, "required", pointer) === true ? needed : [...needed, {}];
  }

  private addInferredScheme({ name, scheme }: InferredScheme): string {
    const free = Object.hasOwn(this.declared, name) ? `${name} header` : name;
    this.inferred[free] ??= scheme;
    return free;
  }

  /** Reports each problem once. Such documents repeat it in every operation. */
  private reportOnce(name: string, pointer: Pointer, consequence: string): void {
    const key = `${name} ${consequence}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.c.diagnostics.add(
      "model-security-requirement",
      pointer,
      `No usable security scheme ${quote(name)} is declared; ${consequence}.`,
      "Declare it, or require a declared scheme.",
    );
  }
}

/** A scheme that the document does not declare, with a readable label. */
interface InferredScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly label: string;
}

const BEARER: Omit<InferredScheme, "name"> = {
  scheme: { kind: "http", scheme: "bearer" },
  label: "a bearer token",
};
const BASIC: Omit<InferredScheme, "name"> = {
  scheme: { kind: "http", scheme: "basic" },
  label: "a user name and a password",
};
const MAX_TEXT_LENGTH = 2000;

/** Infers an undeclared scheme from its name. Frameworks have fixed names for the usual ones. */
function inferSchemeFromName(name: string): InferredScheme | undefined {
  if (/bearer|jwt|^oauth|^access[-_ ]?token$/i.test(name)) return { name, ...BEARER };
  if (/basic/i.test(name)) return { name, ...BASIC };
  if (/^authorization$/i.test(name)) return { name, ...fullHeaderScheme() };
  return /^x-[a-z0-9-]+$/i.test(name)
    ? { name, scheme: { kind: "apiKey", in: "header", name }, label: `the header ${name}` }
    : undefined;
}

export function isAuthorizationHeader({ in: location, name }: LocatedParameter): boolean {
  return location === "header" && name.toLowerCase() === "authorization";
}

/** Infers the scheme of an `Authorization` header parameter from its descriptions and examples. */
function inferSchemeFromHeader(raw: RawObject): InferredScheme {
  const schema = isObject(raw.schema) ? raw.schema : {};
  const texts = [
    raw.description,
    raw.example,
    raw.default,
    raw.pattern,
    schema.description,
    schema.example,
    schema.default,
    schema.pattern,
  ];
  const text = texts
    .filter((candidate) => typeof candidate === "string")
    .join(" ")
    .slice(0, MAX_TEXT_LENGTH);
  const [bearer, basic] = [/\bbearer\b/i.test(text), /\bbasic\b/i.test(text)];
  if (bearer === basic) return { name: "Authorization", ...fullHeaderScheme() };
  return bearer
    ? { name: "BearerAuthorization", ...BEARER }
    : { name: "BasicAuthorization", ...BASIC };
}

function fullHeaderScheme(): Omit<InferredScheme, "name"> {
  const description = "Give the whole value of the header, such as Bearer and a token.";
  return {
    scheme: { kind: "apiKey", in: "header", name: "Authorization", description },
    label: "the header Authorization",
  };
}
