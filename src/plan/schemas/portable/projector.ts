import { quoteText } from "../../../diagnostics/text.js";
import { isObject, type JsonSchema, omitUndefined } from "../../../json.js";
import type { SchemaUsage } from "../../diagnostics.js";
import { withMissingBlocks } from "../../text/blocks.js";
import { flattenMarkdown } from "../../text/markdown.js";
import { appendSentences } from "../../text/sentences.js";
import { WholeTexts } from "../../text/whole-texts.js";
import { describeStatedMeanings, estimateSize } from "../values.js";
import {
  type AnySchema,
  namedSchema,
  refName,
  resolveSchema,
  type SchemaGraph,
  type Schemas,
} from "../refs.js";
import { typeOfAlternatives } from "./alternative-types.js";
import { writeAlternatives, writeArray, writeObject } from "./containers.js";
import {
  hasEntries,
  isEmptySchema,
  isSimpleSchema,
  reportRemovedKeywords,
  writeSimpleKeywords,
} from "./keywords.js";
import type { SchemaDraft } from "./types.js";
import {
  LEVEL_COST,
  MAX_DEPTH,
  measureProjection,
  NO_DEFS,
  type Projection,
  type ProjectionDirection,
  type Projector,
} from "./projection.js";

const MAX_SCHEMA_DESCRIPTION_LENGTH = 200;

/** Keywords that accept every value. */
const ANNOTATIONS = new Set(["description", "default", "examples"]);

/** Projections of one schema: the complete one, and truncated ones by remaining depth. */
interface ProjectionCache {
  complete?: Projection;
  readonly truncated: Projection[];
}

const NO_PROJECTIONS: readonly Projection[] = [];
const ANY_VALUE: Projection = {
  schema: {},
  size: 2,
  nodes: 0,
  height: 0,
  isTruncated: false,
  defs: NO_DEFS,
  notes: [],
};

/**
 * Creates a projector.
 * @param direction `input` leaves out `readOnly` properties, `output` leaves out `writeOnly` ones
 */
export function createProjector(
  schemas: Schemas,
  graph: SchemaGraph,
  direction: "input" | "output",
  {
    diagnostics,
    origins,
    wholeTexts,
  }: Pick<ProjectionDirection, "diagnostics" | "origins" | "wholeTexts">,
): Projector {
  return new CachingProjector(graph, {
    schemas,
    diagnostics,
    origins,
    ...(wholeTexts && { wholeTexts }),
    hiddenAnnotation: direction === "input" ? "readOnly" : "writeOnly",
  });
}

class CachingProjector implements Projector {
  private readonly cache = new Map<JsonSchema, ProjectionCache>();
  private readonly text: (text: unknown) => string;

  constructor(
    private readonly graph: SchemaGraph,
    private readonly options: ProjectionDirection,
  ) {
    this.text = createTextShortener(
      MAX_SCHEMA_DESCRIPTION_LENGTH,
      options.wholeTexts ?? new WholeTexts(),
    );
  }

  project(schema: AnySchema, depth: number, usage: SchemaUsage): Projection {
    if (typeof schema === "boolean") {
      this.reportUntyped(usage);
      return ANY_VALUE;
    }
    // Many operations share parameters, few share fields.
    if (depth < MAX_DEPTH && isSimpleSchema(schema)) return this.projectSimple(schema, usage);
    const cached = this.cache.get(schema);
    if (cached?.complete && cached.complete.height <= depth) return cached.complete;
    const truncated = cached?.truncated[depth];
    if (truncated) return truncated;
    const projection =
      refName(schema) === undefined
        ? this.build(schema, depth, usage)
        : this.projectReference(schema, depth, usage);
    const entry = cached ?? { truncated: [] };
    if (!cached) this.cache.set(schema, entry);
    if (projection.isTruncated) entry.truncated[depth] = projection;
    else entry.complete = projection;
    return projection;
  }

  /** Not cached, because writing is cheaper. */
  private projectSimple(schema: JsonSchema, usage: SchemaUsage): Projection {
    const draft: SchemaDraft = {};
    const notes = writeSimpleKeywords(schema, draft, usage, this.options);
    return this.finish(schema, draft, NO_PROJECTIONS, false, notes, usage);
  }

  /**
   * Replaces a reference by its target; only recursive references are kept. Annotations next to the
   * reference take precedence.
   */
  private projectReference(schema: JsonSchema, depth: number, usage: SchemaUsage): Projection {
    const { schemas } = this.options;
    const name = refName(schema) as string;
    const target = namedSchema(schemas, name);
    if (!target || (refName(target) !== undefined && isEmptySchema(resolveSchema(schemas, target))))
      return ANY_VALUE;
    const base = this.graph.isRecursive(name)
      ? recursiveReference(name)
      : this.projectTarget(name, target, depth, usage);
    const annotations: SchemaDraft = {};
    const description = this.text(schema.description);
    if (description !== "") annotations.description = description;
    const values = omitUndefined({ default: schema.default, examples: schema.examples });
    writeSimpleKeywords(values, annotations, usage, this.options);
    if (Object.keys(annotations).length === 0) return base;
    return {
      ...base,
      schema: { ...base.schema, ...annotations },
      size: base.size + estimateSize(annotations),
    };
  }

