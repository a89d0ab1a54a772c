import { expect, it, onTestFinished } from 'vitest';
import { booking, minute } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { until } from '../../test/support/until.ts';
import { judgeWithin } from '../bookings/duplicates/judge-lead.ts';
import type { Config } from '../config/config.ts';
import type { Connector } from '../connector.ts';
import { createClockTrust } from '../platform/clock-trust.ts';
import { DAY, HOUR } from '../platform/duration.ts';
import type { Log, LogFields } from '../platform/log.ts';
import { silentLog } from '../platform/log.ts';
import { startTerms, startTidying, startUpkeep } from './upkeep.ts';

async function running(retention: Config['retention']) {
  const clock = fakeClock(minute(0));
  const store = await openTestStore(newStoreFile());
  const lines: LogFields[] = [];
  const log: Log = { ...silentLog, info: (_text, fields = {}) => void lines.push(fields) };
  const tidied: string[] = [];
  const connector: Connector = {
    check: async () => [],
    stop: async () => {},
    tidy: async (before) => tidied.push(before),
  };
  const failing: Connector = { ...connector, tidy: () => Promise.reject(new Error('no folder')) };
  const named = (name: string) => ({
    name,
    use: 'csv',
    clinics: [],
    includePatient: false,
    approval: 'none' as const,
    isolate: false,
    settings: {},
  });
  const connectors = [
    { settings: named('first'), connector: failing, isDelivering: true },
    { settings: named('second'), connector, isDelivering: true },
  ];
  const config = { retention, connectors: connectors.map(({ settings }) => settings) };
  const drop = async () => {
    const { booking: stored } = await store.bookings.accept(
      booking({ appointment_date: '2026-03-02' }),
      judgeWithin(0),
    );
    const { ref } = stored;
    await store.bookings.move({
      ref,
      attempt: 0,
      from: ['queued'],
      to: 'dropped',
      actor: 'person',
      by: 'Sam',
      at: minute(0),
    });
    return ref;
  };
  const trust = createClockTrust({ clock, log });
  const start = () => {
    const loops = [
      startUpkeep({ store, trust, config, connectors }, clock, log),
      startTidying({ store, trust, config, connectors }, clock, log),
    ];
    const stop = () => Promise.all(loops.map((loop) => loop.stop())).then(() => {});
    onTestFinished(stop);
    return stop;
  };
  return { store, clock, lines, tidied, drop, start };
}

it('removes what is over its limit at start and every hour, and logs what it removed', async () => {
  const { store, clock, lines, drop, start } = await running({ dropped: 3 * DAY });
  const ref = await drop();

  start();
  await until('the first turns are over', () => clock.sleeping === 2);
  const before = await store.bookings.get(ref);
  await clock.advance(3 * DAY + HOUR);
  await until('it is removed', async () => (await store.bookings.get(ref)) === undefined);

  expect(before).toMatchObject({ ref });
  expect(lines).toEqual([{ kind: 'bookings', count: 1 }]);
});

it.each([
  ['forward', 74 * 365 * DAY],
  ['back', -56 * 365 * DAY],
])('removes nothing for a day after the clock leapt %s', async (_where, leap) => {
  const { store, clock, tidied, drop, start } = await running({ dropped: 3 * DAY, inbox: DAY });
  const ref = await drop();
  start();
  await until('the first turns are over', () => clock.sleeping === 2);
  clock.jump(leap);

  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour += 1) {
      await clock.advance(HOUR);
      await until('the turn is over', () => clock.sleeping === 2);
    }
  };
  await hours(20);
  expect(await store.bookings.get(ref)).toBeDefined();
  clock.jump(-leap);
  await hours(20);
  expect(await store.bookings.get(ref)).toBeDefined();
  expect(tidied).toHaveLength(1);

  await hours(4 * 24);
  await until('it is removed', async () => (await store.bookings.get(ref)) === undefined);
  expect(tidied.length).toBeGreaterThan(40);
});

it('has connectors remove their own old files, whatever becomes of another’s', async () => {
  const { tidied, start } = await running({ inbox: DAY });

  start();
  await until('the files were looked at', () => tidied.length === 1);

  expect(tidied).toEqual([minute(-24 * 60)]);
});

async function taking() {
  const clock = fakeClock(minute(0));
  const store = await openTestStore(newStoreFile());
  let number = 0;
  const come = async (count: number) => {
    const leads = Array.from({ length: count }, () => {
      number += 1;
      return booking({ patient_name: `Ann ${number}` });
    });
    await Promise.all(leads.map((lead) => store.bookings.accept(lead, judgeWithin(0))));
  };
  const due = async () => (await store.bookings.termsDue()).count;
  const start = () => {
    const loop = startTerms({ store }, clock, silentLog);
    onTestFinished(() => loop.stop());
  };
  return { store, clock, come, due, start };
}

it('writes search terms of a lead within five seconds, and after a kill those that waited', async () => {
  const { store, clock, come, due, start } = await taking();
  await come(3);
  start();
  await until('every term is written', async () => (await due()) === 0);
  await until('the loop rests', () => clock.sleeping === 1);
  await come(2);
  await clock.advance(5_000);
  await until('every term is written', async () => (await due()) === 0);
  await come(4);

  const copy = newStoreFile();
  await store.backup(copy);
  const next = await openTestStore(copy);
  expect(await next.bookings.termsDue()).toMatchObject({ count: 4 });
  const loop = startTerms({ store: next }, clock, silentLog);
  onTestFinished(() => loop.stop());
  await until('the copy has every term', async () => (await next.bookings.termsDue()).count === 0);
  expect(await next.bookings.withTerms(['nann'], 99)).toHaveLength(9);
});

it('lets the terms of a burst wait for its end, while its leads are found', async () => {
  const { store, clock, come, due, start } = await taking();
  start();
  await until('the loop rests', () => clock.sleeping === 1);
  for (const [count, restMs] of [
    [150, 5_000],
    [300, 1_000],
  ] as const) {
    await come(150);
    await clock.advance(restMs);
    await until('the loop rests', () => clock.sleeping === 1);
    expect(await due()).toBe(count);
  }
  expect(await store.bookings.withTerms(['n299'], 9)).toHaveLength(1);
  await come(20);
  await clock.advance(1_000);
  await until('every term is written', async () => (await due()) === 0);
  expect(await store.bookings.withTerms(['nann'], 999)).toHaveLength(320);
});
