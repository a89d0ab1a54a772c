import { instant, systemClock } from '../../platform/clock.ts';
import { clinicArgument, command, flag, group } from '../command.ts';
import { answer, Exit, exit } from '../io.ts';
import { answerList, inPages } from '../list.ts';
import { clinicKeys, oneClinic, withStore } from '../with-app.ts';

const list = command({
  name: 'list',
  describe: 'Followed appointments and their status',
  args: {
    clinic: clinicArgument,
    all: flag('Also those no longer followed'),
    patient: flag('Include names'),
  },
  examples: { 'appointments list --all': 'the ones that are over, too' },
  open: withStore,
  async run(io, given, { config, store }) {
    const clinics = clinicKeys(config, given.clinic);
    async function* rows() {
      for (const clinic of clinics)
        for await (const one of inPages((count, last: { appointment_id: number } | undefined) =>
          store.appointments.page(clinic, count, last?.appointment_id),
        ))
          if (given.all || !one.done) yield one;
    }
    await answerList(io, given, {
      rows: rows(),
      data: ({ name, ...rest }) => (given.patient ? { ...rest, name } : rest),
      none: 'No appointments are followed. They are when a booking succeeds, or with: appointments track ID',
      cells: (one) => ({
        CLINIC: one.clinic,
        ID: one.appointment_id,
        STATUS: one.status ?? '(not read yet)',
        SLOT: `${one.date ?? ''} ${one.time ?? ''}`.trim(),
        BOOKING: one.ref,
        READ: one.seen_at,
        NEXT: one.done ? 'done' : one.next_due_at,
        ...(given.patient && { NAME: one.name }),
      }),
    });
  },
});

const ids = {
  clinic: clinicArgument,
  ids: { coerce: (given: (string | number)[]) => positiveIds(given), demandOption: true },
} as const;

const track = command({
  name: 'track <ids..>',
  describe: 'Follow appointments that were not booked through us',
  args: ids,
  examples: { 'appointments track 1201 1202': 'follow two appointments' },
  open: withStore,
  async run(io, given, { config, store }) {
    const clinic = oneClinic(config, given.clinic);
    const tracked = await store.appointments.track(clinic, given.ids, instant(systemClock.now()));
    const already = given.ids.length - tracked;
    const told = `Following ${tracked} more, ${already} already. Their status is read within a minute.`;
    answer(io, given, { clinic, tracked }, told);
  },
});

const untrack = command({
  name: 'untrack <ids..>',
  describe: 'Follow them no longer',
  args: ids,
  examples: { 'appointments untrack 1201': 'its status is of no interest any more' },
  open: withStore,
  async run(io, given, { config, store }) {
    const clinic = oneClinic(config, given.clinic);
    const untracked = await store.appointments.untrack(clinic, given.ids, instant(systemClock.now()));
    const others = given.ids.length - untracked;
    answer(io, given, { clinic, untracked }, `Following ${untracked} fewer; not followed before: ${others}.`);
  },
});

export const appointments = group({
  name: 'appointments',
  describe: 'The appointments whose status is followed',
  args: { clinic: clinicArgument },
  commands: [list, track, untrack],
  examples: { 'appointments track 1201 1202': 'follow two appointments' },
});

function positiveIds(given: readonly (string | number)[]): number[] {
  const wrong = given.find((one) => !Number.isSafeInteger(Number(one)) || Number(one) <= 0);
  if (wrong !== undefined)
    throw new Exit(exit.usage, `${wrong} is no appointment number: give positive whole numbers.`);
  return given.map(Number);
}
