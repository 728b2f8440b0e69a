/**
 * Tokens of a list that hosts may always show, which is a twentieth of a context of 200,000. Of
 * longer lists, hosts that defer tools show models only the names, except of the marked tools.
 */
export const alwaysShownTokens = 10_000;
