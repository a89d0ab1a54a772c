import * as z from 'zod';
import {
  appointmentColumns,
  mirrorColumns,
  patientAppointmentColumns,
} from '../../domain/clinics/record-columns.ts';
import {
  changedFieldColumns,
  incidentColumns,
  leadColumns,
  openVisitColumns,
  priceColumns,
  type ReportColumn,
  type ReportColumns,
} from '../../domain/clinics/report-columns.ts';
import { instantSchema, orNull, textSchema } from '../../domain/outward.ts';
import { localeOf } from '../../platform/text/locale.ts';
import { columnTitle, reportFields } from '../../reports/figures.ts';
import { XLSX } from '../table-downloads.ts';
import { type AnswerSchema, pageOrJson } from './operation.ts';

const types: Record<ReportColumn['type'], z.ZodType> = {
  ...{ key: textSchema, text: orNull(textSchema), count: orNull(z.int()), instant: orNull(instantSchema) },
  ...{ money: orNull(textSchema), worth: orNull(z.number()), hours: orNull(z.number()) },
  ...{ days: orNull(z.number()), number: orNull(z.number()) },
};

/** The rows of a report, by its columns. */
function rowSchema(id: string, columns: ReportColumns): z.ZodType {
  const locale = localeOf('en');
  const fields = reportFields(columns).map((field) => {
    const column = columns[field];
    const shown = column ?? (columns[field.replace(/_before$/, '')] as ReportColumn);
    const name = columnTitle(field, shown, locale);
    const description = column === undefined ? locale.t('value_before', { name }) : name;
    return [field, types[shown.type].meta({ description })];
  });
  return z.strictObject(Object.fromEntries(fields)).meta({ id });
}

const ok = z.literal(true);
const rows = (id: string, columns: ReportColumns) => z.array(rowSchema(id, columns));
const next = orNull(textSchema).meta({ description: 'The address of the next page; null on the last one.' });

/** The page for browsers, a page of JSON for programs, and all rows as files. */
export const pageOrFile = (description: string, json: z.ZodType): Record<200, AnswerSchema> => ({
  200: { description, json, text: ['text/html', 'text/csv', XLSX] },
});

const data = (description: string, shape: z.ZodRawShape) =>
  pageOrFile(description, z.strictObject({ ok, ...shape }));

export const formatQuery = { format: '`json`, `csv` or `xlsx`; default: what `Accept` names, else JSON' };

const mirrorRecords = {
  treatments: rowSchema('TreatmentRecord', mirrorColumns.treatments),
  dentists: rowSchema('DentistRecord', mirrorColumns.dentists),
  organization: rowSchema('OrganizationRecord', mirrorColumns.organization),
  website: rowSchema('WebsiteRecord', mirrorColumns.website),
};
const changedFields = rows('ChangedField', changedFieldColumns);

export const recordAnswer = pageOrJson(
  'All it has now, and fifty changes of it, newest first',
  z.strictObject({ ok, record: z.union(Object.values(mirrorRecords)), changes: changedFields, next }),
);

export const reportAnswers = {
  records: data(
    'Fifty records, or appointments still followed; as a file all. The patient only for the desk',
    {
      records: z.union([
        ...Object.values(mirrorRecords).map((one) => z.array(one)),
        rows('FollowedAppointment', appointmentColumns),
        rows('FollowedPatient', patientAppointmentColumns),
      ]),
      next,
    },
  ),
  reports: data('The totals of ten clinics; as a file the leads of all', {
    month: textSchema,
    by: textSchema,
    clinics: z.array(
      z.strictObject({
        ...{ clinic: textSchema, name: orNull(textSchema), timezone: textSchema },
        leads: rows('LeadsRow', leadColumns),
        visits: rows('OpenVisits', openVisitColumns),
        unknownStatuses: z.array(textSchema),
      }),
    ),
    next,
  }),
  fees: data('The prices at the end of a day; a page has the first fifty of each kind', {
    ...{ clinic: textSchema, timezone: textSchema, on: textSchema, known_since: orNull(instantSchema) },
    prices: rows('Price', priceColumns),
  }),
  fee: data('Fifty of its fees, newest first; as a file all', { prices: rows('Price', priceColumns), next }),
  changes: data('Fifty changes, field by field; as a file all', {
    changes: changedFields,
    next,
  }),
  incidents: data('Up to fifty incidents; as a file all', {
    incidents: rows('Incident', incidentColumns),
    next,
  }),
};
