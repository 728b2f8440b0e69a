/** True if a member may be undefined. A member of unknown type counts as required. */
type IsOptional<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

/** An object whose members that may be undefined are optional. */
type DefinedMembers<T> = {
  [Key in keyof T as IsOptional<T[Key]> extends true ? never : Key]: T[Key];
} & {
  [Key in keyof T as IsOptional<T[Key]> extends true ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Copies an object without its undefined members. */
export function omitUndefined<T extends object>(object: T): DefinedMembers<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as DefinedMembers<T>;
}

/** Reads a member of its own from a record. Names such as `constructor` occur in documents. */
export function ownProperty<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
