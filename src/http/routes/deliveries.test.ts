import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { person, samplePeopleStore, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import type { ShownDelivery } from '../admin.ts';

const at = '2026-03-02T08:00:00.000Z';
const shown: ShownDelivery = {
  delivery: {
    ...{ n: 7, id: 'evt_7', connector: 'crm', clinic: 'main', sequence: 120, type: 'booking.held' },
    ...{ thing: 'booking:CS-1', body: '{"patient_name":"<b>Ann</b>"}', state: 'dead', attempts: 3 },
    ...{ created_at: at, next_attempt_at: at, last_error: 'crm.example answered 502', delivered_at: null },
  },
  request: { to: 'crm.example', headers: { 'x-api-key': '…', 'webhook-id': 'evt_7' } },
  replay_to: 163,
};

it('shows admins alone what is sent, with a line in the audit, and what sends it again', async () => {
  const clock = fakeClock();
  const people = samplePeopleStore();
  const http = await startSampleHttp(
    {
      ...{ sessions: people.sessions, audit: people.audit },
      people: [person('Ada', 'admin'), person('Vik', 'viewer'), person('Dee', 'desk')],
      delivery: async (n) => (n === 7 ? shown : undefined),
    },
    clock,
  );
  onTestFinished(() => http.stop());
  const get = (path: string, name: string) =>
    fetch(`${http.url}${path}`, {
      headers: { authorization: `Bearer token-of-${name}-0123456789`, accept: 'text/html' },
    });

  const [page, ...others] = await Promise.all([
    get('/deliveries/7', 'Ada'),
    ...[
      get('/deliveries/7', 'Vik'),
      get('/deliveries/7', 'Dee'),
      get('/deliveries/8', 'Ada'),
      get('/deliveries/x', 'Ada'),
    ],
  ]);
  const text = (await page?.text()) ?? '';

  expect(others.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
  expect(text).toContain('x-api-key: …');
  expect(text).toContain('&lt;b&gt;Ann');
  expect(text).toContain('crm receives the changes 120 to 163 of main once more');
  expect(text).toMatch(/action="\/admin\/connectors\/crm\/deliveries\/replay".*name="from" value="120"/);
  expect(text).toContain('crm.example answered 502');
  expect(text).toContain('action="/admin/connectors/crm/deliveries/retry"');
  expect(people.entries.filter(({ action }) => action === 'patients.read')).toMatchObject([
    { actor: 'Ada', subject: 'delivery 7' },
  ]);
});
