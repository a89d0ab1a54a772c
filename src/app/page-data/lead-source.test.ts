import { expect, it } from 'vitest';
import { booking, judge } from '../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { instant } from '../../platform/clock.ts';
import { DAY, HOUR } from '../../platform/duration.ts';
import { afterProbe, keepProbes, probeKey } from '../../status/probes.ts';
import { leadSource } from './lead-source.ts';

const clinics = ['main', 'north'];
const settings = {
  ...{ name: 'website', use: 'web-form', clinics, includePatient: false, approval: 'none' as const },
  ...{ isolate: false, settings: {} },
};

const asked = (name: string) => ({
  name,
  address: `https://ops.example/in/${name}`,
  link: 'Book',
});

it('says of a form what came, when it was tried, and when leads are missing', async () => {
  const clock = fakeClock();
  const store = await openTestStore();
  const options = {
    ...{ store, clock, connectors: [{ settings }] },
    config: { clinics: clinics.map((key) => ({ key, timezone: 'UTC' })) } as never,
  };
  const accept = (n: number, ago: number, source = 'website') => {
    const own = { submission_id: `${source}${n}`, content_hash: `${n}`, submission_hash: `${n}` };
    const received_at = instant(clock.now() - ago);
    return store.bookings.accept(booking({ ...own, source, clinic: 'main', received_at }), judge);
  };
  for (let n = 0; n < 32; n += 1) await accept(n, 3 * DAY + (31 - n) * DAY);
  await accept(99, HOUR, 'another');
  const at = clock.now();
  await keepProbes(store, {
    [probeKey('website', 'main', clinics)]: afterProbe(undefined, at, undefined),
    [probeKey('website', 'north', clinics)]: afterProbe(undefined, at, {
      step: 'door',
      what: 'it answers 503',
    }),
    // Its name begins like the form’s.
    'website2 main': afterProbe(undefined, at + HOUR, { step: 'page', what: 'it answers 404' }),
  });

  const found = await leadSource(options, asked('website'));

  expect(await leadSource(options, asked('unknown'))).toBeUndefined();
  expect(found?.latest).toHaveLength(20);
  expect(found?.latest[0]).toMatchObject({ source: 'website', received_at: instant(clock.now() - 3 * DAY) });
  expect(found).toMatchObject({ last_28_days: 25, probe: { at: instant(at), works: false } });
  expect(found?.alarms.map(({ said, clinic }) => [said?.name, clinic])).toEqual([['probe_door', 'north']]);

  await clock.advance(3 * DAY);

  const later = await leadSource(options, asked('website'));
  expect(later?.alarms.map(({ said, clinic }) => [said?.name, clinic])).toEqual([
    ['probe_door', 'north'],
    ['silence_day', 'main'],
  ]);
});

it('is there although the connector cannot say what to enter at the form tool', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const setup = async () => {
    throw new Error('Its process has ended.');
  };
  const settings = { name: 'website', use: 'web-form', clinics: [] };
  const connectors = [{ settings, connector: { intake: { setup } } }] as never;

  const found = await leadSource({ store, clock, connectors, config: { clinics: [] } }, asked('website'));

  expect(found).toMatchObject({ setup: null, canTry: false, latest: [] });
});
