import type { Parts } from '../../../app/parts.ts';
import type { Submission, submissionFields } from '../../../domain/bookings/booking.ts';
import { possibleDates } from '../../../domain/date-time-format.ts';
import { sentences } from '../../../platform/text/sentences.ts';
import { clinicArgument, command, flagArgument } from '../../command.ts';
import { clinicKeys, knownConnector } from '../../configuration.ts';
import { answer, Exit, exit, readNamed } from '../../io.ts';
import { withParts } from '../../with-app.ts';

export const add = command({
  name: 'add',
  describe: 'Take a booking typed here, or try what a form tool sends',
  args: {
    name: { type: 'string', describe: 'The patient’s full name' },
    phone: { type: 'string', describe: 'The patient’s phone number' },
    date: { type: 'string', describe: 'YYYY-MM-DD' },
    time: { type: 'string', describe: 'HH:MM on the clinic’s wall clock' },
    dentist: { type: 'string', describe: 'Name or number' },
    treatment: { type: 'string', describe: 'Name or number' },
    address: { type: 'string' },
    note: { type: 'string' },
    clinic: clinicArgument,
    'submission-id': { type: 'string', describe: 'The same id again is the same booking' },
    connector: { type: 'string', describe: 'With --from-file: whose mapping to use' },
    'from-file': { type: 'string', describe: 'A body as a form tool sends it' },
    header: {
      type: 'string',
      array: true,
      default: [],
      describe: 'With --from-file: a header, "name: value"',
    },
    'dry-run': flagArgument('Show what it would become; store nothing'),
  },
  examples: {
    'bookings add --name "Ann Lee" --phone +8801712345678 --date 2026-12-01 --time 10:30': '',
    'bookings add --connector website --from-file sample.json --dry-run': 'try a mapping',
  },
  needsSecrets: true,
  audit: { action: 'booking.add' },
  open: withParts,
  async run(io, given, parts) {
    clinicKeys(parts.config, given.clinic);
    const { submission, unused = [] } =
      given.fromFile === undefined
        ? { submission: typed(given) }
        : await mapped(parts, given.connector, given.fromFile, given.header);
    if (given.dryRun) {
      const faults = await parts.bookings.validate(submission);
      return answer(io, given, { submission, unused, faults }, ...rehearsal(submission, unused, faults));
    }
    const accepted = await parts.bookings.accept(submission);
    const { ref, created, state, message } = accepted;
    const what = `${ref} ${created ? 'is' : 'was there already and is'} ${state}`;
    answer(
      io,
      given,
      accepted,
      message ? `${what}: ${message}` : `${what}.`,
      ...(state === 'held' ? [`  → clinic-sync bookings show ${ref}  says what you can do.`] : []),
    );
  },
});

const rehearsal = (
  { fields, submission_id, task }: Submission,
  unused: readonly string[],
  faults: readonly { field: string; message: string }[],
): string[] => [
  'It would become:',
  ...Object.entries(fields).map(([field, value]) => `  ${field}: ${JSON.stringify(value)}`),
  ...(submission_id ? [`  (submission id ${submission_id})`] : []),
  ...(task ? [`  a task for a person: ${task}`] : []),
  ...(unused.length > 0 ? [`  (not used: ${unused.join(', ')})`] : []),
  faults.length === 0 ? 'and would be sent.' : 'and would be held:',
  ...faults.map(({ field, message }) => `  ${field}: ${message}`),
  ...possibleDates(typeof fields.appointment_date === 'string' ? fields.appointment_date : '').map(
    ({ format, date }) => `  as ${format} the date is ${wholeDay.format(Date.parse(date))}.`,
  ),
];

const wholeDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

const fieldOf = {
  name: 'patient_name',
  phone: 'patient_phone',
  date: 'appointment_date',
  time: 'appointment_time',
  dentist: 'doctor',
  treatment: 'treatment',
  address: 'address',
  note: 'note',
} as const satisfies Record<string, (typeof submissionFields)[number]>;

type Typed = { [K in keyof typeof fieldOf | 'clinic' | 'submissionId']?: string | undefined };

function typed({ clinic, submissionId, ...given }: Typed): Submission {
  const fields: Record<string, string | number> = {};
  for (const [option, field] of Object.entries(fieldOf)) {
    const text = given[option as keyof typeof fieldOf];
    if (!text) continue;
    const isId = (field === 'doctor' || field === 'treatment') && /^\d+$/.test(text);
    fields[isId ? `${field}_id` : field] = isId ? Number(text) : text;
  }
  if (Object.keys(fields).length === 0)
    throw new Exit(exit.usage, 'Say what to book: --name, --phone, --date and --time.');
  return {
    source: 'command-line',
    fields,
    ...(clinic && { clinic }),
    ...(submissionId && { submission_id: submissionId }),
  };
}

/** What a connector makes of a submission in a file. */
async function mapped(
  { config, connectors }: Parts,
  name: string | undefined,
  file: string,
  headers: readonly string[],
): Promise<{ submission: Submission; unused?: readonly string[] }> {
  if (name === undefined)
    throw new Exit(exit.usage, 'Add --connector NAME: its settings say how to read the file.');
  knownConnector(config, name);
  const intake = connectors.find(({ settings }) => settings.name === name)?.connector?.intake;
  if (intake?.sample === undefined)
    throw new Exit(exit.usage, `The connector ${name} does not accept bookings over HTTP.`);
  const result = await intake.sample({
    method: 'POST',
    path: '',
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers.map(headerOf)) },
    body: readNamed(file),
    remoteAddress: '127.0.0.1',
  });
  if (result.kind === 'submission') return result;
  if (result.kind === 'page')
    throw new Exit(exit.needsPerson, 'The form would be shown again; nothing would be booked.');
  const why = result.kind === 'refused' ? sentences(result.message, result.hint) : result.message;
  throw new Exit(exit.needsPerson, why);
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
