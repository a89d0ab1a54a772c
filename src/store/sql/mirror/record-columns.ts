import { type FieldKind, recordFields } from '../../../domain/clinics/record-fields.ts';
import { any, type Column, optional } from '../column.ts';

const columnOf = {
  id: any,
  number: any,
  json: optional.json,
  name: optional.text,
  fee: optional.text,
  text: optional.text,
  date: optional.text,
  decimal: optional.text,
} as const satisfies Record<FieldKind, Column>;

const columnsOf = <F extends Readonly<Record<string, FieldKind>>>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, columnOf[kind]])) as {
    readonly [N in keyof F]: (typeof columnOf)[F[N]];
  };

/** A column for each field of a mirrored record. */
export const recordColumns = {
  organization: columnsOf(recordFields.organization),
  website: columnsOf(recordFields.website),
  treatments: columnsOf(recordFields.treatments),
  dentists: columnsOf(recordFields.dentists),
};
