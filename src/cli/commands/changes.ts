import type { Change } from '../../domain/clinics/change.ts';
import { isAboutPatients, withoutPatient } from '../../domain/patient.ts';
import { type Instant, systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import { PATIENTS } from '../audited.ts';
import { command, flagArgument } from '../command.ts';
import { clinicKeys } from '../configuration.ts';
import { Exit, exit, print } from '../io.ts';
import { inPages, limitArgument } from '../list.ts';
import { momentOf } from '../since.ts';
import { withStore } from '../with-app.ts';

const LOOK_AGAIN_MS = 1000;

export const changes = command({
  name: 'changes',
  describe: 'Print the change log',
  args: {
    since: {
      type: 'string',
      default: '0',
      requiresArg: true,
      describe: 'Only changes after this sequence, or since an age (1h, 2d), a day or a moment (UTC)',
      coerce: startOf,
    },
    follow: flagArgument('Keep printing changes as they happen'),
    limit: limitArgument('At most this many per clinic (not with --follow)', 1000),
    clinic: { type: 'string', describe: 'One clinic only' },
    patient: flagArgument('Include names, phones, addresses and notes'),
  },
  examples: {
    'changes --since 120 --follow': 'what happens from now on',
    'changes --since 1h': 'the last hour',
  },
  audit: { action: PATIENTS },
  open: withStore,
  async run(io, { json, patient, follow, limit, ...given }, { config, store }) {
    const lineFor = json ? JSON.stringify : lineOf;
    const cursors = new Map<string, number>();
    for (const clinic of clinicKeys(config, given.clinic))
      cursors.set(clinic, await sequenceBefore(store, clinic, given.since));
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

function startOf(text: string): number | Instant {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const at = momentOf(text);
  if (at !== undefined) return at;
  const ways = 'write 120, 1h, 2d, 2026-03-01 or 2026-03-01T09:00Z';
  throw new Exit(exit.usage, `${text} is not a sequence, age, day or moment; ${ways}.`);
}

/** The last sequence before the moment, by binary search: the log is ordered by time. */
async function sequenceBefore(store: Store, clinic: string, start: number | Instant): Promise<number> {
  if (typeof start === 'number') return start;
  let [before, after] = [0, await store.changes.latest(clinic)];
  while (before < after) {
    const middle = Math.floor((before + after) / 2);
    const [next] = await store.changes.after(clinic, middle, 1);
    if (next !== undefined && next.at < start) before = next.sequence;
    else after = middle;
  }
  return before;
}

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
