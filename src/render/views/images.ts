/** Container images that the Dockerfile and the files of engines name. */
import { imageReference, type Safe } from "../code/index.js";
import type { ImageName } from "../../configuration/types.js";
import type { RenderOptions } from "../types.js";

/** Tags that get the security fixes of a release line. */
const DEFAULT_IMAGES: Readonly<Record<ImageName, string>> = {
  node: "node:24-alpine",
  caddy: "caddy:2-alpine",
  valkey: "valkey/valkey:8-alpine",
};

/** The configured image, or the default one. */
export function imageOf<Language extends "dockerfile" | "yaml">(
  name: ImageName,
  { images = {} }: RenderOptions,
): Safe<Language> {
  return imageReference(images[name] ?? DEFAULT_IMAGES[name]);
}
