/** The sentence about a feature of the runtime that the project was generated without. */

/**
 * @param subject noun phrase for the user: `the tool search`
 * @param feature name of the feature in `--features`
 */
export function leftOut(subject: string, feature: string): string {
  return (
    `This server was generated without ${subject}. Generate it again with --features ${feature}, ` +
    `or with features: [${feature}] in mcp-gen.yaml.`
  );
}
