import type { Change } from '../../domain/change.ts';
import { isAboutPatients, withoutPatient } from '../../domain/patient.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import { command, flag } from '../command.ts';
import { print } from '../io.ts';
import { inPages, limitArgument } from '../list.ts';
import { clinicKeys, withStore } from '../with-app.ts';

const LOOK_AGAIN_MS = 1000;

export const changes = command({
  name: 'changes',
  describe: 'Print the change log',
  args: {
    since: { type: 'number', default: 0, describe: 'Only changes after this sequence' },
    follow: flag('Go on as changes happen'),
    limit: limitArgument('At most this many per clinic (not with --follow)', 1000),
    clinic: { type: 'string', describe: 'One clinic only' },
    patient: flag('Include names, phones, addresses and notes'),
  },
  examples: { 'changes --since 120 --follow': 'what happens from now on' },
  open: withStore,
  async run(io, { json, patient, follow, limit, ...given }, { config, store }) {
    const lineFor = json ? JSON.stringify : lineOf;
    const cursors = new Map(clinicKeys(config, given.clinic).map((clinic) => [clinic, given.since]));
    for (;;) {
      for (const [clinic, cursor] of cursors)
        for await (const change of changesAfter(store, clinic, cursor, follow ? undefined : limit)) {
          print(io, lineFor(shown(change, patient)));
          cursors.set(clinic, change.sequence);
        }
      if (!follow || io.signal.aborted) return;
      await systemClock.sleep(LOOK_AGAIN_MS, io.signal).catch(() => {});
    }
  },
});

const changesAfter = (store: Store, clinic: string, sequence: number, limit: number | undefined) =>
  inPages(
    (count, last: Pick<Change, 'sequence'> = { sequence }) =>
      store.changes.after(clinic, last.sequence, count),
    { limit },
  );

function shown(change: Change, patient: boolean): Change {
  if (patient || !isAboutPatients(change.resource)) return change;
  const previous = change.previous && withoutPatient(change.previous);
  return { ...change, data: withoutPatient(change.data), previous };
}

/** `12  2026-03-02T09:00:01Z  main  treatment.updated  7  base_fee 40.00 → 45.00` */
function lineOf({ sequence, at, clinic, type, id, data, previous }: Change): string {
  const fields = Object.entries(previous ?? {}).map(
    ([name, before]) => `${name} ${brief(before)} → ${brief(data[name])}`,
  );
  return [String(sequence).padStart(5), at, clinic, type, id, fields.join(', ')].join('  ').trimEnd();
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
