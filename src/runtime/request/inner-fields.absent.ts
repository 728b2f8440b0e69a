/** Stands in for fields inside bodies that no input gives: no operation of this project has one. */

export function applyInnerFields<Fields>(fields: Fields, ..._: readonly unknown[]): Fields {
  return fields;
}

export function applyInnerFieldsToBody<Field>(field: Field, ..._: readonly unknown[]): Field {
  return field;
}
