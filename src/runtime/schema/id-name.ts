/**
 * True for names of properties with IDs: `id`, `user_id`, `userIds`, `uuid`. APIs send text where
 * they document numbers, and the other way round, so that output schemas allow both types, and
 * results keep theirs.
 */
export const isIdName = (name: string): boolean => ID_NAME.test(name);

const ID_NAME = /(?:^|[_-])(?:ids?|uuid|guid)$|[a-z](?:I[Dd]s?|U[Uu][Ii][Dd])$/;
