import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** The keys of `clinic-sync sandbox` unless others are given: it holds nobody's data and answers this machine alone. */
export const sandboxKeys = { app_key: 'app_sandbox', secret_key: 'secret_sandbox' };
export const SANDBOX_URL = 'http://127.0.0.1:8090/api/v1';

export const intakeKinds = ['form', 'post', 'files', 'none'] as const;
export type IntakeKind = (typeof intakeKinds)[number];

/** What `config init` asks, or its defaults. */
export interface StarterAnswers {
  base_url: string;
  app_key: GivenSecret;
  secret_key: GivenSecret;
  timezone: string;
  intake: IntakeKind;
  /** Undefined: nobody signs in. */
  person?: string | undefined;
  /** Undefined: nobody is told by mail. */
  mail?: { to: string; smtp: GivenSecret } | undefined;
}

/** The secret itself, or the path of a file that has it. */
export type GivenSecret = { text: string } | { file: string };

/** Where the database and the files go: a container has `/data`. */
export const dataFolder = (): string => (existsSync('/data') ? '/data' : './data');

interface Place {
  /** Of the configuration. */
  file: string;
  data: string;
}

/** The configuration, the secrets that belong into files beside it (path → content), and the file to sign in with. */
export function starterOf(
  answers: StarterAnswers,
  { file, data }: Place,
): { text: string; secrets: Map<string, string>; signsIn?: string | undefined } {
  const secrets = new Map<string, string>();
  const secret = (setting: string, name: string, given: GivenSecret = { text: newToken() }) => {
    const path = 'file' in given ? given.file : beside(file, join('secrets', name));
    if ('text' in given) secrets.set(path, given.text);
    return `${setting}_file: ${quoted(path)}`;
  };
  const { base_url, app_key, secret_key, timezone, intake, person, mail } = answers;
  const isOpen = 'text' in app_key && (app_key.text === sandboxKeys.app_key || app_key.text === LEFT.app_key);
  const key = (name: 'app_key' | 'secret_key', given: GivenSecret) =>
    isOpen && 'text' in given ? `${name}: ${given.text}` : secret(name, name, given);
  const signIn = (name: string) => [
    'http:',
    ...(name === ADMIN_NAME
      ? [`  ${secret('admin_token', ADMIN_NAME)}`]
      : ['  users:', `    - { name: ${quoted(name)}, role: admin, ${secret('token', fileName(name))} }`]),
  ];
  const lines = [
    `# yaml-language-server: $schema=./${SCHEMA_FILE}`,
    '# Every setting: clinic-sync config init --all FILE',
    'version: 1',
    'clinics:',
    '  main:                        # appears in every row, event and file',
    `    base_url: ${quoted(base_url)}`,
    `    ${key('app_key', app_key)}`,
    `    ${key('secret_key', secret_key)}`,
    `    timezone: ${timezone}   # the clinic’s wall clock`,
    'connectors:',
    '  reports:                     # files for accounting',
    '    use: csv',
    `    directory: ${data}/csv`,
    ...(intake === 'files' ? [`    inbox: ${data}/inbox           # drop a file with bookings here`] : []),
    ...(intake === 'form'
      ? [
          '  website:                     # the form at /in/website/form',
          '    use: web-form',
          '    preset: html-form',
          `    ${secret('token', 'website')}`,
        ]
      : []),
    ...(intake === 'post'
      ? [
          '  website:                     # your form or tool sends to /in/website',
          '    use: web-form',
          `    ${secret('token', 'website')}`,
        ]
      : []),
    'store:',
    `  sqlite: ${data}/clinic-sync.db`,
    `backup: { directory: ${data}/backups }   # better on another volume`,
    ...(person === undefined ? [] : signIn(person)),
    ...(mail === undefined
      ? []
      : [
          'notify:',
          '  it:',
          '    use: email',
          `    ${secret('smtp', 'smtp', mail.smtp)}`,
          `    from: ${quoted(mail.to)}`,
          `    to: [${quoted(mail.to)}]`,
          '    on: [needs_you, trouble, recovered, disk, silence]',
        ]),
  ];
  const signsIn = person === undefined ? undefined : beside(file, join('secrets', fileName(person)));
  return { text: `${lines.join('\n')}\n`, secrets, signsIn };
}

/** Who signs in with `admin_token`. */
export const ADMIN_NAME = 'admin';
/** What is still to be filled in; `config check` names it. */
export const LEFT = { app_key: 'paste-the-app-key', secret_key: 'paste-the-secret-key' };
export const SCHEMA_FILE = 'clinic-sync.schema.json';

const newToken = (): string => randomBytes(16).toString('hex');
const fileName = (person: string): string => person.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'person';
const quoted = (text: string): string =>
  /^[\w./@:-]+$/.test(text) && !/:$/.test(text) ? text : JSON.stringify(text);

/** As a setting names it: from the folder that clinic-sync is started in. */
function beside(file: string, name: string): string {
  const path = join(dirname(file), name);
  return isAbsolute(path) ? path : `./${path}`;
}

/** Private, and never over another. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
}
