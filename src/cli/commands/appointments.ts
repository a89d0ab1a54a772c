import type { CommandModule } from 'yargs';
import { instant, systemClock } from '../../platform/clock.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson, table } from '../io.ts';
import { inPages, PAGE_SIZE } from '../pages.ts';
import { clinicKeys, oneClinic, withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  clinic?: string;
  all: boolean;
  patient: boolean;
  ids: (string | number)[];
}

/** `clinic-sync appointments list | track | untrack` */
export const appointmentsCommand = (io: Io): CommandModule => ({
  command: 'appointments',
  describe: 'The appointments whose status is followed',
  builder: (yargs) =>
    yargs
      .option('clinic', { type: 'string', describe: 'The clinic, when several are configured' })
      .command(
        'list',
        'Followed appointments and their status',
        (sub) =>
          sub
            .option('all', { type: 'boolean', default: false, describe: 'Also those no longer followed' })
            .option('patient', { type: 'boolean', default: false, describe: 'Include names' })
            .example('$0 appointments list --all', 'the ones that are over, too'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'track <ids..>',
        'Follow appointments that were not booked through us',
        (sub) => sub.example('$0 appointments track 1201 1202', 'follow two appointments'),
        (argv) => track(io, argv as unknown as Arguments),
      )
      .command(
        'untrack <ids..>',
        'Follow them no longer',
        (sub) => sub.example('$0 appointments untrack 1201', 'its status is of no interest any more'),
        (argv) => untrack(io, argv as unknown as Arguments),
      )
      .example('$0 appointments track 1201 1202', 'follow two appointments')
      .demandCommand(1, 'Say which: list, track or untrack.'),
  handler: () => {},
});

async function list(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ config, store }) => {
    const all: TrackedAppointment[] = [];
    for (const clinic of clinicKeys(config, given.clinic))
      for await (const one of inPages((last?: TrackedAppointment) =>
        store.appointments.page(clinic, PAGE_SIZE, last?.appointment_id),
      ))
        if (given.all || !one.done) all.push(one);
    const shown = all.map(({ name, ...rest }) => (given.patient ? { ...rest, name } : rest));
    if (given.json) return printJson(io, shown);
    if (shown.length === 0)
      return print(
        io,
        'No appointments are followed. They are when a booking succeeds, or with: appointments track ID',
      );

    const rows = all.map((one) => [
      one.clinic,
      String(one.appointment_id),
      one.status ?? '(not read yet)',
      `${one.date ?? ''} ${one.time ?? ''}`.trim(),
      one.ref ?? '',
      one.seen_at ?? '',
      one.done ? 'done' : (one.next_due_at ?? ''),
      ...(given.patient ? [one.name ?? ''] : []),
    ]);
    const head = [
      'CLINIC',
      'ID',
      'STATUS',
      'SLOT',
      'BOOKING',
      'READ',
      'NEXT',
      ...(given.patient ? ['NAME'] : []),
    ];
    print(io, table([head, ...rows]));
  });
}

async function track(io: Io, given: Arguments): Promise<void> {
  const ids = positiveIds(given.ids);
  await withStore(io, given, async ({ config, store }) => {
    const clinic = oneClinic(config, given.clinic);
    const count = await store.appointments.track(clinic, ids, instant(systemClock.now()));
    if (given.json) return printJson(io, { clinic, tracked: count });
    print(
      io,
      `Following ${count} more, ${ids.length - count} already. Their status is read within a minute.`,
    );
  });
}

async function untrack(io: Io, given: Arguments): Promise<void> {
  const ids = positiveIds(given.ids);
  await withStore(io, given, async ({ config, store }) => {
    const clinic = oneClinic(config, given.clinic);
    const count = await store.appointments.untrack(clinic, ids, instant(systemClock.now()));
    if (given.json) return printJson(io, { clinic, untracked: count });
    print(io, `Following ${count} fewer; not followed before: ${ids.length - count}.`);
  });
}

function positiveIds(given: readonly (string | number)[]): number[] {
  const ids = given.map(Number);
  const wrong = given.find((_, index) => !Number.isSafeInteger(ids[index]) || (ids[index] ?? 0) <= 0);
  if (wrong !== undefined)
    throw new Exit(exit.usage, `${wrong} is no appointment number: give positive whole numbers.`);
  return ids;
}
