import { readFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import type { Submission } from '../../domain/booking.ts';
import { sentences } from '../../platform/sentences.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson } from '../io.ts';
import { withParts } from '../with-parts.ts';
import { knownConnector } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  name?: string;
  phone?: string;
  date?: string;
  time?: string;
  dentist?: string;
  treatment?: string;
  address?: string;
  note?: string;
  clinic?: string;
  submissionId?: string;
  connector?: string;
  fromFile?: string;
  header: string[];
  dryRun: boolean;
}

const SOURCE = 'command-line';

/** `clinic-sync bookings add …`: a booking typed here, or a sample of what a form tool sends. */
export const addCommand = (io: Io): CommandModule => ({
  command: 'add',
  describe: 'Take a booking typed here, or try what a form tool sends',
  builder: (yargs) =>
    yargs
      .option('name', { type: 'string', describe: 'The patient’s full name' })
      .option('phone', { type: 'string', describe: 'The patient’s phone number' })
      .option('date', { type: 'string', describe: 'YYYY-MM-DD' })
      .option('time', { type: 'string', describe: 'HH:MM on the clinic’s wall clock' })
      .option('dentist', { type: 'string', describe: 'Name or number' })
      .option('treatment', { type: 'string', describe: 'Name or number' })
      .option('address', { type: 'string' })
      .option('note', { type: 'string' })
      .option('clinic', { type: 'string', describe: 'The clinic, when several are configured' })
      .option('submission-id', { type: 'string', describe: 'The same id again is the same booking' })
      .option('connector', { type: 'string', describe: 'With --from-file: whose mapping to use' })
      .option('from-file', { type: 'string', describe: 'A body as a form tool sends it' })
      .option('header', {
        type: 'string',
        array: true,
        default: [],
        describe: 'With --from-file: a header, "name: value"',
      })
      .option('dry-run', {
        type: 'boolean',
        default: false,
        describe: 'Show what it would become; store nothing',
      })
      .example('$0 bookings add --name "Ann Lee" --phone +8801712345678 --date 2026-12-01 --time 10:30', '')
      .example('$0 bookings add --connector website --from-file sample.json --dry-run', 'try a mapping'),
  handler: (argv) => add(io, argv as unknown as Arguments),
});

async function add(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async (parts) => {
    const { submission, unused = [] } =
      given.fromFile === undefined
        ? { submission: typed(given) }
        : await mapped(parts, given, given.fromFile);
    if (given.dryRun) {
      const faults = await parts.bookings.validate(submission);
      if (given.json) return printJson(io, { submission, unused, faults });
      print(io, 'It would become:');
      for (const [field, value] of Object.entries(submission.fields))
        print(io, `  ${field}: ${JSON.stringify(value)}`);
      if (submission.submission_id) print(io, `  (submission id ${submission.submission_id})`);
      if (submission.task) print(io, `  a task for a person: ${submission.task}`);
      if (unused.length > 0) print(io, `  (not used: ${unused.join(', ')})`);
      print(io, faults.length === 0 ? 'and would be sent.' : 'and would be held:');
      for (const { field, message } of faults) print(io, `  ${field}: ${message}`);
      return;
    }
    const accepted = await parts.bookings.accept(submission);
    if (given.json) return printJson(io, accepted);
    const { ref, created, state, message } = accepted;
    print(
      io,
      `${ref} ${created ? 'is' : 'was there already and is'} ${state}${message ? `: ${message}` : '.'}`,
    );
    if (state === 'held') print(io, `  → clinic-sync bookings show ${ref}  says what you can do.`);
  });
}

function typed(given: Arguments): Submission {
  const { name, phone, date, time, dentist, treatment, address, note } = given;
  const isId = (text: string | undefined) => text !== undefined && /^\d+$/.test(text);
  const fields: Submission['fields'] = {
    ...(name && { patient_name: name }),
    ...(phone && { patient_phone: phone }),
    ...(date && { appointment_date: date }),
    ...(time && { appointment_time: time }),
    ...(dentist && (isId(dentist) ? { doctor_id: Number(dentist) } : { doctor: dentist })),
    ...(treatment && (isId(treatment) ? { treatment_id: Number(treatment) } : { treatment })),
    ...(address && { address }),
    ...(note && { note }),
  };
  if (Object.keys(fields).length === 0)
    throw new Exit(exit.usage, 'Say what to book: --name, --phone, --date and --time.');
  return {
    source: SOURCE,
    fields,
    ...(given.clinic && { clinic: given.clinic }),
    ...(given.submissionId && { submission_id: given.submissionId }),
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Exit(exit.usage, `${file} cannot be read (${code}).`);
  }
}

async function mapped(
  { connectors }: Parameters<Parameters<typeof withParts>[2]>[0],
  given: Arguments,
  file: string,
): Promise<{ submission: Submission; unused?: readonly string[] }> {
  if (given.connector === undefined)
    throw new Exit(exit.usage, 'Add --connector NAME: its settings say how to read the file.');
  const name = given.connector;
  const { connector } =
    connectors.find(
      ({ settings }) =>
        settings.name ===
        knownConnector(
          connectors.map((one) => one.settings),
          name,
        ).name,
    ) ?? {};
  if (connector?.intake?.sample === undefined)
    throw new Exit(exit.usage, `The connector ${name} takes no bookings over HTTP.`);
  const body = read(file);
  const headers = Object.fromEntries(
    given.header.map((line) => [
      line.slice(0, line.indexOf(':')).trim().toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const result = await connector.intake.sample({
    method: 'POST',
    path: '',
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json', ...headers },
    body,
    remoteAddress: '127.0.0.1',
  });
  if (result.kind === 'submission') return result;
  if (result.kind === 'page')
    throw new Exit(exit.needsPerson, 'The form would be shown again; nothing would be booked.');
  const why = result.kind === 'refused' ? sentences(result.message, result.hint) : result.message;
  throw new Exit(exit.needsPerson, why);
}
