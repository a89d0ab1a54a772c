import { hash, randomUUID } from 'node:crypto';
import {
  type AcceptedBooking,
  type CheckLine,
  type Memory,
  ok,
  stated,
  type VisitorTrouble,
  warn,
} from '../../src/connector.ts';
import { type BookingState, requiredFields, submissionFields } from '../../src/domain/bookings/booking.ts';
import { type Clock, type Instant, instant, toMs } from '../../src/platform/clock.ts';
import { DAY, formatDuration, MINUTE } from '../../src/platform/duration.ts';
import type { Log } from '../../src/platform/log.ts';
import { isFormLabel } from './mapping/form-labels.ts';
import type { MappedForm } from './mapping/mapping.ts';

/** One key for each, because several daemons may take submissions at the same time. Sorted by time. */
const PREFIX = 'submission ';
const REFUSED = 'refused';
/** With the cause: what visitors of a public form ran into. */
const TROUBLE = 'trouble ';
/** With the event, one of those that a preset knows. */
const IGNORED = 'ignored ';
/** Of earlier versions: the whole list, and before that names of fields as they came, which a visitor can choose. */
const FORMER = { list: 'submissions', names: 'seen' };
const KEPT = 20;
const MOST_NAMES = 40;
/** One visitor may leave a field empty. */
const LAST = 3;
/** Refused requests may come by the thousand, so their count is stored at most once a minute. */
const REFUSALS_EVERY_MS = MINUTE;

const WRITE_AFTER_MS = 1_000;

/** What a person needs of a submission to correct a mapping, without any word that its visitor may have written. */
interface Sighting {
  at: Instant;
  kind: 'booking' | 'task' | 'rehearsal';
  /** Identifies it until its reference is known. Begins with its time. */
  receipt: string;
  /** Reference of the booking that it became or was merged into. */
  ref?: string;
  /** Filled fields of the booking. */
  filled: string[];
  /** Names of unmapped fields, as far as they are common form labels. */
  unused: string[];
  /** Number of unmapped fields with other names. */
  others: number;
  /** Digest of the rules that it was read with. */
  rules?: string;
}

interface Refused {
  count: number;
  at: Instant;
  message: string;
  /** The remedy, for what visitors run into. */
  action?: string;
}

/** The last 20 submissions, to see which fields a tool sends. Kept across restarts; a crash may lose the newest. */
export interface SeenFields {
  /** Returns a receipt if it will be stored. `hasNames`: the tool names its fields, not lines of a text. */
  submission(
    mapped: MappedForm,
    about?: { purpose?: 'submission' | 'rehearsal' | 'validation'; hasNames?: boolean },
  ): string | undefined;
  accepted(receipt: string, ref: string): void;
  refusal(message: string): void;
  /** An event that is no lead. */
  ignored(event: string): void;
  trouble(trouble: VisitorTrouble): void;
  /** Fields that the clinic needs and the last submissions did not have: the tool may call them something else now. */
  lost(): Promise<string[]>;
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
  /** Where the tool's fields are looked for: what was read otherwise says nothing about these. */
  rules: object;
}

