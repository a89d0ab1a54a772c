import type { CommandModule } from 'yargs';
import type { Parts } from '../../app/parts.ts';
import type { Config } from '../../config/config.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import type { AppointmentKey } from '../../store/ports/appointments.ts';
import type { Erased, Person, PersonFound } from '../../store/ports/erasure.ts';
import { takeDaemonsPlace } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { counted, Exit, exit, type Io, print, printJson } from '../io.ts';
import { givenTo, phoneForms, printMentions } from '../person.ts';
import { withParts } from '../with-parts.ts';
import { oneClinic } from '../with-store.ts';
import { refArgument } from './bookings-decide.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  phone?: string;
  booking?: string;
  also: string[];
  appointment: number[];
  clinic?: string;
  by: string;
}

/** `clinic-sync erase --phone … | --booking REF` */
export const eraseCommand = (io: Io): CommandModule => ({
  command: 'erase',
  describe: 'Remove a person’s data everywhere we hold it, and list what we cannot reach',
  builder: (yargs) =>
    yargs
      .option('phone', { type: 'string', describe: 'Everything with this phone number' })
      .option('booking', { ...refArgument, describe: 'One booking and its appointment' })
      .option('also', {
        array: true,
        string: true,
        default: [],
        coerce: (refs: string[]) => refs.map((ref) => ref.toUpperCase()),
        describe: 'Further bookings of the same person; --phone lists candidates',
      })
      .option('appointment', {
        array: true,
        number: true,
        default: [],
        describe:
          'Appointments of the same person that are followed without a booking; candidates are listed',
      })
      .option('clinic', {
        type: 'string',
        describe: 'The clinic of --appointment, when several are configured',
      })
      .option('by', { type: 'string', default: actorName(), describe: 'Who decides; stored' })
      .example('$0 erase --phone "+880 1712 345678"', 'a patient asked for it'),
  handler: (argv) => erase(io, argv as unknown as Arguments),
});

async function erase(io: Io, given: Arguments): Promise<void> {
  const { phone, booking, also } = given;
  if ((phone === undefined) === (booking === undefined))
    throw new Exit(exit.usage, 'Give either --phone or --booking.');
  await withParts(io, given, async (parts) => {
    const { config, store } = parts;
    const refs = booking === undefined ? also : [booking, ...also];
    await assertKnown(store, refs);
    const appointments = await followed(parts, given);
    const phones = phone === undefined ? [] : await phoneForms(store, config, phone);
    const person: Person = { phones, refs, appointments };
    // By name: gone once it is erased.
    const { mentions, same_name } = await store.findPerson(person);
    const others = same_name.filter(
      (one) => !appointments.some(({ appointment_id }) => appointment_id === one.appointment_id),
    );
    const erased = await store.erase(person, instant(systemClock.now()), given.by);
    const files = await takeOutOfFiles(parts, erased.last, io.signal);
    const outside = outOfReach(config, erased, await leadsOf(store, erased.refs));
    if (given.json)
      return printJson(io, { ...erased, mentions, same_name: others, files, out_of_reach: outside });

    printErased(io, erased);
    printFiles(io, files);
    printMentions(io, mentions);
    printSameName(io, others);
    print(io, 'Out of our reach, for you to look after:');
    for (const line of outside) print(io, `  ${line}`);
  });
}

/** The appointments that were given, all of one clinic. */
async function followed(
  { config, store }: Parts,
  { appointment, clinic }: Arguments,
): Promise<AppointmentKey[]> {
  if (appointment.length === 0) return [];
  const key = oneClinic(config, clinic);
  const known = await store.appointments.list(key, appointment);
  const free = new Set(known.flatMap((one) => (one.ref === null ? [one.appointment_id] : [])));
  for (const id of appointment)
    if (!free.has(id))
      throw new Exit(
        exit.needsPerson,
        `${id} is not followed, or belongs to a booking, with which it is erased; see: clinic-sync appointments list --all`,
      );
  return appointment.map((appointment_id) => ({ clinic: key, appointment_id }));
}

function printSameName(io: Io, found: PersonFound['same_name']): void {
  if (found.length === 0) return;
  print(
    io,
    'Also found: appointments that are followed without a booking, under the same name. Look at each at the',
  );
  print(io, 'clinic; if it is the same person, repeat the command with --appointment ID (and --clinic):');
  for (const { clinic, appointment_id, date, time } of found)
    print(io, `  ${clinic} ${appointment_id} ${date ?? ''} ${time ?? ''}`.trimEnd());
}

