import type { PlainText } from '../../texts/texts.ts';
import type { ChangedResource } from './change.ts';
import { type FieldKind, recordFields } from './record-fields.ts';
import { bookingColumns, type ReportColumn, type ReportColumns } from './report-columns.ts';
import { type ListPoll, resourceOf, statistics } from './resource.ts';
import type { Row } from './tables.ts';

const types: Record<FieldKind, ReportColumn['type']> = {
  ...{ id: 'key', name: 'text', text: 'text', date: 'text', json: 'text' },
  ...{ number: 'number', fee: 'money', decimal: 'money' },
};

type Names<Fields> = { [N in keyof Fields]: Fields[N] extends 'id' | 'name' ? never : N }[keyof Fields];
type Labelled = { [P in ListPoll]: Names<(typeof recordFields)[P]> }[ListPoll];

/** What people call a field of a record: each has a text of its own, `field_NAME`. */
const labelOf = (name: string, kind: FieldKind): PlainText =>
  kind === 'id' ? 'number' : kind === 'name' ? 'name' : `field_${name as Labelled}`;

const columnsOf = (poll: ListPoll): ReportColumns => ({
  clinic: { type: 'key', label: 'clinic' },
  ...Object.fromEntries(
    Object.entries<FieldKind>(recordFields[poll]).map(([name, kind]) => [
      name,
      { type: types[kind], label: labelOf(name, kind) },
    ]),
  ),
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

/** What changed in a resource, as a column; undefined for what no table shows. */
export function changedColumn(resource: ChangedResource, field: string): ReportColumn | undefined {
  const figure = statistics.find((one) => one === field);
  if (figure !== undefined) return { type: 'count', label: figure };
  const poll = listPolls.find((one) => resourceOf[one] === resource);
  const columns: Partial<Record<ChangedResource, ReportColumns>> = {
    booking: bookingColumns,
    appointment: patientAppointmentColumns,
  };
  return (poll ? mirrorColumns[poll] : columns[resource])?.[field];
}

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
