import { existsSync } from 'node:fs';
import type { ConfigFault } from './faults.ts';
import { httpVariables } from './http.ts';
import { secretReader } from './secrets.ts';

const DATABASE = 'CLINIC_SYNC_DATABASE_URL';
const REQUIRED = ['CLINIC_BASE_URL', 'CLINIC_APP_KEY', 'CLINIC_SECRET_KEY', 'CLINIC_TIMEZONE'] as const;

/** Variables to name in a fault, for users without a configuration file. */
const variables: Readonly<Record<string, string>> = {
  'clinics.main.base_url': 'CLINIC_BASE_URL',
  'clinics.main.app_key': 'CLINIC_APP_KEY',
  'clinics.main.app_key_file': 'CLINIC_APP_KEY_FILE',
  'clinics.main.secret_key': 'CLINIC_SECRET_KEY',
  'clinics.main.secret_key_file': 'CLINIC_SECRET_KEY_FILE',
  'clinics.main.timezone': 'CLINIC_TIMEZONE',
  'store.postgres': DATABASE,
  'store.postgres_file': `${DATABASE}_FILE`,
  ...Object.fromEntries(
    Object.entries(httpVariables).map(([setting, variable]) => [`http.${setting}`, variable]),
  ),
};

const NO_CONFIGURATION: ConfigFault = {
  path: '(file)',
  message: 'is missing: there is no clinic-sync.yaml here, in /config or in /etc/clinic-sync',
  hint:
    'Write one with `clinic-sync config init`, which asks five things, or name it with --config. ' +
    `Without a file: ${REQUIRED.join(', ')}. To try it out: clinic-sync demo`,
};

interface FromEnvironment {
  value: unknown;
  faults: ConfigFault[];
  /** Variables by the path of the setting they hold. */
  variables: Readonly<Record<string, string>>;
}

/**
 * Without a file, four variables make one clinic `main` with a `csv` connector. Each may be given as `…_FILE` instead.
 * The database and the CSV files go to /data, or to ./data where that does not exist.
 */
export function environmentConfig(environment: NodeJS.ProcessEnv): FromEnvironment {
  const has = (name: string) => Boolean(environment[name]);
  const missing = REQUIRED.filter((name) => !has(name) && !has(`${name}_FILE`)).map((name) => ({
    path: name,
    message: 'is not set, and there is no configuration file',
    hint: `Set ${name} or ${name}_FILE, or write a file with \`clinic-sync config init\`.`,
  }));
  // Nothing points to the environment: whoever starts it for the first time needs one sentence.
  const isAnySet = Object.values(variables).some((name) => has(name) || has(`${name}_FILE`));
  if (!isAnySet) return { value: undefined, faults: [NO_CONFIGURATION], variables };
  const problems: ConfigFault[] = [...missing];

  const read = secretReader((path, message, hint) => problems.push({ path: path.join('.'), message, hint }));
  const text = (name: string) =>
    has(name) || has(`${name}_FILE`)
      ? read([name], environment[name] || undefined, environment[`${name}_FILE`] || undefined)
      : undefined;
  const data = existsSync('/data') ? '/data' : './data';
  const pick = (key: string, name: string) => ({
    ...(has(name) && { [key]: environment[name] }),
    ...(has(`${name}_FILE`) && { [`${key}_file`]: environment[`${name}_FILE`] }),
  });
  const onServer = has(DATABASE) || has(`${DATABASE}_FILE`);
  const value = {
    version: 1,
    clinics: {
      main: {
        base_url: text('CLINIC_BASE_URL'),
        ...pick('app_key', 'CLINIC_APP_KEY'),
        ...pick('secret_key', 'CLINIC_SECRET_KEY'),
        timezone: text('CLINIC_TIMEZONE'),
      },
    },
    connectors: { csv: { use: 'csv', directory: `${data}/csv` } },
    store: onServer ? pick('postgres', DATABASE) : { sqlite: `${data}/clinic-sync.db` },
  };
  return { value, faults: problems, variables };
}
