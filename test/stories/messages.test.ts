import { describe, expect, it } from 'vitest';
import * as words from '../../src/bookings/messages.ts';
import { availableActions, type Circumstances } from '../../src/bookings/review/available-actions.ts';
import { describe as inWords } from '../../src/bookings/review/explain.ts';
import { reviewItem } from '../../src/bookings/review/review-item.ts';
import { statusText } from '../../src/cli/commands/status.ts';
import {
  type Booking,
  bookingStates,
  type Evidence,
  holdReasons,
  probeVerdicts,
  unknownCauses,
  verifications,
} from '../../src/domain/bookings/booking.ts';
import { probeSteps } from '../../src/domain/bookings/probe.ts';
import { conditionNeed, needWords } from '../../src/domain/status/need-words.ts';
import type { ConnectorReport, HealthReason, Need } from '../../src/domain/status/report.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import { fleetNeeds } from '../../src/status/fleet-status.ts';
import { connectorNeeds, guardNeeds, systemNeeds, unreadableNeeds } from '../../src/status/needs.ts';
import { probeNeed } from '../../src/status/probes.ts';
import { type HealthFacts, healthOf, reasonsOf } from '../../src/status/reasons.ts';
import { topSentence } from '../../src/status/sentence.ts';
import { languages, loadTexts } from '../../src/texts/texts.ts';
import { heldAnswer } from '../conformance/store/samples.ts';
import { sampleBooking } from '../support/bookings/sample-booking.ts';
import { sampleReport } from '../support/http/sample-report.ts';

await Promise.all(languages.map(loadTexts));

const now = Date.parse('2026-03-12T09:00:00Z');
const at = '2026-03-12T08:00:00.000Z';
const zone = 'Asia/Dhaka';

