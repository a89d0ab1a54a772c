import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findKind, kindNames } from '../connectors/registry.ts';
import { CommonConnectorSettings } from '../src/config/config.ts';
import { configSchema } from '../src/config/json-schema.ts';
import {
  comment,
  commentedOut,
  exampleOf,
  fillLists,
  type Sample,
  type Setting,
  settingAt,
} from './settings-text.ts';

const SCHEMA = 'config/clinic-sync.schema.json';
const EXAMPLE = 'config/clinic-sync.example.yaml';
const PAGES = [
  'connectors/README.md',
  'docs/notifications.md',
  ...kindNames.map((name) => `connectors/${name}/README.md`),
  'connectors/web-form/docs/html-form.md',
];

const HEAD = `# yaml-language-server: $schema=./clinic-sync.schema.json
#
# clinic-sync: every setting there is, with its default. What is commented out is optional.
# Check it with: clinic-sync config check, then try it with: clinic-sync doctor
# Editors complete it with the schema beside it: clinic-sync config schema > clinic-sync.schema.json
#
# Paths that begin with ./ start where clinic-sync is started; outside of a container write ./data instead of /data.
# \${NAME} is replaced by the environment variable NAME, \${NAME:-text} by text when it is not set, $$ is a dollar sign.`;

const set = (value: string): Sample => ({ value });
const optional = (value: string): Sample => ({ value, commented: true });

