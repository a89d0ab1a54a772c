import { type CheckLine, type Memory, ok, warn } from '../../src/connector.ts';
import { requiredFields, submissionFields } from '../../src/domain/booking.ts';
import { type Clock, type Instant, instant, toMs } from '../../src/platform/clock.ts';
import { formatDuration } from '../../src/platform/duration.ts';
import type { Log } from '../../src/platform/log.ts';
import { isFormLabel } from './mapping/form-labels.ts';
import type { Mapped } from './mapping/mapping.ts';

const KEY = 'submissions';
/** Earlier versions kept names as they came, and a visitor can write one: removed at the start. */
const FORMER_KEY = 'seen';
const KEPT = 20;
const MOST_NAMES = 40;
/** Refused requests can come by the thousand; how many there were is written down at most once a minute. */
const REFUSALS_EVERY_MS = 60_000;

const WRITE_AFTER_MS = 1_000;

/** One submission as far as a person needs it to correct a mapping, without a word that its visitor may have written. */
interface Sighting {
  at: Instant;
  kind: 'booking' | 'task';
  /** Fields of the booking. */
  filled: string[];
  /** Names of fields that were not mapped: only labels that any form may have. */
  unused: string[];
  /** How many fields with other names were not mapped. */
  others: number;
}

interface Notes {
  sightings: Sighting[];
  refused: { count: number; at: Instant; message: string } | null;
}

/** The last 20 submissions, to see which fields a tool sends. Kept over restarts; a crash may lose the newest. */
export interface Seen {
  /** `hasNames`: its fields are named by the tool, not by lines of a text. */
  submission(mapped: Mapped, hasNames?: boolean): void;
  refusal(message: string): void;
  check(): Promise<CheckLine[]>;
  /** Resolves when everything is written down. */
  stop(): Promise<void>;
}

interface SeenOptions {
  memory: Memory;
  clock: Clock;
  log: Log;
  /** Anybody can send to a public form: names that are not ours are counted instead of kept. */
  isPublic: boolean;
}

export function createSeen({ memory, clock, log, isPublic }: SeenOptions): Seen {
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
  // Never waited for by a sender: these notes are a help, not a promise. A lead in the same moment must not wait for their
  // write either, and a burst is written down once.
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
    submission({ submission, unused }, hasNames = true) {
      // Of a text the field `text`, all of it, is named by us.
      const isOurs = hasNames ? isFormLabel : (name: string) => name === 'text';
      const known = isPublic ? [] : unused.filter(isOurs).slice(0, MOST_NAMES);
      const sighting: Sighting = {
        at: instant(clock.now()),
        kind: submission.task === undefined ? 'booking' : 'task',
        filled: Object.keys(submission.fields),
        unused: known,
        others: isPublic ? 0 : unused.length - known.length,
      };
      change((loaded) => {
        loaded.sightings = [sighting, ...loaded.sightings].slice(0, KEPT);
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
      // Read again: the command that asks runs in another process than the daemon that writes.
      const { sightings, refused } = await memory.get(KEY).then(parse, () => parse(undefined));
      return [...sightingLines(sightings, clock.now()), ...refusalLines(refused, clock.now())];
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

function sightingLines(sightings: readonly Sighting[], nowMs: number): CheckLine[] {
  if (sightings.length === 0) return [ok('no submission has come yet')];
  return sightings.map(({ at, kind, filled, unused, others }) => {
    const ago = `${formatDuration(nowMs - toMs(at))} ago`;
    const unnamed = others === 0 ? [] : [others === 1 ? '1 other field' : `${others} other fields`];
    const left = [...unused, ...unnamed];
    const not = left.length > 0 ? `; not used: ${left.join(', ')}` : '';
    if (kind === 'task') return ok(`${ago}: a task for a person`);
    const missing = requiredFields.filter((field) => !filled.includes(field));
    const known = submissionFields.filter((field) => filled.includes(field)).join(', ') || 'nothing';
    if (missing.length === 0) return ok(`${ago}: ${known}${not}`);
    return warn(
      `${ago}: ${known}; missing: ${missing.join(', ')}${not}`,
      `Say under \`fields:\` where ${missing[0]} comes from, and try it with a sample.`,
    );
  });
}

const refusalLines = (refused: Notes['refused'], nowMs: number): CheckLine[] =>
  refused === null
    ? []
    : [
        warn(
          `${refused.count} requests were refused, the last ${formatDuration(nowMs - toMs(refused.at))} ago: ${refused.message}`,
          'If they were the tool’s own, compare its address, token or secret with this connector’s settings.',
        ),
      ];

/** Notes of an older or damaged kind are forgotten: they are only a help. */
function parse(text: string | undefined): Notes {
  try {
    const { sightings, refused } = JSON.parse(text ?? '{}') as Partial<Notes>;
    return { sightings: sightings ?? [], refused: refused ?? null };
  } catch {
    return { sightings: [], refused: null };
  }
}
