import { z } from 'zod';
import { statusKeyOf } from '../domain/bookings/status-outcome.ts';
import {
  approval,
  byteSize,
  cronExpression,
  keptFor,
  keyName,
  longerThan,
  secretFile,
  textSetting,
  timeZone,
  webAddress,
  wholeNumber,
} from '../domain/clinics/setting.ts';
import { type HttpConfig, HttpSettings } from './http.ts';
import { Notify, type NotifyConfig } from './notify.ts';

/**
 * The configuration as one schema, from which validation, defaults, the editors' JSON Schema and the documentation test
 * are derived. Keys are snake_case; an unknown key is a fault.
 */

const Schedule = z
  .strictObject({
    organization: cronExpression.default('0 * * * *').describe('The clinic’s profile and figures.'),
    website: cronExpression.default('15 * * * *').describe('Its website, with the opening hours.'),
    treatments: cronExpression.default('*/15 * * * *').describe('Its treatments and their fees.'),
    dentists: cronExpression.default('*/15 * * * *').describe('Its dentists and their fees.'),
    appointments: cronExpression
      .default('* * * * *')
      .describe(
        'How often to look for due appointments; each has its own due time, more often as the visit nears.',
      ),
  })
  .describe('When each resource is read: cron in UTC, with an optional first field for seconds.');

const statusList = z.array(textSetting).default([]);

const Outcomes = z
  .strictObject({
    booked: statusList.describe('The visit is still to come.'),
    completed: statusList.describe('The patient was there: the lead is converted.'),
    cancelled: statusList.describe('The visit was called off.'),
    no_show: statusList.describe('Nobody came.'),
  })
  .superRefine((outcomes, context) => {
    const known = new Map<string, string>();
    for (const [outcome, statuses] of Object.entries(outcomes))
      for (const [index, status] of statuses.entries()) {
        const other = known.get(statusKeyOf(status));
        if (other !== undefined && other !== outcome)
          context.addIssue({
            code: 'custom',
            path: [outcome, index],
            message: `is also listed under ${other}`,
          });
        known.set(statusKeyOf(status), outcome);
      }
  })
  .describe(
    'The meaning of the clinic’s statuses, for reports and conversions. Common words in twelve languages ' +
      'are known; any other counts as `unknown`.',
  );

const Guards = z
  .strictObject({
    removed_percent: z.number().min(0).max(100).default(30).describe('Percentage of the existing rows.'),
    removed_over: wholeNumber(0).default(3).describe('Number of rows; this many may always be removed.'),
    changed_percent: z.number().min(0).max(100).default(60).describe('Percentage of the existing rows.'),
  })
  .describe(
    'An answer that removes more than removed_percent and more than removed_over rows, or changes more than ' +
      'changed_percent, waits for approval, or until all answers for at least an hour agree.',
  );

const BookingRules = z
  .strictObject({
    approval: approval.describe('`required`: every booking waits for a person.'),
    horizon_days: wholeNumber(1, 3650).default(365).describe('Bookings further ahead are held.'),
    reconcile: z
      .enum(['off', 'on_request', 'auto'])
      .default('on_request')
      .describe(
        'Whether to look for bookings with an unknown outcome at the clinic: `off`, `on_request` or `auto`.',
      ),
    max_per_source_per_hour: wholeNumber(1).default(60).describe('More from one connector are held.'),
    max_per_phone_per_day: wholeNumber(1).default(6).describe('More with one phone number are held.'),
    max_text: wholeNumber(2_100, 32_000)
      .default(4_000)
      .describe('Characters of a note that are stored. A longer note is cut, and its booking held.'),
  })
  .describe('Which bookings are held.');

export const ClinicConfig = z.strictObject({
  base_url: webAddress().describe('Base address of the Clinic Practice API; ends in /api/v1.'),
  app_key: textSetting.optional().describe('From the clinic’s settings, under API access.'),
  app_key_file: secretFile('app key'),
  secret_key: textSetting.optional().describe('From the same place.'),
  secret_key_file: secretFile('secret key'),
  timezone: timeZone.describe(
    'The clinic’s wall clock, an IANA name. The API’s dates and times carry no zone, so it is required.',
  ),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter country code such as BD')
    .optional()
    .describe(
      'For phone numbers without a country code; default: the country of the clinic’s own phone number.',
    ),
  schedule: Schedule.prefault({}),
  final_statuses: z
    .array(textSetting)
    .min(1)
    .default(['Completed', 'Cancelled'])
    .describe(
      'Statuses after which an appointment is no longer followed, only read again after ten minutes, an hour ' +
        'and in the evening of the visit. Other words for the same outcome count, too.',
    ),
  outcomes: Outcomes.prefault({}),
  guards: Guards.prefault({}),
  bookings: BookingRules.prefault({}),
});

/** Settings of every connector, besides those of its kind. */
export const CommonConnectorSettings = z.object({
  use: textSetting.describe(
    'The kind of connector: a name from `clinic-sync connectors kinds`, a package or a path.',
  ),
  clinics: z.array(z.string()).optional().describe('Clinics it serves; all unless named.'),
  include: z
    .array(z.enum(['patient', 'hashed_contacts']))
    .default([])
    .describe(
      '`patient`: names, phones, addresses and notes. `hashed_contacts`: SHA-256 of the phone numbers of ' +
        'converted leads, for the platform whose ad they clicked.',
    ),
  approval: approval.describe('`required`: every booking from it waits for a person.'),
  isolate: z
    .boolean()
    .default(false)
    .describe(
      'Run it in its own process, without our keys; for third-party connectors (connectors/README.md).',
    ),
  on: textSetting
    .optional()
    .describe(
      'With several daemons, the only host that runs it, as `clinic-sync fleet` names it: for a folder on ' +
        'that machine. While that host is away, it does not run.',
    ),
});

