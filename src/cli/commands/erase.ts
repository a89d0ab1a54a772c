import type { CommandModule } from 'yargs';
import type { Config } from '../../config/config.ts';
import { instant, systemClock } from '../../model/clock.ts';
import type { Erased, Person, Store } from '../../store/store.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { counted, Exit, exit, type Io, print, printJson } from '../io.ts';
import { givenTo, phoneForms, printMentions } from '../person.ts';
import { withStore } from '../with-store.ts';
import { refArgument } from './bookings-decide.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  phone?: string;
  booking?: string;
  also: string[];
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
      .option('by', { type: 'string', default: actorName(), describe: 'Who decides; stored' })
      .example('$0 erase --phone "+880 1712 345678"', 'a patient asked for it'),
  handler: (argv) => erase(io, argv as unknown as Arguments),
});

async function erase(io: Io, given: Arguments): Promise<void> {
  const { phone, booking, also } = given;
  if ((phone === undefined) === (booking === undefined))
    throw new Exit(exit.usage, 'Give either --phone or --booking.');
  await withStore(io, given, async ({ config, store }) => {
    await assertKnown(store, booking === undefined ? also : [booking, ...also]);
    const phones = phone === undefined ? [] : await phoneForms(store, config, phone);
    const person: Person = { phones, also: booking === undefined ? also : [booking, ...also] };
    const mentions = phone === undefined ? [] : (await store.findPerson(phones)).mentions;
    const left = mentions.filter(({ ref }) => !also.includes(ref));
    const erased = await store.erase(person, instant(systemClock.now()), given.by);
    const outside = outOfReach(config, erased);
    if (given.json) return printJson(io, { ...erased, mentions: left, out_of_reach: outside });

    printErased(io, erased);
    printMentions(io, left);
    print(io, 'Out of our reach, for you to look after:');
    for (const line of outside) print(io, `  ${line}`);
  });
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

function outOfReach(config: Config, { appointment_ids, copies, backups }: Erased): string[] {
  const ids = appointment_ids.length > 0 ? ` (${appointment_ids.join(', ')})` : '';
  return [
    `the appointments at the clinic itself${ids}`,
    ...givenTo(config),
    ...copies.map((file) => `the copy ${file}`),
    ...backups.map((file) => `the backup ${file}`),
    'backups, volume snapshots and database copies that were made in other ways',
    'logs of proxies in front of clinic-sync',
  ];
}