  private projectTarget(
    name: string,
    target: JsonSchema,
    depth: number,
    { location }: SchemaUsage,
  ): Projection {
    const projection = this.project(target, depth, { location, label: name });
    const { origins } = this.options;
    if (!origins.has(projection.schema)) origins.set(projection.schema, name);
    return projection;
  }

  private build(schema: JsonSchema, depth: number, usage: SchemaUsage): Projection {
    const draft: SchemaDraft = {};
    const notes = writeSimpleKeywords(schema, draft, usage, this.options);
    const parts: Projection[] = [];
    const addPart = (part: Projection, cost: number): void => {
      parts.push({ ...part, height: part.height + cost });
    };
    const projectChild = (child: AnySchema, cost: number, label: string): Projection => {
      const part = this.project(child, depth - cost, { location: usage.location, label });
      addPart(part, cost);
      return part;
    };
    const isTruncated = !fitsIn(schema, depth);
    if (!isTruncated) {
      const context = { ...this.options, draft, notes, usage, projectChild, addPart };
      writeObject(schema, context);
      writeArray(schema, context);
      writeAlternatives(schema, context);
    } else if (draft.type === undefined && draft.enum === undefined) {
      const type = typeOfAlternatives(schema, this.options.schemas);
      if (type !== undefined) draft.type = type;
    }
    reportRemovedKeywords(schema, usage, this.options.diagnostics);
    return this.finish(schema, draft, parts, isTruncated, notes, usage);
  }

  private finish(
    schema: JsonSchema,
    draft: SchemaDraft,
    parts: readonly Projection[],
    isTruncated: boolean,
    notes: string[],
    usage: SchemaUsage,
  ): Projection {
    if (Object.keys(draft).every((key) => ANNOTATIONS.has(key))) this.reportUntyped(usage);
    const meanings = describeStatedMeanings(schema);
    if (meanings !== undefined) notes.push(meanings);
    if (schema.deprecated === true) notes.push("Deprecated.");
    if (this.options.hiddenAnnotation === "readOnly") notes.push(...textForms(schema));
    const description = appendSentences(this.text(schema.description), ...notes);
    if (description !== "") draft.description = description;
    return measureProjection(draft, parts, isTruncated, notes);
  }

  /** Reports an input that accepts any value. */
  private reportUntyped({ label, location }: SchemaUsage): void {
    if (this.options.hiddenAnnotation !== "readOnly") return;
    const message = `${quoteText(label)} accepts any value: its schema has no type that the tool can state.`;
    this.options.diagnostics.add("plan-schema-untyped", message, location);
  }

  definition(name: string, depth: number, usage: SchemaUsage): Projection {
    const target = namedSchema(this.options.schemas, name);
    return target ? this.projectTarget(name, target, depth, usage) : ANY_VALUE;
  }
}

/** Sentences about the form of a text that is an input. */
function textForms({ format, contentMediaType, description }: JsonSchema): readonly string[] {
  if (format === "byte") return ["Base64, or text: and plain text."];
  const isJson = typeof contentMediaType === "string" && /[/+]json\b/.test(contentMediaType);
  return isJson && !/\bJSON\b/i.test(description ?? "") ? ["JSON text."] : [];
}

/** Reference to a schema in the `$defs` of the tool's schema. */
const recursiveReference = (name: string): Projection => ({
  ...ANY_VALUE,
  schema: { $ref: `#/$defs/${name}` },
  size: name.length + 20,
  defs: new Set([name]),
});

/** True when subschemas may be written at this depth. */
function fitsIn(schema: JsonSchema, depth: number): boolean {
  if (schema.allOf || schema.anyOf || schema.oneOf)
    return depth >= 1 && (depth >= LEVEL_COST || !schema.properties);
  const hasParts =
    hasEntries(schema.properties) ||
    isObject(schema.items) ||
    isObject(schema.additionalProperties) ||
    schema.prefixItems ||
    schema.patternProperties;
  return depth >= LEVEL_COST || !hasParts;
}

/** Creates a cached function that flattens and truncates texts inside schemas, and marks what it cuts. */
function createTextShortener(max: number, wholeTexts: WholeTexts): (text: unknown) => string {
  const cache = new Map<string, string>();
  return (text) => {
    if (typeof text !== "string" || text === "") return "";
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const plain = flattenMarkdown(text);
    const whole = withMissingBlocks(plain, text);
    const shortened =
      plain.length > max || whole !== plain
        ? wholeTexts.shorten(plain, max, undefined, whole)
        : plain;
    cache.set(text, shortened);
    return shortened;
  };
}
