import type { CommandModule } from 'yargs';
import type { Config } from '../../config/config.ts';
import { instant, systemClock } from '../../model/clock.ts';
import { comparablePhone, countryFor, dialled } from '../../model/phone.ts';
import type { Person, Store } from '../../store/store.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { counted, Exit, exit, type Io, print, printJson } from '../io.ts';
import { withStore } from '../with-store.ts';
import { refArgument } from './bookings-decide.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  phone?: string;
  booking?: string;
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
      .option('by', { type: 'string', default: actorName(), describe: 'Who decides; stored' })
      .example('$0 erase --phone "+880 1712 345678"', 'a patient asked for it'),
  handler: (argv) => erase(io, argv as unknown as Arguments),
});

async function erase(io: Io, given: Arguments): Promise<void> {
  const { phone, booking } = given;
  if ((phone === undefined) === (booking === undefined))
    throw new Exit(exit.usage, 'Give either --phone or --booking.');
  await withStore(io, given, async ({ config, store }) => {
    if (booking !== undefined && !(await store.bookings.get(booking)))
      throw new Exit(exit.needsPerson, `There is no booking ${booking}; see: clinic-sync bookings list`);
    const person: Person =
      booking === undefined ? { phones: await writings(store, config, phone ?? '') } : { ref: booking };
    const erased = await store.erase(person, instant(systemClock.now()), given.by);
    const outside = outOfReach(config, erased.copies);
    if (given.json) return printJson(io, { ...erased, out_of_reach: outside });

    const { refs, appointment_ids, changes, deliveries } = erased;
    const count = [
      counted(refs.length, 'booking'),
      counted(appointment_ids.length, 'appointment'),
      counted(changes, 'change'),
      deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`,
    ];
    print(io, `Erased: ${count.join(', ')}.`);
    if (refs.length === 0)
      print(io, 'No booking here has this number. Was it written with its country code?');
    if (!erased.log_cleared)
      print(
        io,
        'The daemon still has the write-ahead log in use; the former pages go when it next restarts.',
      );
    print(io, 'Out of our reach, for you to look after:');
    for (const line of outside) print(io, `  ${line}`);
  });
}

/**
 * Every way the number may have been stored: as typed, its digits, in E.164 for the country of each clinic, and in the
 * digits it is dialled with at home, from before the country was known.
 */
async function writings(store: Store, config: Config, phone: string): Promise<string[]> {
  const found = new Set([phone]);
  const digits = comparablePhone(phone, undefined);
  if (digits !== null) found.add(digits);
  for (const { key, country } of config.clinics) {
    const [organization] = await store.mirror.rows('organization', key);
    const number = comparablePhone(phone, countryFor(country, organization));
    if (number !== null) for (const form of [number, ...dialled(number)]) found.add(form);
  }
  return [...found];
}

function outOfReach(config: Config, copies: readonly string[]): string[] {
  const receivers = config.connectors
    .filter(({ includePatient }) => includePatient)
    .map(({ name, use }) => `what ${name} (${use}) was given`);
  const inboxes = config.connectors
    .filter(({ settings }) => (settings as { inbox?: string }).inbox !== undefined)
    .map(({ name }) => `files in the inbox of ${name}: its done, failed and results folders`);
  return [
    'the appointments at the clinic itself',
    ...receivers,
    ...inboxes,
    ...copies.map((file) => `the copy ${file}`),
    'backups you made',
  ];
}
