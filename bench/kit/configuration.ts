import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/clinic/clinic.ts';

interface Configured {
  sandbox: Pick<Sandbox, 'url' | 'credentials'>;
  /** Lines of YAML, each one connector. */
  connectors: readonly string[];
  http?: string;
  /** Every resource is polled every second. */
  everySecond?: boolean;
  /** How many clinics, all of them this one; the only one is `main`, else they are `clinic-1`, `clinic-2` … */
  clinics?: number;
  /** Instead of a file beside it. */
  postgres?: string;
}

const schedule = ['organization', 'website', 'treatments', 'dentists', 'appointments']
  .map((poll) => `${poll}: "* * * * * *"`)
  .join(', ');

/** Writes a configuration with its database beside it. Returns its path. */
export function writeConfiguration(
  folder: string,
  {
    sandbox,
    connectors,
    http = '{ listen: 127.0.0.1:0 }',
    everySecond = false,
    clinics = 1,
    postgres,
  }: Configured,
): string {
  const file = join(folder, 'clinic-sync.yaml');
  const { app_key, secret_key } = sandbox.credentials;
  const names = Array.from({ length: clinics }, (_, index) =>
    clinics === 1 ? 'main' : `clinic-${index + 1}`,
  );
  const clinic = (name: string) => `  ${name}:
    base_url: ${sandbox.url}
    app_key: ${app_key}
    secret_key: ${secret_key}
    timezone: Asia/Dhaka
    bookings: { max_per_source_per_hour: 100000 }${
      everySecond
        ? `
    schedule: { ${schedule} }`
        : ''
    }`;
  writeFileSync(
    file,
    `version: 1
clinics:
${names.map(clinic).join('\n')}
connectors:
${connectors.map((line) => `  ${line}`).join('\n')}
store: ${postgres === undefined ? `{ sqlite: ${folder}/clinic-sync.db }` : `{ postgres: "${postgres}" }`}
http: ${http}
`,
  );
  return file;
}
