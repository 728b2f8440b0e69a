import { isObject, stepsOf } from "../json.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import type { Located } from "./deref.js";
import { kindOf, quote } from "./findings.js";
import { reportIgnored } from "./parameter.js";
import { bare, flag, own, texts, type Raw } from "./read.js";
import type { Schemes } from "./security.js";
import type { SecurityRequirement, SecurityScheme } from "./types.js";
import {
  isInAuthorization,
  schemeByName,
  schemeOfHeader,
  type ToldScheme,
} from "./undeclared-scheme.js";

type Requirements = readonly SecurityRequirement[] | undefined;

/**
 * Who may call what. Documents that frameworks make of their code often ask for schemes that they
 * declare nowhere, or have the header `Authorization` as a parameter instead. Without credentials
 * nobody could call such an API, so what they tell of counts as declared.
 */
export class Security {
  /** The root's `security`. */
  readonly root: Requirements;
  private readonly made = bare<SecurityScheme>();
  private readonly said = new Set<string>();

  constructor(
    private readonly c: Context,
    private readonly declared: Schemes,
  ) {
    this.root = this.read(c.document.root, At.root);
  }

  /** The schemes that the document declares, and those that it tells of otherwise. */
  get schemes(): Schemes {
    return Object.assign(bare<SecurityScheme>(), this.declared, this.made);
  }

  /**
   * What an operation asks for. `header`: its parameter for the header `Authorization`, which
   * counts where nothing else is asked for.
   */
  of(raw: Raw, at: At, header: Located | undefined): Requirements {
    const found = own(raw, "security") == null ? this.root : this.read(raw, at);
    if (!header) return found;
    if (!found?.some((requirement) => Object.keys(requirement).length > 0))
      return this.byHeader(header);
    reportIgnored(this.c, "Authorization", header.at);
    return found;
  }

  /**
   * `security` of the root or an operation: OR of ANDs.
   * @returns undefined when nothing is declared, or nothing that is declared can be met
   */
  private read(owner: Raw, at: At): Requirements {
    const written = own(owner, "security");
    if (written === undefined || written === null) return undefined;
    const place = at.child("security");
    if (!Array.isArray(written)) {
      this.c.findings.add(
        "model-value-type",
        place,
        `\`security\` must be a list, but is ${kindOf(written)}; it is left out.`,
      );
      return undefined;
    }
    const unknown: [name: string, at: At][] = [];
    const found = written
      .map((alternative: unknown, index) =>
        this.alternative(alternative, place.child(index), unknown),
      )
      .filter((one) => one !== undefined);
    const asksForNothing = found.every((requirement) => Object.keys(requirement).length === 0);
    const instead = asksForNothing && unknown.length > 0 ? this.instead(unknown) : undefined;
    if (instead) return [...instead, ...found];
    for (const [name, where] of unknown)
      this.sayOnce(name, where, "the alternative that needs it is left out");
    return found.length === 0 && written.length > 0 ? undefined : found;
  }

  private alternative(
    value: unknown,
    at: At,
    unknown: [string, At][],
  ): SecurityRequirement | undefined {
    const { c } = this;
    if (!isObject(value))
      return void c.findings.add(
        "model-security-requirement",
        at,
        `A security requirement must be an object, but this is ${kindOf(value)}; it is left out.`,
      );
    const needed = bare<readonly string[]>();
    const before = unknown.length;
    for (const [written, scopes] of Object.entries(value)) {
      const name = Object.hasOwn(this.declared, written) ? written : this.byReference(written, at);
      if (name === undefined) unknown.push([written, at.child(written)]);
      else needed[name] = texts(c, Array.isArray(scopes) ? scopes : [], at.child(written));
    }
    return unknown.length > before ? undefined : needed;
  }

  /** 3.2: what is no name is a reference (`#/components/securitySchemes/key`). */
  private byReference(written: string, at: At): string | undefined {
    const target = this.c.version === "3.2" ? this.c.refs.find(written, at) : undefined;
    const [components, container, name = "", ...more] = target ? stepsOf(target.at.pointer) : [];
    const isScheme =
      components === "components" && container === "securitySchemes" && more.length === 0;
    return isScheme && Object.hasOwn(this.declared, name) ? name : undefined;
  }

  /**
   * Where no alternative that asks for something can be met as it is written, something is asked
   * for all the same.
   */
  private instead(unknown: readonly (readonly [name: string, at: At])[]): Requirements {
    const say = (what: string): void =>
      unknown.forEach(([name, at]) => this.sayOnce(name, at, what));
    if (this.root?.length)
      return (say("what the document asks for as a whole is used instead"), this.root);
    const told = unknown.flatMap(([name]) => schemeByName(name) ?? []);
    if (told.length > 0) {
      for (const [name, at] of unknown) this.sayOnce(name, at, this.wordsFor(name));
      return told.map((one): SecurityRequirement => ({ [this.make(one)]: [] }));
    }
    const names = Object.keys(this.declared);
    if (names.length > 0)
      return (
        say("any that is declared is used instead"),
        names.map((name): SecurityRequirement => ({ [name]: [] }))
      );
    return undefined;
  }

  private wordsFor(name: string): string {
    const told = schemeByName(name);
    return told
      ? `by its name it is taken for ${told.words}`
      : "the alternative that needs it is left out";
  }

  private byHeader({ raw, at }: Located): readonly SecurityRequirement[] {
    if (!this.said.has(""))
      this.c.findings.add(
        "model-header-credential",
        at,
        'The header parameter "Authorization" is no input, here and elsewhere: where no security scheme is asked for, it is a credential from the environment.',
      );
    this.said.add("");
    const declared = Object.keys(this.declared).filter((name) =>
      isInAuthorization(this.declared[name] as SecurityScheme),
    );
    const names = declared.length > 0 ? declared : [this.make(schemeOfHeader(raw))];
    const needed = names.map((name): SecurityRequirement => ({ [name]: [] }));
    return flag(this.c, raw, "required", at) === true ? needed : [...needed, {}];
  }

  private make({ name, scheme }: ToldScheme): string {
    const free = Object.hasOwn(this.declared, name) ? `${name} header` : name;
    this.made[free] ??= scheme;
    return free;
  }

  /** Such documents ask for it in every operation: the first place will do. */
  private sayOnce(name: string, at: At, what: string): void {
    const key = `${name} ${what}`;
    if (this.said.has(key)) return;
    this.said.add(key);
    this.c.findings.add(
      "model-security-requirement",
      at,
      `There is no usable security scheme ${quote(name)}; ${what}.`,
      "Declare it as a security scheme, or name one that is.",
    );
  }
}
