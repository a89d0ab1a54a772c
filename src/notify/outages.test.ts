import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleTarget } from '../../test/support/notify/sample-target.ts';
import { instant } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import type { Alert } from './alerts.ts';
import type { LostReason } from './message.ts';
import { noticeMessageOf, plan } from './plan.ts';
import type { Notice } from './situation.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const LOOK_MS = MINUTE;
/** In these hours, everything is to happen; afterwards the targets work. */
const STORY_MS = 6 * HOUR;

const alert = (n: number, urgent: boolean): Alert => ({
  key: `booking CS-${n}`,
  topics: ['needs_you'],
  kind: 'booking',
  clinic: 'main',
  subject: `CS-${n}`,
  sentence: 'It waits.',
  action: 'Decide.',
  since: instant(NOON),
  urgent,
  url: null,
});

interface Thing {
  /** Looks until it appears, and until it ends after that. */
  at: number;
  forLooks: number;
  urgent: boolean;
}
type Fate = 'arrives' | 'fails' | 'lost' | 'refused';
interface Outage {
  at: number;
  forLooks: number;
  fate: Fate;
}

const looks = STORY_MS / LOOK_MS;
const thing = fc.record({
  at: fc.nat(looks / 2),
  // Some end while nobody can be told, most stay.
  forLooks: fc.oneof(
    { weight: 1, arbitrary: fc.nat(looks / 4) },
    { weight: 4, arbitrary: fc.constant(100_000) },
  ),
  urgent: fc.boolean(),
});
const outage = fc.record({
  at: fc.nat(looks - 1),
  forLooks: fc.integer({ min: 1, max: looks / 6 }),
  fate: fc.constantFrom<Fate>('fails', 'lost', 'refused'),
});

interface Told {
  keys: string[];
  look: number;
  /** Of the named things, whether each is urgent. */
  first: boolean[];
}

interface Attempts {
  fate: Fate;
  look: number;
  notices: ReadonlyMap<string, Notice>;
  waiting: Map<string, { keys: string[]; tries: number; dueAt: number }>;
  lost: Map<string, LostReason>;
  told: Told[];
}

function attemptDue({ fate, look, notices, waiting, lost, told }: Attempts): void {
  for (const [id, one] of [...waiting].filter(([, { dueAt }]) => dueAt <= look)) {
    if (fate === 'fails') {
      one.tries += 1;
      one.dueAt = look + Math.min(5, one.tries);
      continue;
    }
    waiting.delete(id);
    const items = [...notices.values()].filter(({ delivery }) => delivery === id);
    if (fate !== 'arrives') lost.set(id, fate === 'lost' ? 'unsure' : 'refused');
    else if (items.some(({ type }) => type === 'needs_you.opened'))
      told.push({
        keys: one.keys,
        look,
        first: noticeMessageOf(items, null)?.items.map(({ urgent }) => urgent) ?? [],
      });
  }
}

/** One target through a story: what it was told when, and what it is still owed at the end. */
function live(things: readonly Thing[], outages: readonly Outage[]) {
  const target = sampleTarget({ use: 'slack', on: ['needs_you'], remindMs: undefined });
  const notices = new Map<string, Notice>();
  const waiting = new Map<string, { keys: string[]; tries: number; dueAt: number }>();
  const lost = new Map<string, LostReason>();
  const told: Told[] = [];
  let ids = 0;
  let troubledAt: number | undefined;
  const last = looks + (12 * HOUR) / LOOK_MS;
  const alerts = new Map<string, Alert>();
  const fateAt = (look: number): Fate =>
    outages.find(({ at, forLooks }) => look >= at && look < at + forLooks)?.fate ?? 'arrives';

  for (let look = 0; look < last; look += 1) {
    const now = NOON + look * LOOK_MS;
    for (const [n, { at, forLooks, urgent }] of things.entries()) {
      if (look === at) alerts.set(`booking CS-${n}`, alert(n, urgent));
      if (look === at + forLooks) alerts.delete(`booking CS-${n}`);
    }
    const isSettled = [...notices.values()].every(({ owed, over }) => !owed && !over);
    if (
      waiting.size + lost.size === 0 &&
      isSettled &&
      [...alerts.keys()].every((key) => notices.has(key)) &&
      [...notices.keys()].every((key) => alerts.has(key))
    )
      continue;
    const step = plan({
      ...{ target, alerts, notices, now, troubledAt },
      ...{ waiting: new Set(waiting.keys()), lost: new Map(lost), escalated: new Set<string>() },
      zoneOf: () => 'UTC',
      newId: () => `ntf_${++ids}`,
    });
    lost.clear();
    for (const id of step.takenBack) waiting.delete(id);
    const made = new Map<string, string[]>();
    for (const [key, one] of step.notices) {
      if (one !== undefined && one.delivery !== '' && one.delivery !== notices.get(key)?.delivery)
        made.set(one.delivery, [...(made.get(one.delivery) ?? []), key]);
      if (one === undefined) notices.delete(key);
      else notices.set(key, one);
    }
    for (const [id, keys] of made)
      if (id.startsWith('ntf_')) waiting.set(id, { keys, tries: 0, dueAt: look });
    attemptDue({ fate: fateAt(look), look, notices, waiting, lost, told });
    if (fateAt(look) === 'fails' && waiting.size > 0) troubledAt = now;
  }
  return { told, notices, waiting, alerts };
}

const times = Number(process.env.VERIFY_RUNS ?? 1);
/** A long run has as many things as a bad day. */
const THINGS = times > 1 ? 500 : 60;
const numRuns = 20 * times;

it('is told of everything that lasts once a target is back, of urgent things first, in few messages', {
  timeout: 60_000 + numRuns * 10_000,
}, () => {
  fc.assert(
    fc.property(
      fc.array(thing, { minLength: THINGS, maxLength: THINGS }),
      fc.array(outage, { minLength: 1, maxLength: 3 }),
      (things, outages) => {
        const { told, notices, waiting, alerts } = live(things, outages);

        expect([...waiting.keys()]).toEqual([]);
        const open = [...notices].filter(([, one]) => one.owed === true).map(([key]) => key);
        expect(open).toEqual([]);
        const heard = new Set(told.flatMap(({ keys }) => keys));
        for (const key of alerts.keys()) expect(heard).toContain(key);
        for (const { first } of told) expect(first).toEqual(first.toSorted((a, b) => Number(b) - Number(a)));
        for (const { at, forLooks, fate } of outages) {
          const end = at + forLooks;
          const isNear = (look: number) => look >= end - 5 && look < end + 5;
          // What another one lost is told again, up to hours later.
          const isAlone =
            outages.filter(
              (other) => other.at < end + 10 && (other.at + other.forLooks > at || other.fate !== 'fails'),
            ).length === 1;
          if (fate !== 'fails' || forLooks < 10 || !isAlone) continue;
          const settled = things.every((one) => one.at < at || one.at > end + 10 || one.at < end);
          if (settled) expect(told.filter(({ look }) => isNear(look)).length).toBeLessThanOrEqual(3);
        }
      },
    ),
    { numRuns, seed: Number(process.env.VERIFY_SEED ?? 41) },
  );
});