async function assertKnown(store: Store, refs: readonly string[]): Promise<void> {
  for (const ref of refs)
    if (!(await store.bookings.get(ref)))
      throw new Exit(exit.needsPerson, `There is no booking ${ref}; see: clinic-sync bookings list`);
}

function printErased(io: Io, { refs, appointment_ids, changes, deliveries, log_cleared }: Erased): void {
  const count = [
    counted(refs.length, 'booking'),
    counted(appointment_ids.length, 'appointment'),
    counted(changes, 'change'),
    deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`,
  ];
  print(io, `Erased: ${count.join(', ')}.`);
  if (refs.length === 0) print(io, 'No booking here has this number. Was it written with its country code?');
  if (!log_cleared)
    print(io, 'The daemon still has the write-ahead log in use; the former pages go when it next restarts.');
}

/** A running daemon hears of an erasure within a second; reading and rewriting its files may take some more. */
const DAEMON_MS = 20_000;
const LOOK_EVERY_MS = 250;

interface Files {
  /** Connectors that cannot take anybody out of what they were given. */
  cannot: string[];
  /** Connectors whose files are without the person now. */
  cleaned: string[];
  /** Those that still have to; the erasure is remembered until they did. */
  pending: { connector: string; problem: string }[];
}

/** By the daemon where one runs, by this command otherwise: two writers would undo each other. */
async function takeOutOfFiles(
  { config, connectors, store, deliveries }: Parts,
  last: number,
  signal: AbortSignal,
) {
  const names = connectors.flatMap(({ settings, connector }) => (connector?.forget ? [settings.name] : []));
  const cannot = connectors.flatMap(({ settings, connector }) =>
    connector !== undefined && connector.forget === undefined ? [settings.name] : [],
  );
  const files: Files = { cannot, cleaned: [], pending: [] };
  if (last === 0) return files;
  const place = takeDaemonsPlace(config.store.sqlite);
  try {
    const errors = place === undefined ? [] : await deliveries.forget(signal);
    if (place === undefined) await forgotten(store, names, last, signal);
    for (const connector of names)
      if ((await store.deliveries.connector(connector)).forgotten >= last) files.cleaned.push(connector);
      else {
        const error = errors.find((one) => one.connector === connector)?.error;
        const problem = error ?? 'The running daemon is not done with it yet.';
        files.pending.push({ connector, problem });
      }
    return files;
  } finally {
    place?.release();
  }
}

async function forgotten(store: Store, names: readonly string[], last: number, signal: AbortSignal) {
  const deadline = systemClock.monotonic() + DAEMON_MS;
  for (const name of names)
    while ((await store.deliveries.connector(name)).forgotten < last && systemClock.monotonic() < deadline)
      await systemClock.sleep(LOOK_EVERY_MS, signal);
}

function printFiles(io: Io, { cannot, cleaned, pending }: Files): void {
  if (cleaned.length > 0) print(io, `Taken out of the files of: ${cleaned.join(', ')}.`);
  if (cannot.length > 0)
    print(io, `These connectors cannot take anybody out of what they were given: ${cannot.join(', ')}.`);
  for (const { connector, problem } of pending)
    print(
      io,
      `Still in the files of ${connector}: the daemon takes them out, at its next start at the latest. ${problem}`,
    );
}

async function leadsOf(store: Store, refs: readonly string[]) {
  const found = await Promise.all(refs.map((ref) => store.bookings.get(ref)));
  return found.filter((booking) => booking !== undefined);
}

function outOfReach(
  config: Config,
  { appointment_ids, copies, backups }: Erased,
  leads: readonly { ref: string; source: string }[],
): string[] {
  const ids = appointment_ids.length > 0 ? ` (${appointment_ids.join(', ')})` : '';
  return [
    `the appointments at the clinic itself${ids}`,
    ...givenTo(config, leads, { isErased: true }),
    ...copies.map((file) => `the copy ${file}`),
    ...backups.map((file) => `the backup ${file}`),
    'backups, volume snapshots and database copies that were made in other ways',
    'logs of proxies in front of clinic-sync',
  ];
}