/** Names of connectors and commands come as they are. */
const startsWell = /^(?:["“`(\dA-ZÀ-Þ]|crm\b|→ )/;
const slips = /\.\.(?!\.)|[.!?];|[.!?],|\.\)\.$| {2}| [.,;]|\(\)|undefined|\bnull\b|NaN|\[object/;

/** Whole sentences in one style, and nothing in them that a program let slip. */
function expectWell(texts: Iterable<string>): void {
  for (const text of texts) {
    expect(text).toMatch(startsWell);
    expect(text).toMatch(/[.!?…:]["”’)`]*$/);
    expect(text).not.toMatch(slips);
    expect(text.trim()).toBe(text);
  }
}

describe('what is said of a booking', () => {
  it('is whole sentences wherever they are written down', () => {
    const explained = [...Object.values(words.states), ...Object.values(words.holds), words.overdue];

    expectWell(explained.flatMap(({ means, todo }) => [means, todo]));
    expectWell([...Object.values(words.probeSentences), ...Object.values(words.verificationSentences)]);
    expectWell(Object.values(words.unknownChoices).map(({ way }) => way));
    expectWell([words.restoredMessage, words.unattendedMessage('It cannot be compared.')]);
    expectWell(unknownCauses.map((cause) => words.unknownMessage(words.answers[cause])));
    expectWell(holdReasons.map((reason) => words.heldMessage(reason, [{ message: 'The time is missing' }])));
  });

  const reasons: (string | null)[] = [null, ...holdReasons, ...unknownCauses];
  const messages = [null, 'No such slot', 'No such slot.', 'No such slot! '];
  const counters = { counter_before: { value: 1_000, at }, counter_after: { value: 1_001, at } };
  const evidences: (Evidence | null)[] = [
    null,
    {},
    { sent_at: at, answer: 'an answer that was cut off' },
    { sent_at: at, counter_before: { value: null, at } },
    { sent_at: at, ...counters },
    { sent_at: at, ...counters, counter_after: { value: null, at } },
    { sent_at: at, ...counters, own_between: 0, probed_ids: [7], matching_ids: [7] },
    { sent_at: at, ...counters, own_between: 1, probed_ids: [7, 8, 9] },
    { mismatch: ['The clinic shows another time.', 'The clinic shows another name.'] },
    ...probeVerdicts.map((verdict) => ({ verdict })),
    ...verifications.map((verification) => ({ verification })),
  ];
  const around: Circumstances = {
    clinicKnown: true,
    verdict: { faults: [], waits: false },
    settlesInMs: 0,
    mayProbe: true,
    first: undefined,
  };
  const kinds: Partial<Booking>[] = [{}, { clinic: '-' }, { kind: 'cancellation' }, { patient_name: null }];

  it.each(bookingStates)('is whole sentences for one that is %s, whatever is known of it', (state) => {
    const bookings = kinds.flatMap((kind) =>
      reasons.flatMap((reason) =>
        messages.flatMap((message) =>
          evidences.map((evidence) => sampleBooking({ state, reason, message, evidence, ...kind })),
        ),
      ),
    );

    const sentences = new Set(bookings.flatMap(sentencesAbout));

    expect(sentences.size).toBeGreaterThan(10);
    expectWell(sentences);
  });

  function sentencesAbout(booking: Booking): string[] {
    const item = reviewItem(booking, now, zone);
    const described = inWords(booking, zone, availableActions(booking, around));
    // The message of a task is its title.
    const isTask = booking.state === 'held' && booking.kind !== 'booking';
    return [
      ...(isTask ? [] : [described.sentence]),
      ...described.evidence,
      ...described.ways.map(({ way }) => way),
      ...(item === undefined ? [] : [item.sentence, item.action]),
    ];
  }
});

describe('what is said of trouble', () => {
  const errors = [
    null,
    'The clinic answers 500',
    'The clinic answers 500.',
    'GET /treatments: no connection. Check the address and the network.',
    'It is full! ',
    '`app_key` is wrong (401).',
  ];
  const [clinic] = sampleReport(now).clinics;
  expect.assert(clinic);
  const connector: ConnectorReport = {
    connector: 'crm',
    use: 'webhook',
    state: 'ok',
    delivers: true,
    lag: 0,
    pending: 0,
    dead: 0,
    last_success_at: null,
    last_error: null,
    problems: [],
    asks: [],
    failures: 0,
    reason: null,
    since: null,
  };
  const connectors = (error: string | null): ConnectorReport[] => [
    { ...connector, dead: 1 },
    { ...connector, dead: 2 },
    ...(['paused', 'quarantined'] as const).map((state) => ({ ...connector, state, reason: error })),
    { ...connector, state: 'failing' as const, failures: 7, last_error: error },
  ];
  const refusal = {
    failing: { since: at, forMs: 90_000, refused: true, again: true, everywhere: true },
    workedAgoMs: null,
  };
  const silence = {
    failing: { since: at, forMs: 90_000, refused: false, again: true, everywhere: true },
    workedAgoMs: null,
  };

  function facts(error: string | null): HealthFacts[] {
    const resources = (fields: object) =>
      clinic?.resources.map((one) => ({ ...one, failures: 0, last_error: error, ...fields })) ?? [];
    const base: HealthFacts = {
      now,
      clinics: [],
      connectors: [],
      alarms: [],
      database: { ok: true, problem: null },
      space: { free: 1e9, floor: 2e8, below: false },
      open: [],
    };
    expect.assert(clinic);
    const one = { ...clinic, late: new Map<string, number>(), blockedUntil: null, calls: undefined };
    const paused = { state: 'paused' as const, reason: error, since: at };
    const clinics: HealthFacts['clinics'] = [
      { ...one, resources: resources({ failures: 3 }) },
      { ...one, resources: resources({ stale: true }) },
      { ...one, resources: resources({ stale: true, last_success_at: null }) },
      { ...one, resources: resources({ failures: 1 }), late: new Map([['treatments', now - 90_000]]) },
      { ...one, resources: resources({ failures: 1 }), calls: refusal },
      { ...one, resources: resources({ failures: 1 }), calls: silence },
      { ...one, lane: paused },
    ];
    return [
      ...clinics.flatMap((each) => [
        { ...base, clinics: [each] },
        { ...base, clinics: [each, { ...each, clinic: 'north' }] },
      ]),
      { ...base, connectors: connectors(error) },
      { ...base, alarms: ['Polling treatments of main is 40 min overdue (it should end every 15 min).'] },
      { ...base, database: { ok: false, problem: error } },
      { ...base, space: { free: null, floor: 2e8, below: true } },
    ];
  }

  it.each(errors)('is one sentence at the top, and the whole command in order, after %j', (error) => {
    for (const given of facts(error)) {
      const reasons: HealthReason[] = reasonsOf(given);
      for (const needs of [
        [],
        [{ kind: 'booking', sentence: 'x' }],
        [{ kind: 'guard', sentence: 'It is held.' }],
      ] as Pick<Need, 'kind' | 'sentence'>[][]) {
        const sentence = topSentence({
          now,
          running: true,
          health: healthOf(reasons),
          reasons,
          needs,
          oldest: 60_000,
          waits: ['Bookings wait: x.'],
          held: ['crm: 7 to send again.'],
        });
        expectWell([sentence]);
      }
      // A cause is part of a list, not a whole sentence.
      expectWell(reasons.map((reason) => `It is so: ${reason.sentence}.`));
      const text = statusText({ ...sampleReport(now), reasons }, (_style, shown) => shown);
      expect(text).not.toMatch(/undefined|NaN|\[object|\.\.(?!\.)/);
    }
  });

  it.each(errors)('is a sentence and a remedy for a person, after %j', (error) => {
    const problem = error ?? 'it does not answer';
    const reason = { health: 'trouble', kind: 'unreachable', clinic: 'main', subject: 'main' } as const;
    const unreadable = [
      { id: '4', problem: 'base_fee is missing', since: at },
      { id: null, problem: 'number 3 of the list has no id', since: at },
    ];
    expect.assert(clinic);
    const [first] = clinic.resources;
    expect.assert(first);
    const guard: Parameters<typeof guardNeeds>[0][number] = {
      id: '3',
      ...heldAnswer,
      seen: 2,
      state: 'open',
      first_at: at,
      last_at: at,
    };
    const needs: Need[] = [
      ...connectors(error).flatMap((one) => connectorNeeds(one, at)),
      ...guardNeeds([guard, { ...guard, approval_only: true }], [{ key: 'main' }]),
      conditionNeed('database_warning', { since: at, detail: 'The log has grown to 90 MB' }),
      ...systemNeeds({
        at,
        database: { ok: false, problem, remedy: null },
        reasons: [
          { ...reason, sentence: `the clinic does not answer (${problem.trim()})`, since: at },
          { ...reason, kind: 'database', subject: 'disk', sentence: '100 MB free on the disk', since: at },
        ],
        alarms: [{ sentence: 'Polling stands still.', action: 'Restart it.', asksPerson: true }],
      }),
      ...probeSteps.map((step) =>
        probeNeed({ connector: 'website', since: at, fault: { step, what: 'patient_phone' } }),
      ),
      ...(['configuration', 'version', 'clock', 'gone'] as const).flatMap((kind) =>
        fleetNeeds({
          ...{ members: [], free: [], handed_over_at: null },
          alarms: [{ kind, subject: 'host-a', sentence: 'It differs.', action: 'Restart it.', since: at }],
        }),
      ),
      ...unreadableNeeds({ ...clinic, resources: [{ ...first, unreadable }] }),
      ...unreadableNeeds({ ...clinic, resources: [{ ...first, unreadable: unreadable.slice(1) }] }),
    ];

    expectWell(needs.flatMap(({ sentence, action }) => [sentence, action]));
    for (const lang of languages) {
      const words = needs.map((need) => needWords(need, localeOf(lang)));
      const english = needs.map((need) => needWords(need, localeOf('en')));
      for (const [at, one] of words.entries()) {
        expect.assert(one);
        expect(`${one.sentence} ${one.todo}`).not.toMatch(/[{}]|undefined|\bnull\b|NaN/);
        if (lang !== 'en') expect(one.sentence).not.toBe(english[at]?.sentence);
      }
    }
  });
});
