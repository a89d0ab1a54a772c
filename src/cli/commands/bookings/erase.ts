import type { Parts } from '../../../app/parts.ts';
import type { Config } from '../../../config/config.ts';
import type { Lead } from '../../../connector.ts';
import type { Preview } from '../../../http/admin.ts';
import { instant, systemClock } from '../../../platform/clock.ts';
import { inertText } from '../../../platform/text/inert-text.ts';
import type { AppointmentKey } from '../../../store/ports/appointments.ts';
import type { Erased, PersonFilter, PersonFound } from '../../../store/ports/removal.ts';
import type { Store } from '../../../store/store.ts';
import { type Advertised, advertisedLines, advertisedOf } from '../../advertised.ts';
import { actorName, isAbout } from '../../audited.ts';
import { alsoArgument, command, refArgument } from '../../command.ts';
import { clinicKeys, oneClinic } from '../../configuration.ts';
import { askedArguments, firstOf, isWanted } from '../../confirm.ts';
import { answer, counted, Exit, exit } from '../../io.ts';
import { textTable } from '../../list.ts';
import { givenTo, inboxMentions, leadsOf, mentionLines, phoneForms } from '../../person-traces.ts';
import { whileWorking } from '../../progress-line.ts';
import { noSuchBooking, withParts } from '../../with-app.ts';

export const erase = command({
  name: 'erase',
  describe: 'Remove a person’s data everywhere we hold it, and list what we cannot reach',
  args: {
    phone: { type: 'string', describe: 'Everything with this phone number' },
    booking: { ...refArgument, describe: 'One booking and its appointment' },
    also: alsoArgument('Further bookings of the same person; --phone lists candidates'),
    appointment: {
      array: true,
      number: true,
      default: [] as number[],
      describe: 'Appointments of the same person that are followed without a booking; candidates are listed',
    },
    clinic: { type: 'string', describe: 'The clinic of --appointment, when several are configured' },
    by: { type: 'string', default: actorName(), describe: 'Who decides; stored' },
    ...askedArguments,
  },
  examples: { 'erase --phone "+880 1712 345678"': 'a patient asked for it' },
  audit: { action: 'person.erase' },
  async run(io, { phone, booking, appointment, by, ...given }) {
    if ((phone === undefined) === (booking === undefined))
      throw new Exit(exit.usage, 'Give either --phone or --booking.');
    await withParts(io, given, async (parts) => {
      const { config, store } = parts;
      clinicKeys(config, given.clinic);
      const refs = booking === undefined ? given.also : [booking, ...given.also];
      for (const ref of refs) if (!(await store.bookings.get(ref))) throw noSuchBooking(ref);
      const appointments = await followed(parts, appointment, given.clinic);
      const phones = phone === undefined ? [] : await phoneForms(store, config, phone);
      const person: PersonFilter = { phones, refs, appointments };
      // Before erasing, because appointments are found by the patient's name, and conversions by their click.
      const {
        refs: found,
        mentions,
        same_name,
      } = await whileWorking(io, 'Looking for the person', () => store.findPerson(person));
      const leads = await leadsOf(config, store, found);
      const advertised = await advertisedOf(config, store, found);
      isAbout(io, [...found, ...appointment.map((id) => `appointment:${id}`)]);
      if (found.length + appointments.length > 0) {
        const preview = await whatGoes(store, { found, appointments, mentions });
        if (!(await isWanted(io, given, preview))) return;
      }
      const others = same_name.filter(({ appointment_id }) => !appointment.includes(appointment_id));
      const erased = await whileWorking(io, 'Erasing from the database', () =>
        store.erase(person, instant(systemClock.now()), by),
      );
      const files = await whileWorking(io, 'Erasing from files and sheets', () =>
        takeOutOfFiles(parts, erased.last, io.signal),
      );
      const outside = [
        ...(await inboxMentions(config, phones)).map(
          (place) =>
            `${place}: the number, or one with the same last digits, is in a text that is not booked`,
        ),
        ...advertisedLines(advertised),
        ...(await outOfReach(config, erased, { leads, advertised })),
      ];
      answer(
        io,
        given,
        { ...erased, mentions, same_name: others, files, advertised, out_of_reach: outside },
        ...erasedLines(erased),
        ...fileLines(files),
        ...mentionLines(mentions),
        ...sameNameLines(others),
        'Out of our reach, for you to remove:',
        ...outside.map((line) => `  ${line}`),
      );
    });
  },
});

/** Names and dates, from which a mistyped number is noticed. */
async function whatGoes(
  { bookings }: Store,
  {
    found,
    appointments,
    mentions,
  }: Pick<PersonFound, 'mentions'> & {
    found: readonly string[];
    appointments: readonly AppointmentKey[];
  },
): Promise<Preview> {
  const data = (await Promise.all(found.map((ref) => bookings.get(ref)))).filter((one) => one !== undefined);
  const count = [
    counted(found.length, 'booking'),
    ...(appointments.length > 0 ? [counted(appointments.length, 'tracked appointment')] : []),
  ];
  const rows = data.map((one) => [
    ...[`  ${one.ref}`, inertText(one.patient_name ?? '(no name)'), one.state],
    `${one.appointment_date ?? '(no date)'} ${one.appointment_time ?? ''}`.trimEnd(),
  ]);
  const lines = [
    `To be erased: ${count.join(', ')}.`,
    ...firstOf(rows.length > 0 ? textTable(rows).split('\n') : []),
    ...appointments.map(({ clinic, appointment_id }) => `  ${clinic} ${appointment_id}`),
    ...mentionLines(mentions),
  ];
  return { lines, data: { bookings: data, appointments, mentions } };
}

