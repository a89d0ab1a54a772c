import { randomUUID } from 'node:crypto';
import { type AcceptedBooking, type CheckLine, type Memory, ok, stated, warn } from '../../src/connector.ts';
import { type BookingState, requiredFields, submissionFields } from '../../src/domain/booking.ts';
import { type Clock, type Instant, instant, toMs } from '../../src/platform/clock.ts';
import { formatDuration, MINUTE } from '../../src/platform/duration.ts';
import type { Log } from '../../src/platform/log.ts';
import { isFormLabel } from './mapping/form-labels.ts';
import type { Mapped } from './mapping/mapping.ts';

const KEY = 'submissions';
/** Earlier versions stored field names as they came, which a visitor can choose: deleted at start. */
const FORMER_KEY = 'seen';
const KEPT = 20;
const MOST_NAMES = 40;
/** Refused requests may come by the thousand, so their count is stored at most once a minute. */
const REFUSALS_EVERY_MS = MINUTE;

const WRITE_AFTER_MS = 1_000;

/** What a person needs of a submission to correct a mapping, without any word that its visitor may have written. */
interface Sighting {
  at: Instant;
  kind: 'booking' | 'task' | 'rehearsal';
  /** Identifies it until its reference is known. */
  receipt?: string;
  /** Reference of the booking that it became or was merged into. */
  ref?: string;
  /** Filled fields of the booking. */
  filled: string[];
  /** Names of unmapped fields, as far as they are common form labels. */
  unused: string[];
  /** Number of unmapped fields with other names. */
  others: number;
}

interface Notes {
  sightings: Sighting[];
  refused: { count: number; at: Instant; message: string } | null;
}

/** The last 20 submissions, to see which fields a tool sends. Kept across restarts; a crash may lose the newest. */
export interface Seen {
  /** Returns a receipt if it will be stored. `hasNames`: the tool names its fields, not lines of a text. */
  submission(
    mapped: Mapped,
    about?: { purpose?: 'submission' | 'rehearsal' | 'validation'; hasNames?: boolean },
  ): string | undefined;
  accepted(receipt: string, ref: string): void;
  refusal(message: string): void;
  check(): Promise<CheckLine[]>;
  /** Resolves when everything is stored. */
  stop(): Promise<void>;
}

interface SeenOptions {
  memory: Memory;
  clock: Clock;
  log: Log;
  /** The outcome of a booking of this connector. */
  find(ref: string): Promise<Pick<AcceptedBooking, 'ref' | 'state' | 'reason'> | undefined>;
  /** Anyone can send to a public form, so names other than ours are counted instead of stored. */
  isPublic: boolean;
}

export function createSeen({ memory, clock, log, find, isPublic }: SeenOptions): Seen {
  let notes: Promise<Notes> | undefined;
  let dirty = false;
  let writing: Promise<void> | undefined;
  let refusalWrittenMs = Number.NEGATIVE_INFINITY;
  const formerRemoved = removeFormer(memory).catch(() => log.debug('former submission notes not removed'));

  const load = () => {
    notes ??= memory.get(KEY).then(parse, () => parse(undefined));
    return notes;
  };
  let hurry = new AbortController();
  // No sender waits for these notes, which are a help and not a promise. Nor does a concurrent lead: a burst is written
  // once.
  const write = async () => {
    while (dirty) {
      await clock.sleep(WRITE_AFTER_MS, hurry.signal).catch(() => {});
      dirty = false;
      try {
        await memory.set({ [KEY]: JSON.stringify(await load()) });
      } catch {
        log.debug('submission notes not written');
      }
    }
    writing = undefined;
  };
  const writeNow = async () => {
    await notes;
    hurry.abort();
    await writing;
    hurry = new AbortController();
  };
  const change = (edit: (notes: Notes) => void, worthWriting = true) => {
    void load().then((loaded) => {
      edit(loaded);
      if (!worthWriting) return;
      dirty = true;
      writing ??= write();
    });
  };

  return {
    submission({ submission, unused }, { purpose = 'submission', hasNames = true } = {}) {
      if (purpose === 'validation') return undefined;
      // A text is one field, `text`, which we name.
      const isOurs = hasNames ? isFormLabel : (name: string) => name === 'text';
      const known = isPublic ? [] : unused.filter(isOurs).slice(0, MOST_NAMES);
      const sighting: Sighting = {
        at: instant(clock.now()),
        kind: purpose === 'rehearsal' ? purpose : submission.task === undefined ? 'booking' : 'task',
        receipt: randomUUID(),
        filled: Object.keys(submission.fields),
        unused: known,
        others: isPublic ? 0 : unused.length - known.length,
      };
      change((loaded) => {
        loaded.sightings = [sighting, ...loaded.sightings].slice(0, KEPT);
      });
      return purpose === 'rehearsal' ? undefined : sighting.receipt;
    },
    accepted(receipt, ref) {
      change((loaded) => {
        const sighting = loaded.sightings.find((one) => one.receipt === receipt);
        if (sighting !== undefined) sighting.ref = ref;
      });
    },
    refusal(message) {
      const worthWriting = clock.monotonic() - refusalWrittenMs >= REFUSALS_EVERY_MS;
      if (worthWriting) refusalWrittenMs = clock.monotonic();
      change((loaded) => {
        loaded.refused = { count: (loaded.refused?.count ?? 0) + 1, at: instant(clock.now()), message };
      }, worthWriting);
    },
    async check() {
      await writeNow();
      // Read from the database, because the asking command and the writing daemon are different processes.
      const { sightings, refused } = await memory.get(KEY).then(parse, () => parse(undefined));
      const known = await Promise.all(
        sightings.map(async (sighting) => ({
          ...sighting,
          booking: sighting.ref === undefined ? undefined : await find(sighting.ref).catch(() => undefined),
        })),
      );
      return [
        ...outcomeLines(known),
        ...sightingLines(known, clock.now()),
        ...refusalLines(refused, clock.now()),
      ];
    },
    async stop() {
      await formerRemoved;
      await writeNow();
    },
  };
}

