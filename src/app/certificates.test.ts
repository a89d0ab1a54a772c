import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import { makeCertificate } from '../../test/support/http/certificate.ts';
import { openTestStore } from '../../test/support/store/store-file.ts';
import { until } from '../../test/support/until.ts';
import type { Config } from '../config/config.ts';
import { instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { certificateNeed, certificateNeeds, certificateOf, startCertificateWatch } from './certificates.ts';

const { signal } = new AbortController();
const url = new URL('https://clinic.example/api/v1');
const since = instant(0);
const AT = Date.parse('2026-03-02T09:00:00Z');
const lasting = (days: number, left: number) => ({ from: AT + (left - days) * DAY, to: AT + left * DAY });
let sandbox: Sandbox | undefined;
afterEach(() => sandbox?.close());

it.each([
  ['three months, 20 days left', lasting(90, 20), undefined],
  ['three months, 13 days left', lasting(90, 13), { urgent: false }],
  ['three months, a day left', lasting(90, 1), { urgent: true }],
  ['six days, three left', lasting(6, 3), undefined],
  ['six days, one left', lasting(6, 1), { urgent: true }],
  [
    'ended yesterday',
    lasting(90, -1),
    { urgent: true, sentence: expect.stringContaining(' ended on 1 March 2026.') },
  ],
])('says what to do about a certificate of %s', (_, certificate, expected) => {
  const need = certificateNeed({ url, clinic: 'main' }, certificate, { now: AT, since });

  if (expected === undefined) expect(need).toBeUndefined();
  else expect(need).toMatchObject({ ...expected, clinic: 'main', subject: 'certificate' });
});

it('reads the certificate of a server, and nothing where there is none', async () => {
  sandbox = await startSandbox({ tls: await makeCertificate() });
  const plain = await startSandbox();
  onTestFinished(() => plain.close());

  const found = await certificateOf(new URL(sandbox.url), signal);

  expect(found?.to).toBeGreaterThan(Date.now());
  expect(await certificateOf(new URL(plain.url.replace('http:', 'https:')), signal)).toBeUndefined();
});

const configOf = (...urls: string[]) =>
  ({
    clinics: urls.map((base_url, n) => ({ key: n === 0 ? 'main' : `clinic-${n}`, base_url })),
    http: {},
  }) as unknown as Config;

it('reports one that is about to expire, until its server is no longer configured', async () => {
  sandbox = await startSandbox({ tls: await makeCertificate() });
  const { to = 0 } = (await certificateOf(new URL(sandbox.url), signal)) ?? {};
  const clock = fakeClock(instant(to - DAY / 24));
  const store = await openTestStore();

  const watch = startCertificateWatch({ config: configOf(sandbox.url), store, clock, log: silentLog });
  await until('it is noted', async () => (await certificateNeeds(store)).length === 1);
  await watch.stop();
  expect(await certificateNeeds(store)).toMatchObject([{ kind: 'clinic', clinic: 'main', urgent: true }]);

  const after = startCertificateWatch({ config: configOf(), store, clock, log: silentLog });
  await until('it is forgotten', async () => (await certificateNeeds(store)).length === 0);
  await settle();
  await after.stop();
});

it('does not wait for servers that take a connection and say nothing', async () => {
  sandbox = await startSandbox({ tls: await makeCertificate() });
  let waiting = 0;
  const silent = createServer((socket) => {
    waiting += 1;
    socket
      .on('error', () => {})
      .on('close', () => {
        waiting -= 1;
      });
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const { to = 0 } = (await certificateOf(new URL(sandbox.url), signal)) ?? {};
  const store = await openTestStore();

  const config = configOf(`https://127.0.0.1:${port}`, sandbox.url);
  const watch = startCertificateWatch({
    config,
    store,
    clock: fakeClock(instant(to - DAY / 24)),
    log: silentLog,
  });
  await until('the other is noted', async () => (await certificateNeeds(store)).length === 1);
  const stillWaiting = waiting;
  await watch.stop();

  expect(await certificateNeeds(store)).toMatchObject([{ clinic: 'clinic-1' }]);
  expect(stillWaiting).toBe(1);
});
