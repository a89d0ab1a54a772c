import { z } from 'zod';
import { textSetting } from '../../src/domain/clinics/setting.ts';
import { languages } from '../../src/texts/texts.ts';

/** The tabs of a spreadsheet. */
export const tabKeys = [
  'overview',
  'treatments',
  'dentists',
  'clinic',
  'fee_history',
  'price_list',
  'statistics',
  'leads',
  'appointments',
  'bookings',
  'sync',
] as const;
export type TabKey = (typeof tabKeys)[number];

const idInAddress = /\/spreadsheets\/d\/([A-Za-z0-9_-]+)/;

export const GoogleSheetsSettings = z
  .strictObject({
    spreadsheet: z
      .string()
      .transform((given) => idInAddress.exec(given)?.[1] ?? given.trim())
      .refine((id) => /^[A-Za-z0-9_-]{10,}$/.test(id), 'must be the spreadsheet’s address or its id')
      .describe('The spreadsheet: its address as the browser shows it, or the id in it.'),
    credentials_file: textSetting
      .optional()
      .describe(
        'File with the key of the service account (the JSON file from Google), or with a person’s sign-in. ' +
          'Required, unless `credentials` or `application_default` is given.',
      ),
    oauth_client_file: textSetting
      .optional()
      .describe(
        'To sign in as a person: the JSON of an OAuth client (Desktop app). `clinic-sync connectors login ' +
          'NAME` keeps the sign-in in `credentials_file`.',
      ),
    application_default: z
      .boolean()
      .default(false)
      .describe(
        'Sign in with the Application Default Credentials of the machine: an identity from Google Cloud, ' +
          'gcloud, or GOOGLE_APPLICATION_CREDENTIALS.',
      ),
    credentials: textSetting.optional().describe('The same JSON as text, from an environment variable.'),
    tabs: z
      .array(z.enum(tabKeys))
      .min(1)
      .default(['overview', 'treatments', 'dentists', 'clinic', 'fee_history', 'statistics', 'sync'])
      .describe(
        'The tabs to keep; also `price_list`, `leads`, `bookings` (takes bookings in) and `appointments`.',
      ),
    language: z
      .enum(languages)
      .default('en')
      .describe('Of the headings, of what stands before figures, and of the titles of new tabs.'),
    on_remove: z
      .enum(['mark', 'delete'])
      .default('mark')
      .describe(
        'Rows of things the clinic removed: `mark` sets their State to Removed; `delete` deletes them, ' +
          'unless people have written beside them.',
      ),
    on_drift: z
      .enum(['heal', 'report'])
      .default('heal')
      .describe(
        'A cell kept by clinic-sync that a person changed: `heal` writes it back, `report` only reports it.',
      ),
    adopt: textSetting
      .optional()
      .describe('Take over a spreadsheet that another installation owns: its name, as the refusal shows it.'),
    api_url: z
      .url()
      .default('https://sheets.googleapis.com/')
      .describe('Address of the API; changed only for tests and the demo.'),
  })
  .refine(
    ({ credentials_file, credentials, application_default }) =>
      [credentials_file, credentials, application_default || undefined].filter((one) => one !== undefined)
        .length === 1,
    {
      message: 'needs one of credentials_file, credentials and application_default',
      path: ['credentials_file'],
    },
  )
  .refine((settings) => settings.oauth_client_file === undefined || settings.credentials_file !== undefined, {
    message: 'needs credentials_file, where the sign-in is stored',
    path: ['oauth_client_file'],
  });
export type GoogleSheetsSettings = z.output<typeof GoogleSheetsSettings>;
