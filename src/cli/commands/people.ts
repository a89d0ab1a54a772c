import { instant, systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import { advertisedOf } from '../advertised.ts';
import { isAbout } from '../audited.ts';
import { alsoArgument, command, group } from '../command.ts';
import { Exit, exit, printJson } from '../io.ts';
import { givenTo, inboxMentions, leadsOf, phoneForms } from '../person-traces.ts';
import { noSuchBooking, withStore } from '../with-app.ts';

const exportPerson = command({
  name: 'export',
  describe: 'Print everything we hold of a person as JSON',
  hasNoJson: true,
  args: {
    phone: { type: 'string', demandOption: true, describe: 'The person’s phone number' },
    also: alsoArgument('Further bookings of the same person; `mentions` lists candidates'),
  },
  examples: { 'people export --phone "+880 1712 345678" > ann-lee.json': 'a patient asked for it' },
  audit: { action: 'patients.export' },
  open: withStore,
  async run(io, { phone, also }, { config, store }) {
    const phones = await phoneForms(store, config, phone);
    const found = await store.findPerson({ phones, refs: also });
    const { mentions, same_name } = found;
    const refs = [...new Set([...found.refs, ...also])];
    isAbout(io, refs);
    const bookings = [];
    for (const ref of refs) bookings.push(await everythingAbout(store, ref));
    const given_to = await givenTo(config, await leadsOf(config, store, refs));
    const advertised = await advertisedOf(config, store, refs);
    const exported_at = instant(systemClock.now());
    const in_files = await inboxMentions(config, phones);
    printJson(io, { exported_at, phone, bookings, mentions, same_name, in_files, given_to, advertised });
    if (refs.length + mentions.length + in_files.length === 0)
      throw new Exit(exit.needsPerson, 'Nothing here has this number. Was it written with its country code?');
  },
});

export const people = group({
  name: 'people',
  describe: 'What is held about one person',
  commands: [exportPerson],
  examples: { 'people export --phone "+880 1712 345678"': 'everything held about a patient' },
});

/** A booking with all rows that belong to it. Deliveries have a body while pending or dead. */
async function everythingAbout(store: Store, ref: string) {
  const booking = await store.bookings.get(ref);
  if (booking === undefined) throw noSuchBooking(ref);
  const { clinic, appointment_id } = booking;
  const id = appointment_id === null ? undefined : String(appointment_id);
  const [appointment] = id === undefined ? [] : await store.appointments.list(clinic, [Number(id)]);
  const things = [`booking:${ref}`, `lead:${ref}`, ...(id === undefined ? [] : [`appointment:${id}`])];
  const deliveries = (await Promise.all(things.map((thing) => store.deliveries.of(clinic, thing)))).flat();
  return {
    ...booking,
    events: await store.bookings.events(ref),
    appointment: appointment ?? null,
    changes: [
      ...(await store.changes.history(clinic, 'booking', ref)),
      ...(await store.changes.history(clinic, 'lead', ref)),
      ...(id === undefined ? [] : await store.changes.history(clinic, 'appointment', id)),
    ],
    deliveries: deliveries.map(({ connector, type, state, created_at, delivered_at, body }) => ({
      ...{ connector, type, state, created_at, delivered_at },
      body: state === 'pending' || state === 'dead' ? body : undefined,
    })),
  };
}
