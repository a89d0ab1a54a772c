import { expect, it, onTestFinished } from 'vitest';
import { statusText } from '../../src/cli/commands/status.ts';
import { instant } from '../../src/platform/clock.ts';
import { Failure } from '../../src/platform/failure.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createStatus } from '../../src/status/status.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import { createMirror } from '../../src/sync/mirror-poller.ts';
import { clinicSettings } from '../support/bookings/world.ts';
import { clinicOfLists } from '../support/clinic/clinic-of-lists.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { bearer, startSampleHttp } from '../support/http/http-kit.ts';

const MINUTE = 60_000;

/** A clinic of which one appointment cannot be read, and everything that a person or a program may look at. */
async function setUp() {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = clinicOfLists();
  const settings = clinicSettings('main');
  const mirror = createMirror({ clinic, store, clock, log: silentLog, settings });
  const parts = { store, clinics: [settings], connectors: [], clock, version: '1.2.3' };
  const startedAt = instant(clock.now());
  const { report } = createStatus({ ...parts, startedAt, bookingNeeds: async () => [] });
  const http = await startSampleHttp({ report }, clock);
  onTestFinished(() => http.stop());
  const get = async (path: string, accept = 'application/json') =>
    (await fetch(`${http.url}${path}`, { headers: { ...bearer, accept } })).text();
  return {
    clinic,
    track: () => store.appointments.track('main', [7], instant(clock.now())),
    async rounds(minutes: number) {
      for (let i = 0; i < minutes; i += 1) {
        await clock.advance(MINUTE);
        await mirror.poll('appointments', new AbortController().signal);
      }
    },
    async shown() {
      const status = JSON.parse(await get('/status.json'));
      return {
        page: (await get('/', 'text/html')).replaceAll(/<[^>]+>/g, ''),
        command: statusText(await report(), (_style, text) => text),
        unreadable: status.clinics[0].resources.find(({ poll }: { poll: string }) => poll === 'appointments')
          .unreadable,
        needs: status.needs.map(({ sentence }: { sentence: string }) => sentence),
        metric: /^clinic_sync_resource_unreadable\{clinic="main",resource="appointments"\} (\d+)$/m.exec(
          await get('/metrics'),
        )?.[1],
      };
    },
  };
}

it('shows a status that cannot be read on the page, in `status`, in JSON and as a metric until it is read', async () => {
  const { clinic, track, rounds, shown } = await setUp();
  clinic.statuses.set(7, new Failure({ kind: 'refused', status: 200, message: 'data.status is missing' }));
  await track();

  await rounds(1);
  const first = await shown();
  await rounds(60);
  const later = await shown();
  clinic.statuses.set(7, { status: 'Scheduled', name: 'Rahim', date: '2026-03-09', time: '10:30' });
  await rounds(60);
  const read = await shown();

  for (const seen of [first, later]) {
    expect(seen.unreadable).toMatchObject([{ id: '7', since: '2026-03-02T09:01:00.000Z' }]);
    expect(seen.metric).toBe('1');
    expect(seen.page).toMatch(/appointment 7: .*data\.status is missing/);
    expect(seen.command).toContain('1 cannot be read');
    expect(seen.needs.join()).toContain('(Appointments): appointment 7: data.status is missing');
  }
  expect(read).toMatchObject({ unreadable: [], metric: undefined });
  expect(read.page + read.command + read.needs.join()).not.toContain('cannot be read');
});