/** Samples for settings without a default, or where a beginner needs another value. */
const samples: Record<string, Sample> = {
  version: set('1'),
  'clinics.main.base_url': set('https://clinic.example/api/v1'),
  'clinics.main.app_key': set(`\${CLINIC_APP_KEY:-paste-the-app-key}`),
  'clinics.main.app_key_file': optional('/run/secrets/app_key'),
  'clinics.main.secret_key': set(`\${CLINIC_SECRET_KEY:-paste-the-secret-key}`),
  'clinics.main.secret_key_file': optional('/run/secrets/secret_key'),
  'clinics.main.timezone': set('Asia/Dhaka'),
  'clinics.main.country': optional('BD'),
  'backup.directory': set('/data/backups'),
  'connectors.reports.clinics': optional('[main]'),
  'connectors.reports.isolate': optional('true'),
  'connectors.reports.on': optional('clinic-sync-1'),
  'connectors.reports.directory': set('/data/csv'),
  'connectors.reports.inbox': optional('/data/inbox'),
  'connectors.reports.inbox_clinic': optional('main'),
  'connectors.reports.columns': optional('{ patient_name: [Nom, Cliente] }'),
  'connectors.reports.date_format': optional('DD/MM/YYYY'),
  'connectors.crm.url': set('https://crm.example/hooks/clinic'),
  'connectors.crm.secret': set(`\${CRM_SECRET}`),
  'connectors.crm.secret_file': optional('/run/secrets/crm_secret'),
  'connectors.crm.events': set('["appointment.*", "booking.*"]'),
  'connectors.crm.where': optional('{ status: [Completed, Cancelled] }'),
  'connectors.crm.headers': optional('{ X-Api-Key: "…" }'),
  'connectors.crm.rate': optional('10'),
  'connectors.accounts.spreadsheet': set('https://docs.google.com/spreadsheets/d/…/edit'),
  'connectors.accounts.credentials_file': set('/run/secrets/google.json'),
  'connectors.accounts.credentials': optional(`\${GOOGLE_CREDENTIALS}`),
  'connectors.accounts.oauth_client_file': optional('/etc/clinic-sync/oauth-client.json'),
  'connectors.accounts.adopt': optional('name-of-the-other-installation'),
  'connectors.accounts.api_url': optional('https://sheets.googleapis.com/'),
  'connectors.website.token': set(`\${FORM_TOKEN}`),
  'connectors.website.token_file': optional('/run/secrets/form_token'),
  'connectors.website.secret': optional(`\${FORM_SECRET}`),
  'connectors.website.secret_file': optional('/run/secrets/form_secret'),
  'connectors.website.origins': optional('[https://clinic.example]'),
  'connectors.website.thanks': optional('https://clinic.example/thank-you?ref={ref}'),
  'connectors.website.fields': optional(
    '{ patient_name: "{{First name}} {{Last name}}", appointment_date: { from: Day, format: DD/MM/YYYY } }',
  ),
  'connectors.website.form.days_ahead': optional('90'),
  'connectors.website.form.captcha': optional('{ use: turnstile, site_key: 0x4AAAAAAA… }'),
  'connectors.website.form.consent': optional('{ link: "https://clinic.example/privacy" }'),
  'connectors.website.form.look': optional(
    '{ logo: "https://clinic.example/logo.svg", colours: { button: "#0b6e6e" } }',
  ),
  'connectors.website.form.languages': optional('[en, de, fr]'),
  'connectors.website.form.dir': optional('rtl'),
  'connectors.website.form.texts': optional('{ title: "Book at {clinic}" }'),
  'http.listen': optional('127.0.0.1:8080'),
  'http.public_url': optional('https://ops.clinic.example/clinic-sync'),
  'store.postgres': optional('postgres://clinic_sync@db.internal/clinic_sync'),
  'store.postgres_file': optional('/run/secrets/database_url'),
  'http.allowed_hosts': optional('[clinic-sync.internal]'),
  'http.status': optional('signed_in'),
  'http.admin_token': set(`\${ADMIN_TOKEN:-}`),
  'http.admin_token_file': optional('/run/secrets/admin_token'),
  'http.users': optional(
    '[{ name: Rima, role: desk, token_file: /run/secrets/rima }, { name: ' +
      `prometheus, role: viewer, token: "\${METRICS_TOKEN}" }]`,
  ),
  'http.oidc': optional(
    '{ issuer: https://login.clinic.example, client_id: clinic-sync, client_secret_file: /run/secrets/oidc, ' +
      'role_claim: groups, roles: { front-desk: desk } }',
  ),
  'http.sign_in_header': optional('{ name: Remote-User, from: [10.0.0.0/8], role: desk }'),
  notify: optional(`
#   # The desk hears of what waits for a person; urgent things also in quiet hours.
#   desk:
#     use: slack
#     url_file: /run/secrets/slack_url
#     on: [needs_you]
#     remind: 30m
#     quiet: "20:00-07:00"
#     # Names and phones in messages about bookings.
#     include: [patient]
#     # Language of its messages; times are the clinic’s.
#     language: en
#     # How long links work that approve, drop or confirm a booking without signing in; off: none.
#     links: 24h
#     # Still there after a while? Then another target hears of it, too.
#     escalate: { to: phone, after: 30m }
#   it:
#     use: email
#     smtp: smtps://USER:PASSWORD@mail.clinic.example
#     # smtp_file: /run/secrets/smtp
#     # Or the server by its parts, and a sign-in by token where the provider asks for one:
#     # host: mail.clinic.example
#     # port: 587
#     # user: sync@clinic.example
#     # password: PASSWORD            # or password_file: /run/secrets/mail_password
#     # oauth:
#     #   token_url: https://login.microsoftonline.com/TENANT/oauth2/v2.0/token
#     #   client_id: 11111111-2222-3333-4444-555555555555
#     #   client_secret: SECRET       # or client_secret_file: /run/secrets/client_secret
#     #   refresh_token: TOKEN        # or refresh_token_file: /run/secrets/refresh_token
#     #   scope: https://outlook.office.com/SMTP.Send offline_access
#     # tls: auto                     # auto, required, off
#     # ca_file: /etc/ssl/own-ca.pem
#     # hello: sync.clinic.example    # our name in the greeting
#     from: clinic-sync@clinic.example
#     to: [it@clinic.example]
#     on: [trouble, recovered, guard, paused, disk, silence]
#   phone: { use: ntfy, url: "https://ntfy.sh/OUR-TOPIC", token_file: /run/secrets/ntfy, clinics: [main] }
#   team: { use: teams, url_file: /run/secrets/teams_url }
#   group: { use: telegram, token: "123456:ABC…", chat: "-1001234567890", thread: 15 }
#   server: { use: discord, url_file: /run/secrets/discord_url }
#   push: { use: gotify, url: "https://gotify.clinic.example", token_file: /run/secrets/gotify }
#   all: { use: apprise, url_file: /run/secrets/apprise_url }
#   own: { use: webhook, url: "https://ops.example/hook", secret_file: /run/secrets/hook, allow_networks: [10.0.0.0/8] }
#   other: { use: webhook, url: "https://ops.example/other", secret: "whsec_…" }
#   # Pinged only while health is ok; what expects it tells when it stops.
#   # Requested once when health turns: fail, or fail_file: /run/secrets/fail.
#   heartbeat: { url: "https://hc-ping.com/…", every: 5m, fail: "https://hc-ping.com/…/fail" }`),
  'retention.bookings': set('3y'),
  'retention.dropped': set('30d'),
  'retention.changes': set('3y'),
  'retention.inbox': set('90d'),
};

