import { isObject, type JsonValue } from "../json.js";
import type { LinkedWorkflow, WorkflowFile } from "../workflow/index.js";

/**
 * Where the inputs of workflows are in the API that stands in for them: those of the file's own in
 * the bodies of its operations, those of workflows of other documents among its schemas. References
 * are led there.
 */
export class StandIn {
  private readonly foreign: readonly LinkedWorkflow[];
  /** Names of schemas, by the file that they are of and their names there. */
  private readonly names = new Map<WorkflowFile, ReadonlyMap<string, string>>();
  private readonly ownNames = new Map<LinkedWorkflow, string>();
  private readonly taken: Set<string>;

  constructor(
    private readonly file: WorkflowFile,
    private readonly own: readonly LinkedWorkflow[],
  ) {
    this.taken = new Set(Object.keys(file.inputs));
    this.foreign = [...closure(own)].filter((one) => one.file !== file);
    for (const { file: other } of this.foreign) {
      if (!this.names.has(other))
        this.names.set(
          other,
          new Map(Object.keys(other.inputs).map((name) => [name, this.free(name)])),
        );
    }
    for (const one of this.foreign)
      if (isObject(one.workflow.inputs)) this.ownNames.set(one, this.free("Inputs"));
  }

  private free(wanted: string): string {
    for (let n = 1; ; n++) {
      const name = n === 1 ? wanted : `${wanted}${n}`;
      if (!this.taken.has(name)) return (this.taken.add(name), name);
    }
  }

  /** All named schemas. */
  schemas(): Readonly<Record<string, unknown>> {
    const own = Object.entries(this.file.inputs).map(
      ([name, schema]) => [name, this.led(schema, this.file)] as const,
    );
    const others = [...this.names].flatMap(([file, names]) =>
      [...names].map(([name, given]) => [given, this.led(file.inputs[name], file)] as const),
    );
    const inputs = [...this.ownNames].map(
      ([one, name]) => [name, this.led(one.workflow.inputs, one.file, one)] as const,
    );
    return Object.fromEntries([...own, ...others, ...inputs]);
  }

  /** The inputs of a workflow, as a schema of this API. */
  inputsOf(linked: LinkedWorkflow): JsonValue {
    const name = this.ownNames.get(linked);
    return name === undefined
      ? (this.led(linked.workflow.inputs, linked.file, linked) as JsonValue)
      : { $ref: pointerTo(name) };
  }

  /** The same data with its references leading here. */
  private led(value: unknown, file: WorkflowFile, owner?: LinkedWorkflow): unknown {
    if (Array.isArray(value)) return value.map((item) => this.led(item, file, owner));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === "$ref" && typeof part === "string"
          ? this.target(part, file, owner)
          : this.led(part, file, owner),
      ]),
    );
  }

  /**
   * `#/components/inputs/x`, `#/workflows/0/inputs/…`; and `#/$defs/x`, with which many mean those
   * of the schema that it stands in.
   */
  private target(ref: string, file: WorkflowFile, owner: LinkedWorkflow | undefined): string {
    const [, component = "", rest = ""] = /^#\/components\/inputs\/([^/]+)(.*)$/s.exec(ref) ?? [];
    if (component !== "")
      return pointerTo(this.names.get(file)?.get(component) ?? component) + rest;
    const [, index, inside = ""] = /^#\/workflows\/(\d+)\/inputs((?:\/.*)?)$/s.exec(ref) ?? [];
    const named =
      index === undefined
        ? undefined
        : [...this.own, ...this.foreign].find(
            (one) => one.file === file && one.workflow === file.workflows[Number(index)],
          );
    if (named) return this.placeOf(named) + inside;
    const hasDefs =
      owner !== undefined &&
      isObject(owner.workflow.inputs) &&
      isObject(owner.workflow.inputs["$defs"]);
    return hasDefs && ref.startsWith("#/$defs/") ? this.placeOf(owner) + ref.slice(1) : ref;
  }

  private placeOf(linked: LinkedWorkflow): string {
    const name = this.ownNames.get(linked);
    if (name !== undefined) return pointerTo(name);
    const isPart =
      linked.undeclared.length > 0 ||
      [...closure(linked.before)].some(
        (one) => one !== linked && (isObject(one.workflow.inputs) || one.undeclared.length > 0),
      );
    return `#/paths/~1${this.file.workflows.indexOf(linked.workflow)}/post/requestBody/content/application~1json/schema${isPart ? "/allOf/0" : ""}`;
  }
}

const pointerTo = (name: string): string => `#/components/schemas/${name}`;

/** Workflows, and all that run before them. */
function closure(workflows: readonly LinkedWorkflow[]): ReadonlySet<LinkedWorkflow> {
  const all = new Set(workflows);
  for (const { before } of all) for (const one of before) all.add(one);
  return all;
}
