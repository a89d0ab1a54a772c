import { get as request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  admin,
  adminToken,
  bearer,
  person,
  sampleIntake,
  samplePeopleStore,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { sampleReport } from '../../../test/support/http/sample-report.ts';
import { emptyView } from '../../app/empty-view.ts';
import { MINUTE } from '../../platform/duration.ts';
import { silentLog } from '../../platform/log.ts';

const tokenOf = (name: string) => `token-of-${name}-0123456789`;

interface Opened {
  status: number;
  ended: Promise<void>;
  readonly isOpen: boolean;
  close(): void;
}

describe('an open page', () => {
  /** Enough people for all places: one alone may have twenty of the hundred. */
  const several = ['Rima', 'Tara', 'Anik', 'Mitu', 'Joya'];
  const people = [admin, ...several.map((name) => person(name, 'viewer', tokenOf(name)))];
  const as = (n: number) => ({ authorization: `Bearer ${tokenOf(several[n % several.length] ?? '')}` });

  /** The stream’s chunks, and its end. */
  const open = (url: string, onChunk: (text: string) => void, who: Record<string, string> = bearer) =>
    new Promise<Opened>((resolve, reject) => {
      const headers = { ...who, accept: 'text/event-stream' };
      const sent = request(`${url}/live`, { headers }, (answer) => {
        answer.setEncoding('utf8').on('data', onChunk);
        const ended = new Promise<void>((over) => answer.once('close', over));
        resolve({
          status: answer.statusCode ?? 0,
          ended,
          close: () => sent.destroy(),
          get isOpen() {
            return !answer.closed;
          },
        });
      }).on('error', reject);
    });

  it('is notified of a change within seconds, and closed when the daemon stops', async () => {
    const clock = fakeClock();
    let rows = 1;
    const report = async () => {
      const sample = sampleReport(0);
      for (const { resources } of sample.clinics) for (const one of resources) one.rows = rows;
      return sample;
    };
    const own = await startSampleHttp({ report }, clock);
    const told: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const stream = await open(own.url, (text) => {
      told.push(text);
      if (text.includes('data:')) arrived.resolve();
    });
    await clock.advance(4_000);
    const before = told.join('');

    rows = 2;
    await clock.advance(4_000);
    await arrived.promise;
    const stopped = own.stop();
    await stream.ended;
    await clock.advance(10_000);
    await stopped;

    expect(stream.status).toBe(200);
    expect(before).toBe('retry: 5000\n\n');
    expect(told.join('')).toContain('data: changed\n\n');
  });

  it('that does not read its events makes room for another, and delays no one', async () => {
    const clock = fakeClock();
    const page = async () => ({ status: 200, html: 'x'.repeat(16 * 2 ** 20) });
    const intakes = new Map([['website', { intake: { ...sampleIntake('website'), page }, view: emptyView }]]);
    const own = await startSampleHttp({ intakes, people }, clock);
    // The stream waits behind an answer that is not read either, so nothing of it leaves.
    const slow = connect(own.port, '127.0.0.1').on('error', () => {});
    const asking = ['/in/website/form', '/live'].map(
      (path) =>
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${bearer.authorization}\r\naccept: text/event-stream\r\n\r\n`,
    );
    slow.write(asking.join(''));
    await expect.poll(() => clock.sleeping).toBe(2);
    const told = new Set<number>();
    const others = await Promise.all(
      Array.from({ length: 99 }, (_, n) =>
        open(
          own.url,
          (text) => {
            if (text.includes('data:')) told.add(n);
          },
          as(n),
        ),
      ),
    );

    const before = await open(own.url, () => {});
    await clock.advance(32_000);
    await expect.poll(() => told.size).toBe(99);
    const after = await open(own.url, () => {});

    expect([before.status, after.status]).toEqual([503, 200]);
    slow.destroy();
    for (const one of [before, after, ...others]) one.close();
    await own.stop();
  });

  it('stays connected while nothing happens', async () => {
    const own = await startSampleHttp({ limits: { requestMs: 40, headersMs: 20 } });
    const asked = performance.now();
    const stream = await open(own.url, () => {});

    const first = await Promise.race([
      stream.ended.then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 200, 'open')),
    ]);

    expect([first, performance.now() - asked >= 200]).toEqual(['open', true]);
    stream.close();
    await own.stop();
  });

  it('is one of a hundred at most', async () => {
    const own = await startSampleHttp({ people });
    const streams = await Promise.all(Array.from({ length: 100 }, (_, n) => open(own.url, () => {}, as(n))));
    const further = await open(own.url, () => {});

    expect(streams.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(further.status).toBe(503);
    for (const one of [...streams, further]) one.close();
    await own.stop();
  });

  it('is one of twenty at most of one person, and leaves the others their places', async () => {
    const own = await startSampleHttp({ people });
    const mine = await Promise.all(Array.from({ length: 30 }, () => open(own.url, () => {}, as(0))));
    const other = await open(own.url, () => {}, as(1));
    const closing = mine.find(({ status }) => status === 200);
    closing?.close();
    await closing?.ended;
    await expect
      .poll(async () => {
        const again = await open(own.url, () => {}, as(0));
        again.close();
        return again.status;
      })
      .toBe(200);

    expect(mine.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(other.status).toBe(200);
    for (const one of [...mine, other]) one.close();
    await own.stop();
  });

  it('is notified of changes after a failed report, which is logged once', async () => {
    const clock = fakeClock();
    let rows = 1;
    let isWhole = true;
    let looks = 0;
    const report = async () => {
      looks += 1;
      const sample = sampleReport(0);
      for (const { resources } of sample.clinics) for (const one of resources) one.rows = rows;
      return isWhole
        ? sample
        : { ...sample, clinics: [{ ...sample.clinics[0], resources: undefined } as never] };
    };
    const said: (string | undefined)[] = [];
    const error = (text: string, fields?: { problem?: unknown }) => {
      if (text === 'live pages lack news') said.push(String(fields?.problem));
    };
    const own = await startSampleHttp({ report, log: { ...silentLog, error } }, clock);
    const arrived = Promise.withResolvers<void>();
    const stream = await open(own.url, (text) => text.includes('data:') && arrived.resolve());
    await clock.advance(4_000);
    isWhole = false;
    await clock.advance(8_000);
    const failing = looks;
    isWhole = true;
    rows = 2;
    await clock.advance(4_000);
    await arrived.promise;

    expect(failing).toBeGreaterThan(3);
    expect(said).toEqual(['Looking at the report failed: TypeError']);
    stream.close();
    await own.stop();
  });

  /** A server, and browsers in which a person signed in, as the page sends it. */
  const desk = async (more: Parameters<typeof startSampleHttp>[0] = {}) => {
    const clock = fakeClock();
    const own = await startSampleHttp({ people, ...more }, clock);
    onTestFinished(() => own.stop());
    const send = (path: string, cookie: string, fields?: Record<string, string>, headers = {}) =>
      fetch(`${own.url}${path}`, {
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
        redirect: 'manual',
        headers: { accept: 'text/html', origin: own.url, cookie, ...headers },
      });
    const signIn = async (token: string) => {
      const { headers } = await send('/admin/sign-in', '', { token });
      return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
    };
    return { clock, own, send, signIn };
  };

  it('ends within seconds when the person signs out, and others’ continue', async () => {
    const { clock, own, send, signIn } = await desk();
    const [mine, other] = [await signIn(tokenOf('Rima')), await signIn(tokenOf('Rima'))];
    const [stream, further] = [await open(own.url, () => {}, mine), await open(own.url, () => {}, other)];
    const page = await (await send('/', mine.cookie)).text();
    const form_token = page.match(/name="form_token" value="([^"]+)"/)?.[1] ?? '';
    const signedOut = await send('/admin/sign-out', mine.cookie, { form_token, as_of: 'shown' });

    await clock.advance(5_000);
    await stream.ended;

    expect([signedOut.status, stream.status, further.status]).toEqual([303, 200, 200]);
    expect(further.isOpen).toBe(true);
  });

  it('ends within seconds when another process ends the session', async () => {
    const kept = samplePeopleStore();
    const { clock, own, signIn } = await desk(kept);
    const stream = await open(own.url, () => {}, await signIn(tokenOf('Rima')));
    await kept.sessions.end((await kept.sessions.list()).map(({ id }) => id));

    await clock.advance(5_000);
    await stream.ended;

    expect(stream.status).toBe(200);
  });

  it('does not keep anyone signed in who left it alone', async () => {
    const { clock, own, send, signIn } = await desk();
    const who = await signIn(tokenOf('Rima'));
    for (let quarters = 1; quarters < 4; quarters += 1) {
      await clock.advance(15 * MINUTE);
      (await open(own.url, () => {}, who)).close();
      await send('/', who.cookie, undefined, { 'x-update': '1' });
    }
    const before = await send('/incidents', who.cookie, undefined, { 'x-update': '1' });
    await clock.advance(15 * MINUTE);
    const after = await send('/incidents', who.cookie);

    expect([before.status, after.status]).toEqual([200, 303]);
  });

  it('leaves its place after five minutes when its reader is gone without a word', async () => {
    const { clock, own } = await desk();
    const gone = Array.from({ length: 20 }, () => {
      const socket = connect(own.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return socket
        .pause()
        .on('connect', () =>
          socket.write(
            `GET /live HTTP/1.1\r\nhost: localhost\r\nauthorization: ${as(0).authorization}\r\naccept: text/event-stream\r\n\r\n`,
          ),
        );
    });
    const tries = async () => {
      const one = await open(own.url, () => {}, as(0));
      one.close();
      await one.ended;
      return one.status;
    };
    await expect.poll(tries, { timeout: 20_000 }).toBe(503);

    await clock.advance(5 * MINUTE + 4_000);

    await expect.poll(tries, { timeout: 20_000 }).toBe(200);
    expect(gone.every(({ destroyed }) => !destroyed)).toBe(true);
  });

  it('leaves the others theirs when one person opens a thousand from one address', {
    tags: ['thorough'],
  }, async () => {
    const { clock, own } = await desk();
    let told = 0;
    const other = await open(
      own.url,
      (text) => {
        if (text.includes('data:')) told += 1;
      },
      as(1),
    );

    const greedy = await Promise.allSettled(
      Array.from({ length: 1_000 }, () => open(own.url, () => {}, as(0))),
    );
    const opened = greedy.filter((one) => one.status === 'fulfilled' && one.value.status === 200);
    const alive = await fetch(`${own.url}/livez`);
    const further = await open(own.url, () => {}, as(2));
    await clock.advance(32_000);
    await expect.poll(() => told, { timeout: 20_000 }).toBeGreaterThan(0);

    expect(opened.length).toBeLessThanOrEqual(20);
    expect([alive.status, further.status, other.isOpen]).toEqual([200, 200, true]);
    for (const one of greedy) if (one.status === 'fulfilled') one.value.close();
  });

  it('has twenty places for each browser of those who gave no name, because they share a token', async () => {
    const { own, signIn } = await desk();
    const [mine, other] = [await signIn(adminToken), await signIn(adminToken)];
    const twenty = await Promise.all(Array.from({ length: 21 }, () => open(own.url, () => {}, mine)));
    const further = await open(own.url, () => {}, other);

    expect(
      twenty
        .map(({ status }) => status)
        .toSorted()
        .slice(-2),
    ).toEqual([200, 503]);
    expect(further.status).toBe(200);
  });
});
