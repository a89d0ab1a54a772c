import { z } from 'zod';
import { targets } from '../../src/domain/bookings/field-labels.ts';
import { textSetting } from '../../src/domain/clinics/setting.ts';
import { languages } from '../../src/texts/texts.ts';
import { encodings } from './inbox/content/code-pages.ts';
import { isDateFormat } from './inbox/content/date-format.ts';
import { outputEncodings } from './output-encoding.ts';

export const CsvSettings = z
  .strictObject({
    directory: textSetting.describe(
      'Where the files go, in one folder per clinic, each written by only one connector. Created when missing.',
    ),
    profile: z
      .enum(['data', 'excel'])
      .default('data')
      .describe('`data`: exact values, for programs. `excel`: for people who double-click.'),
    format: z
      .enum(['csv', 'xlsx'])
      .default('csv')
      .describe('`xlsx`: one workbook per table, with real numbers and dates and text that keeps its zeros.'),
    line_ending: z
      .enum(['lf', 'crlf'])
      .default('lf')
      .describe('Line ending of the CSV files that are written: `lf` or `crlf`.'),
    delimiter: z
      .enum(['auto', 'comma', 'semicolon', 'tab'])
      .default('auto')
      .describe(
        'Column separator of written files: `comma`, `semicolon` or `tab`; `auto`: ' +
          'semicolon in `profile: excel` where the clinic’s country writes decimals with a comma, else comma. ' +
          'The inbox detects it.',
      ),
    decimal: z
      .enum(['auto', 'point', 'comma'])
      .default('auto')
      .describe(
        'Decimal sign of written files: `point` or `comma`; `auto`: comma in `profile: ' +
          'excel` where the separator is a semicolon, else point.',
      ),
    quote: z
      .enum(['minimal', 'text', 'all'])
      .default('text')
      .describe(
        'Quotation marks in written files: `minimal`: only what needs them; ' +
          '`text`: all text; `all`: every cell.',
      ),
    output_encoding: z
      .enum(outputEncodings)
      .default('utf-8')
      .describe(
        'Encoding of written files: `utf-8`, `windows-1252` and so on; a letter that it lacks loses its accent ' +
          'or becomes `?`.',
      ),
    conversion_name: textSetting
      .default('Completed visit')
      .describe(
        'Name of a completed visit in the files for advertising platforms: your conversion’s name there.',
      ),
    archive: z
      .enum(['none', 'monthly'])
      .default('none')
      .describe(
        '`monthly`: after each month, keep a copy of every table, and the month itself, under ' +
          'archive/YYYY-MM. Without patient data.',
      ),
    language: z
      .enum(languages)
      .default('en')
      .describe('Language of the month in the archive, as a page and as a workbook.'),
    file_mode: z
      .string()
      .regex(
        /^0?6[046][04]$/,
        'must be a mode the daemon itself can use, such as "0600", "0640" or "0644", in quotation marks',
      )
      .default('0600')
      .describe(
        'Permissions of the files that are written: `"0640"` lets the folder’s group read them, `"0644"` ' +
          'everyone. New folders follow (0700, 0750, 0755).',
      ),
    inbox: textSetting
      .optional()
      .describe(
        'A folder for CSV files and workbooks (.xlsx) with bookings: each row dropped there becomes one. ' +
          'Created when missing.',
      ),
    inbox_clinic: textSetting
      .optional()
      .describe('The clinic of rows without a `clinic` column; needed when several clinics are served.'),
    encoding: z
      .enum(['auto', ...encodings])
      .default('auto')
      .describe(
        'Encoding of dropped files: `auto` reads UTF-8, UTF-16, and the code page of the clinic’s ' +
          'country where only it makes words; else `windows-1250`, `windows-1254`, `macintosh` and so on.',
      ),
    columns: z
      .partialRecord(z.enum(targets), z.union([z.string(), z.array(z.string())]))
      .default({})
      .describe(
        'More header names for the inbox, by field: `{ patient_name: [Nom, Cliente], appointment_date: Jour }`.',
      ),
    date_format: z
      .string()
      .refine(isDateFormat, 'must be made of YYYY, MM and DD with one separator, such as DD/MM/YYYY')
      .optional()
      .describe(
        'How dates are written in the inbox, besides year first: `DD/MM/YYYY`, `MM/DD/YYYY`, `DD.MM.YYYY` and so on.',
      ),
  })
  .refine((settings) => settings.inbox === undefined || settings.inbox !== settings.directory, {
    message: 'must not be the directory the files are written to',
    path: ['inbox'],
  });
export type CsvSettings = z.output<typeof CsvSettings>;

export const fileModeOf = ({ file_mode }: Pick<CsvSettings, 'file_mode'>): number =>
  Number.parseInt(file_mode, 8);
