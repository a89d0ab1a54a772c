import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { weaknessOf } from '../domain/clinics/setting.ts';

/** Secrets that the demo creates once and stores in its folder, so that it can be restarted. */
export interface DemoSecrets {
  app_key: string;
  secret_key: string;
  webhook_secret: string;
  form_token: string;
  admin_token: string;
}

export function demoSecrets(folder: string): DemoSecrets {
  const file = join(folder, 'secrets.yaml');
  const secret = (bytes: number) => randomBytes(bytes).toString('hex');
  if (existsSync(file)) {
    const kept = parse(readFileSync(file, 'utf8')) as DemoSecrets;
    // Earlier versions created tokens that are now refused.
    return weaknessOf(kept.admin_token) === undefined ? kept : { ...kept, admin_token: secret(16) };
  }
  const secrets: DemoSecrets = {
    app_key: `app_${secret(8)}`,
    secret_key: `secret_${secret(16)}`,
    webhook_secret: `whsec_${randomBytes(24).toString('base64')}`,
    form_token: secret(16),
    admin_token: secret(16),
  };
  writeFileSync(file, stringify(secrets), { mode: 0o600 });
  return secrets;
}

interface DemoPlaces {
  folder: string;
  baseUrl: string;
  hookUrl: string;
  sheet: { apiUrl: string; spreadsheetId: string; keyFile: string };
  port: number;
  secrets: DemoSecrets;
}

/** A normal configuration with schedules of seconds, written to the folder for people to read and change. */
export function demoConfig({ folder, baseUrl, hookUrl, sheet, port, secrets }: DemoPlaces): string {
  const config = {
    version: 1,
    clinics: {
      main: {
        base_url: baseUrl,
        app_key: secrets.app_key,
        secret_key: secrets.secret_key,
        timezone: 'Asia/Dhaka',
        schedule: {
          organization: '*/15 * * * * *',
          website: '*/30 * * * * *',
          treatments: '*/5 * * * * *',
          dentists: '*/15 * * * * *',
          appointments: '*/2 * * * * *',
        },
      },
    },
    connectors: {
      reports: { use: 'csv', directory: join(folder, 'csv') },
      crm: { use: 'webhook', url: hookUrl, secret: secrets.webhook_secret, allow_networks: ['127.0.0.0/8'] },
      accounts: {
        use: 'google-sheets',
        spreadsheet: sheet.spreadsheetId,
        credentials_file: sheet.keyFile,
        api_url: sheet.apiUrl,
        tabs: ['treatments', 'dentists', 'clinic', 'fee_history', 'statistics', 'bookings', 'sync'],
      },
      website: { use: 'web-form', preset: 'html-form', token: secrets.form_token },
      api: { use: 'web-form', preset: 'native', token: secrets.form_token },
    },
    store: { sqlite: join(folder, 'clinic-sync.db') },
    http: { listen: `127.0.0.1:${port}`, admin_token: secrets.admin_token },
  };
  return (
    '# Written by `clinic-sync demo` at each start. While it runs, try:\n#   clinic-sync ' +
    `status --config ${join(folder, 'clinic-sync.yaml')}\n${stringify(config)}`
  );
}
