import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import { configSchema } from '../../config/json-schema.ts';
import { fromText } from '../../config/load.ts';
import { mailAddressOf } from '../../config/mail.ts';
import { timeZone, webAddress } from '../../domain/clinics/setting.ts';
import { asFailure } from '../../platform/failure.ts';
import { command, flagArgument } from '../command.ts';
import { faultsText, usableKinds } from '../configuration.ts';
import { Exit, exit, failureText, type Io, print } from '../io.ts';
import { packageFolder } from '../package.ts';
import {
  ADMIN_NAME,
  dataFolder,
  type GivenSecret,
  type IntakeKind,
  intakeKinds,
  LEFT,
  SANDBOX_URL,
  SCHEMA_FILE,
  type StarterAnswers,
  sandboxKeys,
  starterOf,
  writePrivate,
} from '../starter.ts';
import { inMemory, openParts } from '../with-app.ts';

export const init = command({
  name: 'init [file]',
  describe: 'Write a configuration: at a terminal it asks five things and tries the keys',
  args: {
    file: { type: 'string', default: './clinic-sync.yaml', describe: 'Where to write it' },
    all: flagArgument('Every setting, commented, to be filled in'),
  },
  examples: { 'config init': 'writes ./clinic-sync.yaml, and its schema for editors beside it' },
  async run(io, { file, all }) {
    if (existsSync(file))
      throw new Exit(
        exit.config,
        `${file} exists already; nothing was written. Name another file: clinic-sync config init FILE`,
      );
    const place = { file, data: dataFolder() };
    const asks = (io.asks ?? false) && !all;
    const answers = asks ? await asked(io) : defaults();
    const { text, secrets, signsIn } = all
      ? { text: everySetting(place.data), secrets: new Map<string, string>() }
      : starterOf(answers, place);
    const taken = [...secrets.keys()].find((path) => existsSync(path));
    if (taken !== undefined)
      throw new Exit(
        exit.config,
        `${taken} exists already; nothing was written. Move it away, or name it as the file.`,
      );
    for (const [path, content] of secrets) writePrivate(path, `${content}\n`);
    writePrivate(file, text);
    const schema = join(dirname(file), SCHEMA_FILE);
    const kinds = await usableKinds(kindNames);
    writeFileSync(schema, `${JSON.stringify(configSchema([...kinds.values()]), null, 2)}\n`);
    print(io, `Wrote ${[file, schema, ...secrets.keys()].join(', ')}.`);
    if (!all) await sayFaults(io, file, text);
    const next = asks ? '' : 'Fill in base_url, the two keys and the timezone. ';
    print(io, `${next}Then: clinic-sync doctor --config ${file}, and clinic-sync run --config ${file}`);
    if (signsIn !== undefined) print(io, `${answers.person} signs in with the token in ${signsIn}.`);
  },
});

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const defaults = (): StarterAnswers => ({
  base_url: 'https://clinic.example/api/v1',
  app_key: { text: LEFT.app_key },
  secret_key: { text: LEFT.secret_key },
  timezone: systemZone(),
  intake: 'form',
  person: ADMIN_NAME,
});

/** The commented file, with paths that exist outside a container, too. */
const everySetting = (data: string): string =>
  readFileSync(join(packageFolder(), 'config', 'clinic-sync.example.yaml'), 'utf8').replaceAll(
    /(?<=\s)\/data(?=\/)/g,
    data,
  );

async function sayFaults(io: Io, file: string, text: string): Promise<void> {
  const { environment } = io;
  const loaded = await fromText(text, file, {
    environment,
    findKind,
    knownKinds: kindNames,
  });
  if (!loaded.ok) io.err(faultsText(io, file, loaded.faults));
}

type Ask = (
  question: string,
  standard: string,
  fault?: (typed: string) => string | undefined,
) => Promise<string>;