/** Connectors of the example file: the name, and whether it is active. */
const connectors: Record<string, { name: string; on?: true }> = {
  csv: { name: 'reports', on: true },
  webhook: { name: 'crm' },
  'google-sheets': { name: 'accounts' },
  'web-form': { name: 'website' },
};

const kindsIn = (schema: Setting): Setting[] => settingAt(schema, 'connectors.*').anyOf ?? [];

const without = (properties: Record<string, Setting>, common: Setting): Record<string, Setting> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in (common.properties ?? {}))));

/** One connector of the example; the first one also shows the common settings. */
function connectorExample(kind: Setting, common: Setting): string[] {
  const { title = '', description = '', properties = {} } = kind;
  const { name, on } = connectors[title] ?? { name: title };
  const { use: _use, ...all } = properties;
  const own = without(all, common);
  const shown = on ? { ...own, ...all } : own;
  const path = `connectors.${name}`;
  const lines = [`  ${name}:`, `    use: ${title}`, ...exampleOf({ properties: shown }, path, samples)];
  const about = comment(`${description} See connectors/${title}/README.md.`, '  ');
  return ['', ...about, ...(on ? lines : commentedOut(lines, 1))];
}

function example(schema: Setting, common: Setting): string {
  const { version = {}, clinics, connectors: wanted, ...rest } = schema.properties ?? {};
  const clinic = settingAt(schema, 'clinics.*');
  const lines = [
    HEAD,
    ...exampleOf({ properties: { version } }, '', samples).slice(-1),
    '',
    `# ${clinics?.description}`,
    'clinics:',
    '  main:',
    ...exampleOf(clinic, 'clinics.main', samples),
    '',
    `# ${wanted?.description}`,
    'connectors:',
    ...kindsIn(schema)
      .filter(({ title = '' }) => connectors[title])
      .flatMap((kind) => connectorExample(kind, common)),
    ...Object.entries(rest).flatMap(([name, setting]) => [
      '',
      ...exampleOf({ properties: { [name]: setting } }, '', samples),
    ]),
  ];
  return `${lines.join('\n').replace('connectors:\n\n', 'connectors:\n')}\n`;
}

/** The settings of each notification target kind, and those that all share. */
function targets(schema: Setting): [string, Setting][] {
  const kinds = settingAt(schema, 'notify.*').anyOf ?? [];
  const [first = {}] = kinds;
  const shared = Object.entries(first.properties ?? {}).filter(
    ([name]) => name !== 'use' && kinds.every(({ properties = {} }) => name in properties),
  );
  const common = { properties: Object.fromEntries(shared) };
  return [
    ['target', common],
    ...kinds.map(
      ({ title = '', properties: { use: _use, ...all } = {}, required = [] }): [string, Setting] => [
        `target-${title}`,
        { required, properties: without(all, common) },
      ],
    ),
  ];
}

/** Every file generated from the schema, in full. */
export async function pagesFromSchema(): Promise<[file: string, text: string][]> {
  const kinds = await Promise.all(kindNames.map((name) => findKind(name)));
  const json = configSchema(kinds.filter((kind) => kind !== undefined));
  const schema = json as Setting;
  const common = z.toJSONSchema(CommonConnectorSettings, { io: 'input' }) as Setting;
  const own = kindsIn(schema).map(({ title = '', properties = {}, required = [] }) => [
    title,
    { required, properties: without(properties, common) },
  ]);
  const lists = {
    properties: {
      ...schema.properties,
      connector: common,
      ...Object.fromEntries([...own, ...targets(schema)]),
    },
  };
  return [
    [SCHEMA, `${JSON.stringify(json, null, 2)}\n`],
    [EXAMPLE, example(schema, common)],
    ...PAGES.map((page): [string, string] => [page, fillLists(readFileSync(page, 'utf8'), lists)]),
  ];
}
