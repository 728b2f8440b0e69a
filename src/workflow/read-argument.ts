import { quoteText } from "../diagnostics/clean.js";
import type { Components } from "./components.js";
import { type Node, reportTwice } from "./reader.js";
import { argumentPlaces, type Argument } from "./types.js";
import { readValue } from "./values.js";

/**
 * Where parameters stand: with an operation they say where they go, with a workflow they are its
 * inputs.
 */
export type ArgumentUse = "operation" | "workflow" | "either";

/** Reads a list of parameters, reusable ones among them. Arazzo 1.1, "Parameter Object". */
export function readArguments(
  node: Node,
  key: string,
  use: ArgumentUse,
  components: Components,
): readonly Argument[] {
  const found = node.items(key).flatMap((item): (readonly [Node, Argument])[] => {
    const argument = readArgument(item, use, components);
    return argument ? [[item, argument]] : [];
  });
  reportTwice(
    found,
    ({ name, in: place = "" }) => `${place} ${name}`,
    ({ name }) => `The parameter ${quoteText(name)}`,
  );
  return found.map(([, argument]) => argument);
}

function readArgument(item: Node, use: ArgumentUse, components: Components): Argument | undefined {
  const reused = components.resolve(item, "parameters");
  if (!reused) return undefined;
  const { node, override } = reused;
  if (!node.isObject(["name", "in", "value"])) return undefined;
  const name = node.text("name", true);
  const place =
    node.child("in").value === "body"
      ? node
          .child("in")
          .report("A body is no parameter.", "Write it as requestBody, with a payload.")
      : node.choice("in", argumentPlaces, false);
  if (name === "") return undefined;
  if (use === "operation" && !node.has("in"))
    return item.report(
      `The parameter ${quoteText(name)} must say where it goes.`,
      `Add in: one of ${argumentPlaces.join(", ")}.`,
    );
  if (!override && !node.has("value") && !isNull(node))
    return item.report(
      `The parameter ${quoteText(name)} has no value.`,
      "Add value: a constant or a runtime expression.",
    );
  return {
    name,
    ...(place && use !== "workflow" && { in: place }),
    value: readValue(override ?? node.child("value")),
    place: item.place,
  };
}

/** `value: null` is a value. */
function isNull(node: Node): boolean {
  return (
    typeof node.value === "object" && node.value !== null && Object.hasOwn(node.value, "value")
  );
}

/** Those of the step, and those of the workflow that it does not have itself. */
export function withInherited(
  own: readonly Argument[],
  inherited: readonly Argument[],
): readonly Argument[] {
  const keyOf = ({ name, in: place }: Argument): string =>
    place === "header" ? `header ${name.toLowerCase()}` : `${place ?? ""} ${name}`;
  const keys = new Set(own.map(keyOf));
  return [
    ...own,
    ...inherited
      .filter((one) => !keys.has(keyOf(one)))
      .map((one) => ({ ...one, inherited: true as const })),
  ];
}
