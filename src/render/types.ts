/** Types of generated files, and the options of rendering. */
import type { ImageName, RuntimeFeature } from "../configuration/types.js";

export type { RuntimeFeature };

/**
 * One file of the output: a relative POSIX path below the output folder, and its content with LF
 * and a final newline.
 */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
  /** Written only when absent, for files that users edit (`src/custom/**`). */
  readonly writeOnce?: boolean;
  /** Returns the files of the runtime that the file joins, by their path below `src/runtime`. */
  readonly parts?: () => readonly GeneratedFile[];
  /** Fingerprints of the parts of `content`, if they are known (`fingerprintParts`). */
  readonly fingerprints?: string;
  /** True for a file of the runtime that takes the place of a feature that is left out. */
  readonly isStandIn?: boolean;
}

/** Source of the runtime: a copy in the generated project, or the package mcp-gen. */
type RuntimeSource = "copy" | "package";

/** An engine that runs several replicas, or a service beside them. */
export type DeployTarget = "compose" | "kubernetes" | "prometheus" | "valkey" | "workers";

/** Options that shape the generated project. */
export interface RenderOptions {
  /** Default: `copy`. */
  readonly runtime?: RuntimeSource;
  /**
   * Features of the copied runtime, besides those that the API or the configuration needs: for
   * users who ask for them with flags and variables of the server.
   */
  readonly features?: readonly (RuntimeFeature | "all")[];
  /** Versions of the project's dependencies, instead of those of package.json's template. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Container images, instead of the default ones. */
  readonly images?: Partial<Readonly<Record<ImageName, string>>>;
  /** Engines to write configurations for. Default: none. */
  readonly deploy?: readonly DeployTarget[];
  /**
   * Folder with templates that replace the defaults of the same path. Templates below `files/` add
   * files to the output.
   */
  readonly templates?: string;
}