async function asked(io: Io): Promise<StarterAnswers> {
  const lines = io.typed()[Symbol.asyncIterator]();
  const ask: Ask = async (question, standard, fault = () => undefined) => {
    for (;;) {
      io.out(`${question}${standard === '' ? '' : ` [${standard}]`}: `);
      const { done, value } = await lines.next();
      if (done || io.signal.aborted) throw new Exit(exit.usage, '\nNothing was written.');
      const typed = value.trim() || standard;
      const wrong = fault(typed);
      if (wrong === undefined) return typed;
      print(io, `   ${wrong}`);
    }
  };
  try {
    print(io, 'Five questions. Enter takes what stands in brackets; Ctrl-C writes nothing.\n');
    const clinic = await askClinic(io, ask);
    const timezone = await ask('2. The clinic’s time zone', systemZone(), zoneFault);
    print(
      io,
      '   form: a page that clinic-sync serves · post: your form or tool sends them · files: dropped · none',
    );
    const intake = await ask('3. Where do bookings come from?', 'form', (typed) =>
      isIntake(typed) ? undefined : `One of ${intakeKinds.join(', ')}.`,
    );
    const person = await ask('4. Who signs in? A name, or nobody', ADMIN_NAME, nameFault);
    const to = await ask('5. Who is told of trouble by mail? An address, or nobody', 'nobody', mailFault);
    return {
      ...clinic,
      timezone,
      intake: intake as IntakeKind,
      person: person === 'nobody' ? undefined : person,
      mail:
        to === 'nobody'
          ? undefined
          : { to, smtp: await askSecret(ask, '   Mail server, smtps://USER:PASSWORD@HOST') },
    };
  } finally {
    await lines.return?.();
  }
}

const isIntake = (typed: string): boolean => intakeKinds.some((kind) => kind === typed);
const zoneFault = (typed: string) => {
  const { error } = timeZone.safeParse(typed);
  return error && `It ${error.issues[0]?.message}`;
};
const nameFault = (typed: string) =>
  typed !== ADMIN_NAME && /^(admin|link of)/i.test(typed)
    ? 'admin itself, or a name that begins differently.'
    : undefined;
const mailFault = (typed: string) =>
  typed === 'nobody' || mailAddressOf(typed) !== undefined ? undefined : 'That is not a mail address.';
const addressFault = (typed: string) =>
  typed === 'sandbox' || webAddress().safeParse(typed).success
    ? undefined
    : 'An address such as https://clinic.example/api/v1, or sandbox.';

async function askSecret(ask: Ask, question: string): Promise<GivenSecret> {
  const typed = await ask(`${question}, or a file that has it`, '', (given) =>
    given === '' ? 'It is needed.' : undefined,
  );
  return statSync(typed, { throwIfNoEntry: false })?.isFile() ? { file: typed } : { text: typed };
}

type ClinicAnswers = Pick<StarterAnswers, 'base_url' | 'app_key' | 'secret_key'>;

/** Asked again until the clinic accepts them, or the person wants to go on anyway. */
async function askClinic(io: Io, ask: Ask): Promise<ClinicAnswers> {
  for (;;) {
    const base_url = await ask(
      '1. Address of the clinic’s API, or sandbox for a built-in one',
      'sandbox',
      addressFault,
    );
    if (base_url === 'sandbox') {
      print(io, '   Start it beside the daemon: clinic-sync sandbox');
      const { app_key, secret_key } = sandboxKeys;
      return { base_url: SANDBOX_URL, app_key: { text: app_key }, secret_key: { text: secret_key } };
    }
    const app_key = await askSecret(ask, '   App key (clinic’s settings, API access)');
    const secret_key = await askSecret(ask, '   Secret key');
    const given = { base_url, app_key, secret_key };
    const fault = await tried(io, given);
    if (fault === undefined) return given;
    print(io, fault.replaceAll(/^/gm, '   '));
    const isKept = await ask('   Go on with them anyway? yes or no', 'no');
    if (/^y/i.test(isKept)) return given;
  }
}

/** Why the clinic does not accept them; says its name if it does. */
async function tried(io: Io, { base_url, app_key, secret_key }: ClinicAnswers): Promise<string | undefined> {
  const setting = (name: string, given: GivenSecret) =>
    'file' in given ? { [`${name}_file`]: given.file } : { [name]: given.text };
  const main = {
    base_url,
    timezone: 'UTC',
    ...setting('app_key', app_key),
    ...setting('secret_key', secret_key),
  };
  // JSON is YAML; a dollar sign in a key is no placeholder.
  const text = JSON.stringify({ version: 1, clinics: { main } }).replaceAll('$', '$$$$');
  const loaded = await fromText(text, 'The answers', { environment: {}, findKind, knownKinds: kindNames });
  if (!loaded.ok)
    return loaded.faults.map(({ path, message, hint }) => `${path} ${message}. ${hint ?? ''}`).join('\n');
  const parts = await openParts(inMemory(loaded.config), 'alone');
  try {
    const { records } = (await parts.clinics.get('main')?.clinic.organization(io.signal)) ?? { records: [] };
    print(
      io,
      `   ok: the clinic accepts the keys and calls itself ${records[0]?.fields.name ?? 'nothing readable'}`,
    );
    return undefined;
  } catch (error) {
    return failureText(asFailure(error, `Asking ${base_url}`));
  } finally {
    await parts.close();
  }
}
