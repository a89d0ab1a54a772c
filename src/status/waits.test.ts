import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { ClinicConfig } from '../config/config.ts';
import { polls } from '../domain/clinics/resource.ts';
import { needWords } from '../domain/status/need-words.ts';
import { nothingLearned } from '../domain/status/report.ts';
import { runReport, said } from '../domain/texts/problem.ts';
import { headline } from '../http/pages/parts/headline.ts';
import { instant } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { localeOf } from '../platform/text/locale.ts';
import { openFileStore } from '../store/sqlite.ts';
import { loadTexts } from '../texts/texts.ts';
import { systemNeeds } from './needs.ts';
import { createStatus } from './status.ts';

/** A daemon whose data is fresh. */
async function setUp() {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const settings = ClinicConfig.parse({ base_url: 'https://clinic.example/api/v1', timezone: 'Asia/Dhaka' });
  const now = () => instant(clock.now());
  for (const poll of polls) await store.polls.finished('main', poll, now(), { error: null });
  const report = (waitMinutes = 0) =>
    createStatus({
      ...{ store, clock, version: '1.0.0', startedAt: now(), bookingNeeds: async () => [] },
      clinics: [{ ...settings, key: 'main', app_key: 'app', secret_key: 'secret' }],
      connectors: [{ name: 'crm', use: 'webhook' }],
      live: {
        alarms: () => [],
        needs: () => [],
        lane: () => ({ state: 'open', reason: null, since: null }),
        calls: () => ({ failing: null, workedAgoMs: 0 }),
        limiter: () => ({
          ...nothingLearned,
          blocked_since: now(),
          blocked_until: instant(clock.now() + waitMinutes * MINUTE),
        }),
      },
    }).report();
  return { clock, store, now, report };
}

it('says that the clinic asks us to wait, longer than a limit is learned, and asks a person from five minutes', async () => {
  const { clock, report } = await setUp();

  const learning = await report(1);
  const short = await report(2);
  const { needs, sentence } = await report(5);

  expect([learning.needs, short.needs]).toEqual([[], []]);
  expect(learning.sentence).toMatch(/^All good/);
  expect(short.sentence).toMatch(/^Data .* old\. The clinic’s server asks us to wait \(429\): /);
  expect(headline(short, clock.now(), localeOf('de'))).toMatch(/09:02/);
  expect(needs).toMatchObject([{ said: { name: 'asks_to_wait' }, clinic: 'main' }]);
  expect(sentence).toMatch(/^The clinic’s server asks us to wait \(429\): .* before 2026-03-02 09:05 UTC\.$/);
});

it('is not all good while a receiver refuses some events, although it takes others: they are counted', async () => {
  const { clock, store, report, now } = await setUp();
  const delivery = { sequence: 1, type: 'treatment.updated', thing: 'treatment:1', body: '{}' };
  const refused = ['d1', 'd2'].map((id) => ({ ...delivery, id }));
  const note = said('deliveries_held_up', { count: 2, since: '', until: '', detail: 'It answered 413.' });
  await store.deliveries.enqueue('crm', 'main', 1, refused, now());
  const before = await report();
  await store.deliveries.report('crm', runReport([note], now()));

  const during = await report();

  expect(before.sentence).toMatch(/^All good/);
  expect([during.health, during.connectors[0]?.state]).toEqual(['ok', 'ok']);
  expect(during.sentence).toMatch(/^Data .* old\. crm: 2 to send again\.$/);
  await loadTexts('de');
  expect(headline(during, clock.now(), localeOf('de'))).toMatch(/^Daten .* alt\. Noch nicht aktuell: crm\.$/);
});

it('is not all good while a sheet or file is behind because its last attempt failed', async () => {
  const { store, report } = await setUp();
  await store.deliveries.report('crm', { failures: 1, last_error: 'It asks us to slow down.' });

  expect((await report()).sentence).toMatch(/^Data .* old\. crm: not up to date\.$/);
});

it('says of a clinic that cannot be reached what is to be done about that fault', async () => {
  const at = '2026-03-02T09:00:00.000Z';
  const reason = {
    health: 'trouble',
    kind: 'unreachable',
    clinic: 'main',
    subject: 'clinic',
    since: at,
    sentence: 'the clinic does not answer',
  } as const;
  const fault = said('cert_expired', { name: 'the clinic’s server', detail: '' });

  const [known, unknown] = systemNeeds({
    at,
    database: { ok: true, problem: null, remedy: null },
    reasons: [{ ...reason, said: fault.said }, reason],
    alarms: [],
  });
  expect.assert(known && unknown);

  expect(known.action).toMatch(
    /^Tell whoever runs it to renew it\. .*\. Bookings wait, and resume when the clinic answers\.$/,
  );
  expect(unknown.action).toMatch(
    /^Check that its server runs .*`clinic-sync doctor` .* when the clinic answers\.$/,
  );
  await loadTexts('de');
  const german = [known, unknown].map((need) => needWords(need, localeOf('de')));
  expect(german.map((words) => words?.todo)).toEqual([
    expect.stringMatching(/^Bitten Sie den Betreiber, es zu erneuern\..* sobald die Praxis antwortet\.$/),
    expect.stringMatching(/^Prüfen Sie, ob ihr Server läuft .* sobald die Praxis antwortet\.$/),
  ]);
  expect(german[0]?.sentence).toBe(german[1]?.sentence);
});
