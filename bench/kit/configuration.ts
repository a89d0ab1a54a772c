import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/clinic/clinic.ts';

interface Configured {
  sandbox: Pick<Sandbox, 'url' | 'credentials'>;
  /** Lines of YAML, one connector each. */
  connectors: readonly string[];
  http?: string;
  /** What is polled every second. */
  everySecond?: readonly string[];
  /** Number of clinics, all at one address. A single one is `main`, several are `clinic-1`, `clinic-2` and so on. */
  clinics?: number;
  /** Address of a server, used instead of a database file. */
  postgres?: string;
}

export const everyPoll = ['organization', 'website', 'treatments', 'dentists', 'appointments'];

/** Writes a configuration with its database beside it and returns its path. */
export function writeConfiguration(
  folder: string,
  {
    sandbox,
    connectors,
    http = '{ listen: 127.0.0.1:0 }',
    everySecond = [],
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
      everySecond.length === 0
        ? ''
        : `
    schedule: { ${everySecond.map((poll) => `${poll}: "* * * * * *"`).join(', ')} }`
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