const Backup = z
  .strictObject({
    directory: textSetting.describe(
      'Best on another volume. It is created if only the last part of its path is missing.',
    ),
    every: longerThan('15m')
      .default('1d')
      .describe('How often; a failed one is tried again within the hour.'),
    keep: wholeNumber(1, 1_000).default(14).describe('How many stay; older ones that it made are removed.'),
  })
  .describe(
    'Verified copies of the database file that the daemon makes by itself (docs/backup-and-restore.md). A ' +
      'PostgreSQL database is backed up with pg_dump instead.',
  );

const Retention = z
  .strictObject({
    bookings: keptFor(30)
      .optional()
      .describe(
        'Settled bookings and appointments, since they last changed; never before their date is over.',
      ),
    dropped: keptFor(1).optional().describe('Bookings that a person dropped, where that is shorter.'),
    changes: keptFor(30)
      .optional()
      .describe('The change log; of older figures of the organization one a month stays.'),
    inbox: keptFor(1)
      .optional()
      .describe('Files in the done and results folders of a CSV inbox, since they were taken.'),
  })
  .describe(
    'How long data is kept (d, w, mo, y); data whose setting is left out is kept forever. Nothing that is ' +
      'open is ever removed, and what was removed stays counted (docs/privacy.md).',
  );

export const ConfigFile = z.strictObject({
  version: z.literal(1).describe('Version of this format.'),
  clinics: z
    .record(keyName(32), ClinicConfig)
    .refine((all) => Object.keys(all).length > 0, 'needs at least one clinic')
    .describe('One entry per clinic. Its key (main) appears in every row, event and file.'),
  connectors: z
    .record(keyName(48), CommonConnectorSettings.loose())
    .default({})
    .describe('Where data goes, and where bookings come from.'),
  store: z
    .strictObject({
      sqlite: textSetting.default('/data/clinic-sync.db').describe('The database, one file.'),
      postgres: textSetting
        .optional()
        .describe(
          'Instead of the file: a database on a PostgreSQL server (15 or newer), ' +
            'postgres://USER:PASSWORD@HOST:5432/NAME?sslmode=verify-full.',
        ),
      postgres_file: textSetting.optional().describe('File that holds this address.'),
      min_free: byteSize
        .default('200MB')
        .describe(
          'With less free space on its disk no new lead is taken, so that accepted ones can still be booked; ' +
            '0B: no limit.',
        ),
    })
    .prefault({}),
  http: HttpSettings.prefault({}),
  notify: Notify.prefault({}),
  probe: z
    .union([z.literal('off'), cronExpression])
    .default('20 3 * * *')
    .describe(
      'When to test each form with a fictitious lead that is checked like any other but never stored or ' +
        'sent: cron in UTC; `off`: never.',
    ),
  backup: Backup.optional(),
  retention: Retention.prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error'])
        .default('info')
        .describe('`debug`, `info`, `warn` or `error`.'),
    })
    .prefault({}),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

/** One clinic with its secrets resolved. */
export interface ClinicSettings
  extends Omit<z.infer<typeof ClinicConfig>, 'app_key' | 'app_key_file' | 'secret_key' | 'secret_key_file'> {
  key: string;
  app_key: string;
  secret_key: string;
  /** The files that the keys come from, if any: they may be replaced while the daemon runs. */
  keyFiles?: { app_key?: string | undefined; secret_key?: string | undefined };
}

/** One connector: the common settings split from those of its kind (validated by the kind's own schema). */
export interface ConnectorSettings {
  name: string;
  use: string;
  clinics: string[];
  includePatient: boolean;
  includeHashed?: boolean;
  approval: z.infer<typeof approval>;
  /** In a separate process: its settings are passed on unchecked, and only that process loads its code. */
  isolate: boolean;
  /** The only host whose daemon may run it. */
  on?: string | undefined;
  settings: unknown;
  /** Hosts whose scripts its pages run. */
  scriptHosts?: readonly string[] | undefined;
  /** Where nothing says for which of several clinics a lead is: what to set. */
  clinicHint?: string | undefined;
  /** True when its secrets are missing: its settings are as written, and it cannot be built. */
  incomplete?: boolean;
}

/** What the daemon is built from: complete, valid and with secrets, so never log it. */
export interface Config {
  /** A path or "environment", for messages. */
  origin: string;
  /** Every file that a `…_file` setting names; they hold secrets. */
  secretFiles: string[];
  clinics: ClinicSettings[];
  connectors: ConnectorSettings[];
  /** `min_free` in bytes. */
  store: {
    sqlite: string;
    postgres?: string;
    /** The file that the address came from. */
    postgres_file?: string | undefined;
    min_free: number;
  };
  http: HttpConfig;
  notify: NotifyConfig;
  /** When forms are probed; undefined: never. */
  probe?: string | undefined;
  /** `every` in milliseconds. Undefined: no backups by itself. */
  backup?: { directory: string; every: number; keep: number } | undefined;
  /** How long data is kept, in milliseconds; undefined: for ever. */
  retention: { [K in keyof z.infer<typeof Retention>]?: number | undefined };
  log: ConfigFile['log'];
}
