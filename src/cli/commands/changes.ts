import type { CommandModule } from 'yargs';
import type { Change } from '../../domain/change.ts';
import { isAboutPatients, withoutPatient } from '../../domain/patient.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigArguments } from '../configuration.ts';
import { type Io, print } from '../io.ts';
import { clinicKeys, withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  since: number;
  follow: boolean;
  limit: number;
  clinic?: string;
  patient: boolean;
}

const BATCH = 500;
const LOOK_AGAIN_MS = 1000;

/** `clinic-sync changes [--since SEQ] [--follow]` */
export const changesCommand = (io: Io): CommandModule => ({
  command: 'changes',
  describe: 'Print the change log',
  builder: (yargs) =>
    yargs
      .option('since', { type: 'number', default: 0, describe: 'Only changes after this sequence' })
      .option('follow', { type: 'boolean', default: false, describe: 'Go on as changes happen' })
      .option('limit', {
        type: 'number',
        default: 1000,
        describe: 'At most so many per clinic (not with --follow)',
      })
      .option('clinic', { type: 'string', describe: 'One clinic only' })
      .option('patient', {
        type: 'boolean',
        default: false,
        describe: 'Include names, phones, addresses and notes',
      })
      .example('$0 changes --since 120 --follow', 'what happens from now on'),
  handler: (argv) => changes(io, argv as unknown as Arguments),
});

async function changes(io: Io, given: Arguments): Promise<void> {
  await withStore(io, given, async ({ config, store }) => {
    const cursors = new Map(clinicKeys(config, given.clinic).map((clinic) => [clinic, given.since]));
    for (;;) {
      for (const [clinic, cursor] of cursors)
        cursors.set(clinic, await printFrom(io, given, store, clinic, cursor));
      if (!given.follow || io.signal.aborted) return;
      await systemClock.sleep(LOOK_AGAIN_MS, io.signal).catch(() => {});
    }
  });
}

async function printFrom(
  io: Io,
  given: Arguments,
  store: Store,
  clinic: string,
  cursor: number,
): Promise<number> {
  let last = cursor;
  let printed = 0;
  for (;;) {
    const left = given.follow ? BATCH : Math.min(BATCH, given.limit - printed);
    const batch = left > 0 ? await store.changes.after(clinic, last, left) : [];
    for (const change of batch)
      print(io, given.json ? JSON.stringify(shown(change, given.patient)) : lineOf(change, given.patient));
    last = batch.at(-1)?.sequence ?? last;
    printed += batch.length;
    if (batch.length < BATCH) return last;
  }
}

function shown(change: Change, patient: boolean): Change {
  if (patient || !isAboutPatients(change.resource)) return change;
  const previous = change.previous && withoutPatient(change.previous);
  return { ...change, data: withoutPatient(change.data), previous };
}

/** `12  2026-03-02T09:00:01Z  main  treatment.updated  7  base_fee 40.00 → 45.00` */
export function lineOf(change: Change, patient: boolean): string {
  const { sequence, at, clinic, type, id, data, previous } = shown(change, patient);
  const fields = Object.entries(previous ?? {}).map(
    ([name, before]) => `${name} ${brief(before)} → ${brief(data[name])}`,
  );
  return [String(sequence).padStart(5), at, clinic, type, id, fields.join(', ')].join('  ').trimEnd();
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