/** The given appointments, all of one clinic. */
async function followed(
  { config, store }: Parts,
  ids: readonly number[],
  clinic: string | undefined,
): Promise<AppointmentKey[]> {
  if (ids.length === 0) return [];
  const key = oneClinic(config, clinic);
  const known = await store.appointments.list(key, ids);
  const free = new Set(known.flatMap((one) => (one.ref === null ? [one.appointment_id] : [])));
  for (const id of ids)
    if (!free.has(id))
      throw new Exit(
        exit.needsPerson,
        `${id} is not followed, or belongs to a booking, with which it is ` +
          'erased; see: clinic-sync appointments list --all',
      );
  return ids.map((appointment_id) => ({ clinic: key, appointment_id }));
}

const sameNameLines = (found: PersonFound['same_name']): string[] =>
  found.length === 0
    ? []
    : [
        'Also found: appointments that are followed without a booking, under the same name. Look at each at the',
        'clinic; if it is the same person, repeat the command with --appointment ID (and --clinic):',
        ...found.map(({ clinic, appointment_id, date, time }) =>
          `  ${clinic} ${appointment_id} ${date ?? ''} ${time ?? ''}`.trimEnd(),
        ),
      ];

function erasedLines({ refs, appointment_ids, changes, deliveries, log_cleared }: Erased): string[] {
  const count = [
    counted(refs.length, 'booking'),
    counted(appointment_ids.length, 'appointment'),
    counted(changes, 'change'),
    deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`,
  ];
  const lines = [`Erased: ${count.join(', ')}.`];
  if (refs.length === 0) lines.push('No booking here has this number. Was it written with its country code?');
  if (!log_cleared)
    lines.push(
      'The database’s log (-wal) still has what was erased, because some program keeps the database ' +
        'open for reading: a database browser, a copy under way. End it, then repeat this command.',
    );
  return lines;
}

/** A running daemon notices an erasure within a second; rewriting its files takes longer. */
const DAEMON_MS = 20_000;
const LOOK_EVERY_MS = 250;

interface Files {
  /** Connectors that cannot remove a person. */
  cannot: string[];
  /** Connectors that have removed the person. */
  cleaned: string[];
  /** Connectors still to do it; the erasure is remembered until they have. */
  pending: { connector: string; problem: string }[];
}

/** Left to a running daemon, otherwise done here: two writers would undo each other's changes. */
async function takeOutOfFiles(
  { connectors, store, deliveries }: Parts,
  last: number,
  signal: AbortSignal,
): Promise<Files> {
  const running = connectors.filter(({ connector }) => connector !== undefined);
  const namesOf = (some: typeof running) => some.map(({ settings }) => settings.name);
  const able = running.filter(({ connector }) => connector?.forget);
  const cannot = namesOf(running.filter(({ connector }) => !connector?.forget && !connector?.holdsNothing));
  const files: Files = { cannot, cleaned: [], pending: [] };
  if (last === 0) return files;
  const place = await store.takeDaemonsPlace();
  try {
    const errors = place === undefined ? [] : await deliveries.forget(signal);
    const deadline = systemClock.monotonic() + (place === undefined ? DAEMON_MS : 0);
    for (const { name: connector, on } of able.map(({ settings }) => settings)) {
      const isDone = async () => (await store.deliveries.connector(connector)).forgotten >= last;
      while (!(await isDone()) && systemClock.monotonic() < deadline)
        await systemClock.sleep(LOOK_EVERY_MS, signal);
      if (await isDone()) files.cleaned.push(connector);
      else {
        const error = errors.find((one) => one.connector === connector)?.error;
        const notYet =
          on === undefined
            ? 'The running daemon is not done with it yet.'
            : `Only a daemon on ${on} writes them.`;
        files.pending.push({ connector, problem: error ?? notYet });
      }
    }
    return files;
  } finally {
    await place?.release();
  }
}

const fileLines = ({ cannot, cleaned, pending }: Files): string[] => [
  ...(cleaned.length > 0 ? [`Taken out of the files of: ${cleaned.join(', ')}.`] : []),
  ...(cannot.length > 0
    ? [`These connectors cannot remove anyone from what they were given: ${cannot.join(', ')}.`]
    : []),
  ...pending.map(
    ({ connector, problem }) =>
      `Still in the files of ${connector}: the daemon removes them, at its next start at the latest. ${problem}`,
  ),
];

async function outOfReach(
  config: Config,
  { appointment_ids, copies, backups }: Erased,
  { leads, advertised }: { leads: readonly Lead[]; advertised: readonly Advertised[] },
): Promise<string[]> {
  const ids = appointment_ids.length > 0 ? ` (${appointment_ids.join(', ')})` : '';
  return [
    `the appointments at the clinic itself${ids}`,
    ...(await givenTo(config, leads, {
      isErased: true,
      isNamed: (name) => advertised.some(({ connector }) => connector === name),
    })),
    ...copies.map((file) => `the copy ${file}`),
    ...backups.map((file) => `the backup ${file}`),
    'backups, volume snapshots and database copies that were made in other ways',
    'logs of proxies in front of clinic-sync',
  ];
}