export function createSeen({ memory, clock, log, find, isPublic, ...given }: SeenOptions): SeenFields {
  const rules = hash('sha256', JSON.stringify(given.rules), 'base64url').slice(0, 10);
  /** Of this process, newest first. */
  const recent: Sighting[] = [];
  let count = 0;
  let refusalWrittenMs = Number.NEGATIVE_INFINITY;
  const formerRemoved = removeFormer(memory).catch(() => log.debug('former submission notes not removed'));
  const writer = createWriter({ memory, clock, log });

  return {
    submission({ submission, unused }, { purpose = 'submission', hasNames = true } = {}) {
      if (purpose === 'validation') return undefined;
      // A text is one field, `text`, which we name.
      const isOurs = hasNames ? isFormLabel : (name: string) => name === 'text';
      const known = isPublic ? [] : unused.filter(isOurs).slice(0, MOST_NAMES);
      const at = instant(clock.now());
      count += 1;
      const sighting: Sighting = {
        at,
        kind: purpose === 'rehearsal' ? purpose : submission.task === undefined ? 'booking' : 'task',
        receipt: `${at} ${orderOf(count)} ${randomUUID()}`,
        filled: Object.keys(submission.fields),
        unused: known,
        others: isPublic ? 0 : unused.length - known.length,
        rules,
      };
      recent.unshift(sighting);
      recent.splice(KEPT);
      writer.write(sighting);
      return purpose === 'rehearsal' ? undefined : sighting.receipt;
    },
    accepted(receipt, ref) {
      const sighting = recent.find((one) => one.receipt === receipt);
      if (sighting !== undefined) writer.write(Object.assign(sighting, { ref }));
    },
    refusal(message) {
      const worthWriting = clock.monotonic() - refusalWrittenMs >= REFUSALS_EVERY_MS;
      if (worthWriting) refusalWrittenMs = clock.monotonic();
      writer.refused(REFUSED, { count: 1, at: instant(clock.now()), message }, worthWriting);
    },
    ignored(event) {
      writer.refused(IGNORED + event, { count: 1, at: instant(clock.now()), message: event }, true);
    },
    trouble({ cause, sentence, action }) {
      const note = { count: 1, at: instant(clock.now()), message: sentence, action };
      writer.refused(TROUBLE + cause, note, true);
    },
    async lost() {
      await writer.writeNow();
      const stored = await memory.list(PREFIX);
      const last = Object.keys(stored)
        .toSorted()
        .toReversed()
        .flatMap((key) => parse<Sighting>(stored[key]) ?? [])
        .filter((one) => one.kind !== 'task' && one.rules === rules)
        .slice(0, LAST);
      return last.length === 0
        ? []
        : requiredFields.filter((field) => last.every(({ filled }) => !filled.includes(field)));
    },
    async check() {
      await writer.writeNow();
      // Read from the database, because the asking command and the writing daemons are different processes.
      const stored = await memory.list(PREFIX).catch((): Record<string, string> => ({}));
      const refusals = await memory.get(REFUSED).catch(() => undefined);
      const troubles = await memory.list(TROUBLE).catch((): Record<string, string> => ({}));
      const ignored = await memory.list(IGNORED).catch((): Record<string, string> => ({}));
      const newest = Object.keys(stored).toSorted().slice(-KEPT).toReversed();
      const known = await Promise.all(
        newest
          .flatMap((key) => parse<Sighting>(stored[key]) ?? [])
          .map(async (sighting) => ({
            ...sighting,
            booking: sighting.ref === undefined ? undefined : await find(sighting.ref).catch(() => undefined),
          })),
      );
      const each = known.filter(isNewestOf);
      return [
        ...outcomeLines(each),
        ...sightingLines(each, clock.now()),
        ...ignoredLines(Object.values(ignored), clock.now()),
        ...refusalLines(parse<Refused>(refusals), clock.now()),
        ...Object.values(troubles).flatMap((note) => troubleLines(parse<Refused>(note), clock.now())),
      ];
    },
    async stop() {
      await formerRemoved;
      await writer.writeNow();
    },
  };
}

/** Keeps those of one moment in order. */
const orderOf = (count: number): string => String(count).padStart(9, '0');

/** No sender waits for these notes, which are a help and not a promise. A burst is written once. */
function createWriter({ memory, clock, log }: Pick<SeenOptions, 'memory' | 'clock' | 'log'>) {
  /** By receipt, in order. */
  let unwritten = new Map<string, Sighting>();
  /** Not yet added to the stored count. */
  let refused = new Map<string, Refused>();
  let dirty = false;
  let writing: Promise<void> | undefined;
  let hurry = new AbortController();

  const writeAll = async () => {
    const [some, refusals] = [unwritten, refused];
    unwritten = new Map();
    refused = new Map();
    try {
      if (some.size > 0) await writeSightings(memory, [...some.values()].slice(-KEPT));
      if (refusals.size > 0) await addRefusals(memory, refusals);
    } catch {
      unwritten = new Map([...some, ...unwritten].slice(-KEPT));
      for (const [key, newer] of refused) refusals.set(key, added(refusals.get(key), newer));
      refused = refusals;
      log.debug('submission notes not written');
    }
  };
  const write = async () => {
    while (dirty) {
      await clock.sleep(WRITE_AFTER_MS, hurry.signal).catch(() => {});
      dirty = false;
      await writeAll();
    }
    writing = undefined;
  };
  const soon = () => {
    dirty = true;
    writing ??= write();
  };

  return {
    write(sighting: Sighting) {
      unwritten.set(sighting.receipt, sighting);
      soon();
    },
    refused(key: string, more: Refused, worthWriting: boolean) {
      refused.set(key, added(refused.get(key), more));
      if (worthWriting) soon();
    },
    async writeNow() {
      hurry.abort();
      await writing;
      hurry = new AbortController();
    },
  };
}

