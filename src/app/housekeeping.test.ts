import { expect, it, onTestFinished } from 'vitest';
import { booking, minute } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { until } from '../../test/support/until.ts';
import type { Config } from '../config/config.ts';
import type { Connector } from '../connector.ts';
import { DAY, HOUR } from '../platform/duration.ts';
import type { Log, LogFields } from '../platform/log.ts';
import { silentLog } from '../platform/log.ts';
import { startTidying, startUpkeep } from './housekeeping.ts';

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
    const { booking: stored } = await store.bookings.accept(booking({ appointment_date: '2026-03-02' }), 0);
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
  const start = () => {
    const loops = [
      startUpkeep({ store, config, connectors }, clock, log),
      startTidying({ config, connectors }, clock, log),
    ];
    onTestFinished(() => Promise.all(loops.map((loop) => loop.stop())).then(() => {}));
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

it('has connectors remove their own old files, whatever becomes of another’s', async () => {
  const { tidied, start } = await running({ inbox: DAY });

  start();
  await until('the files were looked at', () => tidied.length === 1);

  expect(tidied).toEqual([minute(-24 * 60)]);
});