async function removeFormer(memory: Memory): Promise<void> {
  if ((await memory.get(FORMER_KEY)) !== undefined) await memory.set({ [FORMER_KEY]: undefined });
}

type Known = Sighting & { booking: Pick<AcceptedBooking, 'ref' | 'state' | 'reason'> | undefined };

/** States in which a patient waits for a person. */
const needsPerson: readonly BookingState[] = ['held', 'rejected', 'unknown', 'expired'];

function outcomeLines(sightings: readonly Known[]): CheckLine[] {
  const states = sightings.flatMap(({ booking }) => booking?.state ?? []);
  if (states.length === 0) return [];
  const counts = Object.entries(Object.groupBy(states, (state) => state)).map(
    ([state, all]) => `${all.length} ${state}`,
  );
  const what = `what became of the last ${states.length}: ${counts.join(', ')}`;
  return states.some((state) => needsPerson.includes(state))
    ? [warn(what, '`clinic-sync bookings list` shows those that wait for a person.')]
    : [ok(what)];
}

function sightingLines(sightings: readonly Known[], nowMs: number): CheckLine[] {
  if (sightings.length === 0) return [ok(stated('check_no_submission', {}))];
  return sightings.map((sighting) => sightingLine(sighting, nowMs));
}

function sightingLine({ at, kind, filled, unused, others, booking }: Known, nowMs: number): CheckLine {
  const ago = `${formatDuration(nowMs - toMs(at))} ago`;
  const unnamed = others === 0 ? [] : [others === 1 ? '1 other field' : `${others} other fields`];
  const left = [...unused, ...unnamed];
  const not = left.length > 0 ? `; not used: ${left.join(', ')}` : '';
  const reason = booking?.reason ? ` (${booking.reason})` : '';
  const became = booking === undefined ? '' : `${booking.ref} is ${booking.state}${reason}: `;
  if (kind === 'task') return ok(`${ago}: ${became}a task for a person`);
  const missing = requiredFields.filter((field) => !filled.includes(field));
  const known = submissionFields.filter((field) => filled.includes(field)).join(', ') || 'nothing';
  const fields = `${known}${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}${not}`;
  if (kind === 'rehearsal')
    return warn(
      `${ago}: a rehearsal, which was not stored: ${fields}`,
      'Remove `rehearse=1` from the tool’s address when the result is right: until then, none of its leads is stored.',
    );
  if (missing.length > 0)
    return warn(
      `${ago}: ${became}${fields}`,
      `Say under \`fields:\` where ${missing[0]} comes from, and try it with a sample.`,
    );
  return booking !== undefined && needsPerson.includes(booking.state)
    ? warn(
        `${ago}: ${became}${fields}`,
        `\`clinic-sync bookings show ${booking.ref}\` says why, and what to do.`,
      )
    : ok(`${ago}: ${became}${fields}`);
}

const refusalLines = (refused: Notes['refused'], nowMs: number): CheckLine[] =>
  refused === null
    ? []
    : [
        warn(
          `${refused.count === 1 ? '1 request was' : `${refused.count} requests were`} refused, the last ${formatDuration(nowMs - toMs(refused.at))} ago: ${refused.message}`,
          'If they were the tool’s own, compare its address, token or secret with this connector’s settings.',
        ),
      ];

/** Unreadable or outdated notes are dropped: they are only a help. */
function parse(text: string | undefined): Notes {
  try {
    const { sightings, refused } = JSON.parse(text ?? '{}') as Partial<Notes>;
    return { sightings: sightings ?? [], refused: refused ?? null };
  } catch {
    return { sightings: [], refused: null };
  }
}
