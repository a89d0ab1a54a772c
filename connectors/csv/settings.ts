import { z } from 'zod';
import { targets } from '../../src/domain/field-labels.ts';
import { text } from '../../src/domain/setting.ts';
import { isDateFormat } from './inbox/date-format.ts';

export const CsvSettings = z
  .strictObject({
    directory: text.describe('Where the files go: one folder per clinic in it. Created when missing.'),
    profile: z
      .enum(['data', 'excel'])
      .default('data')
      .describe(
        '`data`: exact values for programs. `excel`: byte order mark, and text that looks like a formula is made harmless with a leading apostrophe.',
      ),
    format: z
      .enum(['csv', 'xlsx'])
      .default('csv')
      .describe('`xlsx`: one workbook per table, with real numbers and dates and text that keeps its zeros.'),
    line_ending: z
      .enum(['lf', 'crlf'])
      .default('lf')
      .describe('What ends a line in the CSV files that are written.'),
    delimiter: z
      .enum(['comma', 'semicolon', 'tab'])
      .default('comma')
      .describe('What parts columns in the CSV files that are written; the inbox detects it.'),
    archive: z
      .enum(['none', 'monthly'])
      .default('none')
      .describe(
        '`monthly`: keep a copy of every table per month under archive/YYYY-MM, without patient data.',
      ),
    file_mode: z
      .string()
      .regex(
        /^0?6[046][04]$/,
        'must be a mode the daemon itself can use, such as "0600", "0640" or "0644", in quotation marks',
      )
      .default('0600')
      .describe(
        'Permissions of the files that are written: `"0640"` lets the group read them. Folders that are made follow.',
      ),
    inbox: text
      .optional()
      .describe('A folder in which CSV files with bookings are dropped. Created when missing.'),
    inbox_clinic: text
      .optional()
      .describe('The clinic of rows without a `clinic` column; needed when several clinics are served.'),
    columns: z
      .partialRecord(z.enum(targets), z.union([z.string(), z.array(z.string())]))
      .default({})
      .describe('More header names for the inbox, by field: `patient_name: [Nom, Cliente]`.'),
    date_format: z
      .string()
      .refine(isDateFormat, 'must be made of YYYY, MM and DD with one separator, such as DD/MM/YYYY')
      .optional()
      .describe(
        'How dates are written in the inbox, beside YYYY-MM-DD: `DD/MM/YYYY`, `MM/DD/YYYY`, `DD.MM.YYYY`.',
      ),
  })
  .refine((settings) => settings.inbox === undefined || settings.inbox !== settings.directory, {
    message: 'must not be the directory the files are written to',
    path: ['inbox'],
  });
export type CsvSettings = z.output<typeof CsvSettings>;

export const fileModeOf = ({ file_mode }: Pick<CsvSettings, 'file_mode'>): number =>
  Number.parseInt(file_mode, 8);
