import type { CommandModule } from 'yargs';
import { instant, systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, printJson } from '../io.ts';
import { givenTo, phoneForms } from '../person.ts';
import { withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  phone: string;
  also: string[];
}

/** `clinic-sync people export` */
export const peopleCommand = (io: Io): CommandModule => ({
  command: 'people',
  describe: 'What is held about one person',
  builder: (yargs) =>
    yargs
      .command({
        command: 'export',
        describe: 'Print everything we hold of a person as JSON',
        builder: (yargs) =>
          yargs
            .option('phone', { type: 'string', demandOption: true, describe: 'The person’s phone number' })
            .option('also', {
              array: true,
              string: true,
              default: [],
              coerce: (refs: string[]) => refs.map((ref) => ref.toUpperCase()),
              describe: 'Further bookings of the same person; `mentions` lists candidates',
            })
            .example('$0 people export --phone "+880 1712 345678" > ann-lee.json', 'a patient asked for it'),
        handler: (argv) => exportPerson(io, argv as unknown as Arguments),
      })
      .demandCommand(1, 'Say what to do.')
      .example('$0 people export --phone "+880 1712 345678"', 'everything held about a patient'),
  handler: () => {},
});

async function exportPerson(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ config, store }) => {
    const found = await store.findPerson({
      phones: await phoneForms(store, config, given.phone),
      refs: given.also,
    });
    const { mentions, same_name } = found;
    const refs = [...new Set([...found.refs, ...given.also])];
    const bookings = [];
    for (const ref of refs) bookings.push(await everythingAbout(store, ref));
    printJson(io, {
      exported_at: instant(systemClock.now()),
      phone: given.phone,
      bookings,
      mentions,
      same_name,
      given_to: givenTo(config, bookings),
    });
    if (refs.length === 0 && mentions.length === 0)
      throw new Exit(exit.needsPerson, 'Nothing here has this number. Was it written with its country code?');
  });
}

/** One booking with all that is kept beside it. What was delivered already is a line; what waits has its content. */
async function everythingAbout(store: Store, ref: string) {
  const booking = await store.bookings.get(ref);
  if (booking === undefined)
    throw new Exit(exit.needsPerson, `There is no booking ${ref}; see: clinic-sync bookings list`);
  const { clinic, appointment_id } = booking;
  const id = appointment_id === null ? undefined : String(appointment_id);
  const [appointment] = id === undefined ? [] : await store.appointments.list(clinic, [Number(id)]);
  const things = [`booking:${ref}`, ...(id === undefined ? [] : [`appointment:${id}`])];
  const deliveries = (await Promise.all(things.map((thing) => store.deliveries.of(clinic, thing)))).flat();
  return {
    ...booking,
    events: await store.bookings.events(ref),
    appointment: appointment ?? null,
    changes: [
      ...(await store.changes.history(clinic, 'booking', ref)),
      ...(id === undefined ? [] : await store.changes.history(clinic, 'appointment', id)),
    ],
    deliveries: deliveries.map(({ connector, type, state, created_at, delivered_at, body }) => ({
      connector,
      type,
      state,
      created_at,
      delivered_at,
      body: state === 'pending' || state === 'dead' ? body : undefined,
    })),
  };
}
