import { type FieldKind, recordFields } from './record-fields.ts';
import type { ReportColumn, ReportColumns } from './report-columns.ts';
import type { ListPoll } from './resource.ts';
import type { Row } from './tables.ts';

const columnOf: Record<FieldKind, ReportColumn> = {
  id: { type: 'key', label: 'number' },
  name: { type: 'text', label: 'name' },
  ...{ text: { type: 'text' }, date: { type: 'text' }, json: { type: 'text' }, number: { type: 'number' } },
  ...{ fee: { type: 'money', label: 'fee' }, decimal: { type: 'money', label: 'fee' } },
};

const columnsOf = (poll: ListPoll): ReportColumns => ({
  clinic: { type: 'key', label: 'clinic' },
  ...Object.fromEntries(Object.entries(recordFields[poll]).map(([name, kind]) => [name, columnOf[kind]])),
  // Of an organization its own, in its place above.
  ...(poll !== 'website' && { currency: { type: 'text', label: 'currency', isData: true } }),
  first_seen_at: { type: 'instant', label: 'first_seen' },
  changed_at: { type: 'instant', label: 'last_change' },
  removed_at: { type: 'instant', label: 'removed_on' },
});

/** The records of the mirror as tables: the API's fields, and when each was first seen, changed and removed. */
export const mirrorColumns: Readonly<Record<ListPoll, ReportColumns>> = {
  organization: columnsOf('organization'),
  website: columnsOf('website'),
  treatments: columnsOf('treatments'),
  dentists: columnsOf('dentists'),
};

/** Appointments that are still followed, without patient data. */
export const appointmentColumns = {
  clinic: { type: 'key', label: 'clinic' },
  appointment_id: { type: 'key', label: 'appointment_number' },
  status: { type: 'text', label: 'state' },
  date: { type: 'text', label: 'date' },
  time: { type: 'text', label: 'time' },
  first_seen_at: { type: 'instant', label: 'first_seen' },
  seen_at: { type: 'instant', label: 'last_read' },
  next_due_at: { type: 'instant', label: 'next_poll' },
} as const satisfies ReportColumns;

/** The same for those who may see patients. */
export const patientAppointmentColumns = {
  ...appointmentColumns,
  name: { type: 'text', label: 'patient' },
} as const satisfies ReportColumns;

export const listPolls = Object.keys(recordFields) as ListPoll[];

/** Where a record has its id and its name. */
export function namesIn(poll: ListPoll): { id: string; name: string } {
  const [[id], [name]] = Object.entries(recordFields[poll]) as [[string, FieldKind], [string, FieldKind]];
  return { id, name };
}

const amounts = new Set<string>(
  Object.values<Readonly<Record<string, FieldKind>>>(recordFields).flatMap((fields) =>
    Object.keys(fields).filter((name) => columnOf[fields[name] ?? 'text'].type === 'money'),
  ),
);

/** Whether this field of a record is an amount of money. */
export const isAmount = (field: string): boolean => amounts.has(field);

/** A row of the mirror as one of these tables. */
export const mirrorRow = (
  poll: ListPoll,
  row: Row,
  known: { clinic: string; currency: string | null },
): Row => {
  const { id } = namesIn(poll);
  const own = poll === 'organization' ? row : { ...row, currency: known.currency };
  return {
    ...Object.fromEntries(Object.keys(mirrorColumns[poll]).map((name) => [name, own[name] ?? null])),
    ...{ clinic: known.clinic, [id]: String(row[id]) },
  };
};