async function writeSightings(memory: Memory, some: readonly Sighting[]): Promise<void> {
  const written = Object.fromEntries(some.map((one) => [PREFIX + one.receipt, JSON.stringify(one)]));
  const all = Object.keys({ ...(await memory.list(PREFIX)), ...written });
  const old = all.toSorted().slice(0, -KEPT);
  await memory.set({ ...written, ...Object.fromEntries(old.map((key) => [key, undefined])) });
}

async function addRefusals(memory: Memory, more: ReadonlyMap<string, Refused>): Promise<void> {
  const sums = [...more].map(async ([key, one]) => {
    const before = parse<Refused>(await memory.get(key));
    return [key, JSON.stringify(added(before, one))] as const;
  });
  await memory.set(Object.fromEntries(await Promise.all(sums)));
}

const added = (before: Refused | undefined, more: Refused): Refused => ({
  ...more,
  count: (before?.count ?? 0) + more.count,
});

/** Keeps what the list of an earlier version says. */
async function removeFormer(memory: Memory): Promise<void> {
  const former = await memory.get(FORMER.list);
  const { sightings = [], refused } = parse<FormerList>(former) ?? {};
  if (former === undefined && (await memory.get(FORMER.names)) === undefined) return;
  await memory.set({
    ...Object.fromEntries(
      sightings.map((one, n) => {
        const receipt = `${one.at} ${orderOf(sightings.length - n)}`;
        return [PREFIX + receipt, JSON.stringify({ ...one, receipt })];
      }),
    ),
    ...(refused && { [REFUSED]: JSON.stringify(refused) }),
    [FORMER.list]: undefined,
    [FORMER.names]: undefined,
  });
}

interface FormerList {
  sightings?: Sighting[];
  refused?: Refused | null;
}

type Known = Sighting & { booking: Pick<AcceptedBooking, 'ref' | 'state' | 'reason'> | undefined };

/** Tools send again what was not answered: one booking is one line. */
const isNewestOf = ({ ref }: Known, index: number, newestFirst: readonly Known[]): boolean =>
  ref === undefined || newestFirst.findIndex((one) => one.ref === ref) === index;

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

function ignoredLines(notes: readonly string[], nowMs: number): CheckLine[] {
  const events = notes.flatMap((note) => parse<Refused>(note) ?? []);
  if (events.length === 0) return [];
  const named = events.map(({ count, at, message }) => {
    const ago = formatDuration(nowMs - toMs(at));
    return `${message} (${count}, the last ${ago} ago)`;
  });
  return [ok(`answered and not stored, because they are no leads: ${named.join(', ')}`)];
}

const refusalLines = (refused: Refused | undefined, nowMs: number): CheckLine[] =>
  refused === undefined
    ? []
    : [
        warn(
          `${refused.count === 1 ? '1 request was' : `${refused.count} requests were`} refused, the last ` +
            `${formatDuration(nowMs - toMs(refused.at))} ago: ${refused.message}`,
          'If they were the tool’s own, compare its address, token or secret with this connector’s settings.',
        ),
      ];

/** What was not seen for a week is over. */
const TROUBLE_MS = 7 * DAY;

function troubleLines(trouble: Refused | undefined, nowMs: number): CheckLine[] {
  if (trouble === undefined || nowMs - toMs(trouble.at) > TROUBLE_MS) return [];
  const { count, at, message, action } = trouble;
  return [warn(`${visitorsOf(count)}, the last ${formatDuration(nowMs - toMs(at))} ago: ${message}`, action)];
}

const visitorsOf = (count: number): string => (count === 1 ? '1 visitor' : `${count} visitors`);

/** Unreadable notes are dropped: they are only a help. */
function parse<Note>(text: string | undefined): Note | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Note);
  } catch {
    return undefined;
  }
}
