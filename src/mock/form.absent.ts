/** Stands in for forms, which the API does not have. */

export const parseForm = (form: string, ..._: readonly unknown[]): unknown => form;
