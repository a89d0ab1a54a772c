import { instant, systemClock } from '../../../platform/clock.ts';
import { joined, PATIENTS } from '../../audited.ts';
import { clinicArgument, command, flagArgument, group } from '../../command.ts';
import { clinicKeys, oneClinic } from '../../configuration.ts';
import { answer, Exit, exit, type Invocation } from '../../io.ts';
import { answerList, inPages } from '../../list.ts';
import { withStore } from '../../with-app.ts';

const list = command({
  name: 'list',
  describe: 'Followed appointments and their status',
  args: {
    clinic: clinicArgument,
    all: flagArgument('Also those no longer followed'),
    patient: flagArgument('Include names'),
  },
  examples: { 'appointments list --all': 'the ones that are over, too' },
  audit: { action: PATIENTS },
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
      columns: {
        CLINIC: 'clinic',
        ID: 'appointment_id',
        STATUS: ({ status }) => status ?? '(not read yet)',
        SLOT: ({ date, time }) => `${date ?? ''} ${time ?? ''}`.trim(),
        BOOKING: 'ref',
        READ: 'seen_at',
        NEXT: ({ done, next_due_at }) => (done ? 'done' : next_due_at),
        ...(given.patient && { NAME: 'name' }),
      },
    });
  },
});

/** These need not exist here, and a phone number typed by mistake must not be kept. */
const LONGEST_NUMBER = 9_999_999;

async function auditedNumbers({ ids }: Invocation['argv']): Promise<string | null> {
  const numbers = Array.isArray(ids) ? ids : [];
  return joined(numbers.map((id) => (id <= LONGEST_NUMBER ? id : '(8 digits or more)')));
}

const following = (
  verb: 'track' | 'untrack',
  {
    purpose,
    ...spec
  }: { describe: string; purpose: string; done: (count: number, others: number) => string },
) =>
  command({
    name: `${verb} <ids..>`,
    describe: spec.describe,
    args: {
      clinic: clinicArgument,
      ids: { coerce: (given: (string | number)[]) => positiveIds(given), demandOption: true },
    },
    examples: { [`appointments ${verb} 1201 1202`]: purpose },
    audit: { action: `appointment.${verb}`, subject: auditedNumbers },
    open: withStore,
    async run(io, given, { config, store }) {
      const clinic = oneClinic(config, given.clinic);
      const count = await store.appointments[verb](clinic, given.ids, instant(systemClock.now()));
      const data = { clinic, [`${verb}ed`]: count };
      answer(io, given, data, spec.done(count, given.ids.length - count));
    },
  });

const track = following('track', {
  describe: 'Follow appointments that were not booked through us',
  purpose: 'follow two appointments',
  done: (count, others) =>
    `Following ${count} more, ${others} already. Their status is read within a minute.`,
});

const untrack = following('untrack', {
  describe: 'Stop following appointments',
  purpose: 'their status no longer matters',
  done: (count, others) => `Following ${count} fewer; not followed before: ${others}.`,
});

export const appointments = group({
  name: 'appointments',
  describe: 'The appointments whose status is followed',
  args: { clinic: clinicArgument },
  commands: [list, track, untrack],
  examples: { 'appointments track 1201 1202': 'follow two appointments' },
});

function positiveIds(given: readonly (string | number)[]): number[] {
  // A leading zero or plus belongs to a phone number.
  const wrong = given.find((one) => !/^[1-9]\d*$/.test(String(one)) || !Number.isSafeInteger(Number(one)));
  if (wrong !== undefined)
    throw new Exit(exit.usage, `${wrong} is not an appointment number: give positive whole numbers.`);
  return given.map(Number);
}
