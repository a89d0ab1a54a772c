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
}

const schedule = ['organization', 'website', 'treatments', 'dentists', 'appointments']
  .map((poll) => `${poll}: "* * * * * *"`)
  .join(', ');

/** Writes the configuration of one clinic, with its database beside it. Resolves to its path. */
export function writeConfiguration(
  folder: string,
  { sandbox, connectors, http = '{ listen: 127.0.0.1:0 }', everySecond = false }: Configured,
): string {
  const file = join(folder, 'clinic-sync.yaml');
  const { app_key, secret_key } = sandbox.credentials;
  writeFileSync(
    file,
    `version: 1
clinics:
  main:
    base_url: ${sandbox.url}
    app_key: ${app_key}
    secret_key: ${secret_key}
    timezone: Asia/Dhaka
    bookings: { max_per_source_per_hour: 100000 }${
      everySecond
        ? `
    schedule: { ${schedule} }`
        : ''
    }
connectors:
${connectors.map((line) => `  ${line}`).join('\n')}
store: { sqlite: ${folder}/clinic-sync.db }
http: ${http}
`,
  );
  return file;
}
