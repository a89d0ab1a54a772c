import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import { accepted, bearer, samplePort, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { sampleReport } from '../../test/support/http/sample-report.ts';
import type { Health, HealthReason } from '../domain/status/report.ts';
import { Failure } from '../platform/failure.ts';
import type { HttpOptions } from './http.ts';

async function start(more: Partial<HttpOptions> = {}) {
  const clock = fakeClock();
  const http = await startSampleHttp(more, clock);
  onTestFinished(() => http.stop());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${http.url}${path}`, { headers: { ...bearer, ...headers } });
  return { http, clock, get };
}

const intake = { method: 'POST', body: '{}', headers: { authorization: 'Bearer intake-token' } };

describe('listening', () => {
  it('says which port is taken and what to do', async () => {
    const { http } = await start();

    const second = startSampleHttp({ port: http.port });

    await expect(second).rejects.toThrow(Failure);
    await expect(second).rejects.toMatchObject({
      message: `Port ${http.port} on 127.0.0.1 is in use`,
      hint: expect.stringContaining('http.listen'),
    });
  });

  it('leaves its first port when the second is taken, so that the process can end', async () => {
    const { http } = await start();
    const former = await start();
    const { port } = former.http;
    await former.http.stop();

    const second = startSampleHttp({ port, intakeAddress: { host: '127.0.0.1', port: http.port } });

    await expect(second).rejects.toMatchObject({ message: `Port ${http.port} on 127.0.0.1 is in use` });
    expect((await start({ port })).http.port).toBe(port);
  });

  it('says when the address is not this machine’s', async () => {
    await expect(startSampleHttp({ host: '192.0.2.1' })).rejects.toMatchObject({
      message: '192.0.2.1 is not an address of this machine',
    });
  });
});

describe('stopping', () => {
  it('accepts nothing new while draining, asks senders to retry, and still serves reads', async () => {
    const bookings = samplePort();
    const { http, get } = await start({ bookings });

    http.drain();
    const posted = await fetch(`${http.url}/in/website`, intake);
    const reads = await Promise.all(['/', '/livez', '/status.json', '/metrics'].map((path) => get(path)));
    const ready = await get('/readyz');

    expect(posted.status).toBe(503);
    expect(posted.headers.get('retry-after')).toBe('10');
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(ready.status).toBe(503);
    expect(bookings.taken).toEqual([]);
  });

  it('lets a submission under way finish', async () => {
    const stored = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const accept = async () => {
      arrived.resolve();
      await stored.promise;
      return accepted();
    };
    const { http } = await start({ bookings: samplePort({ accept }) });
    const posted = fetch(`${http.url}/in/website`, intake);
    await arrived.promise;

    const stopped = http.stop();
    stored.resolve();

    expect((await posted).status).toBe(200);
    await stopped;
  });

  it('drops what does not finish in time', async () => {
    const arrived = Promise.withResolvers<void>();
    const accept = () => {
      arrived.resolve();
      return new Promise<never>(() => {});
    };
    const { http, clock } = await start({ bookings: samplePort({ accept }) });
    const posted = fetch(`${http.url}/in/website`, intake).catch(() => 'dropped');
    await arrived.promise;

    const stopped = http.stop();
    await settle();
    await clock.advance(5_000);

    expect(await posted).toBe('dropped');
    await stopped;
  });

  it('gives open requests no extra time when it has been draining for long', async () => {
    const arrived = Promise.withResolvers<void>();
    const accept = () => {
      arrived.resolve();
      return new Promise<never>(() => {});
    };
    const { http, clock } = await start({ bookings: samplePort({ accept }) });
    const posted = fetch(`${http.url}/in/website`, intake).catch(() => 'dropped');
    await arrived.promise;

    http.drain();
    await clock.advance(8_500);
    await http.stop();

    expect(await posted).toBe('dropped');
  });

  it('may be requested twice', async () => {
    const { http } = await start();

    await Promise.all([http.stop(), http.stop()]);

    await expect(fetch(`${http.url}/livez`)).rejects.toThrow(TypeError);
  });
});

describe('health', () => {
  it('is live as long as it answers', async () => {
    const { get } = await start({ ready: () => ({ ok: false, problem: 'no disk' }) });

    expect((await get('/livez')).status).toBe(200);
  });

  it('is ready only while a booking can be stored', async () => {
    const disk = { full: false };
    const { get, clock } = await start({
      ready: async () => ({ ok: !disk.full, problem: disk.full ? 'The disk is full' : null }),
    });
    const before = await get('/readyz');

    disk.full = true;
    await clock.advance(1_000);
    const after = await get('/readyz');

    expect([before.status, after.status]).toEqual([200, 503]);
    expect(await after.json()).toEqual({ ok: false, message: 'The disk is full' });
  });

  it('is not ready from the first lead on that could not be stored', async () => {
    const disk = { full: false };
    const accept = async () => {
      disk.full = true;
      throw new Failure({ kind: 'transient', message: 'The disk is full', hint: 'Free space.' });
    };
    const { http, get } = await start({
      bookings: samplePort({ accept }),
      ready: async () => ({ ok: !disk.full, problem: disk.full ? 'The disk is full' : null }),
    });
    const before = await get('/readyz');

    const lead = await fetch(`${http.url}/in/website`, intake);
    await settle();
    const after = await get('/readyz');

    expect([before.status, lead.status, after.status]).toEqual([200, 503, 503]);
  });

  it('writes to the database once a second, however many ask whether it is ready', async () => {
    const ready = vi.fn(async () => ({ ok: true, problem: null }));
    const { get, clock } = await start({ ready });

    await Promise.all(Array.from({ length: 50 }, () => get('/readyz')));
    await clock.advance(1_000);
    await get('/readyz');

    expect(ready).toHaveBeenCalledTimes(2);
  });

  it('is not ready when the check itself breaks', async () => {
    const ready = async () => {
      throw new Error('Zerlina');
    };
    const { get } = await start({ ready });

    const answer = await get('/readyz');

    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('Zerlina');
  });

  it('is not ready when the check does not answer, and says so itself', async () => {
    const { get, clock } = await start({ ready: () => new Promise<never>(() => {}) });

    const asked = get('/readyz');
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(3_000);
    const answer = await asked;

    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ ok: false, message: 'The database does not answer' });
  });

  it('refuses for stale data alone, and names trouble', async () => {
    const reason: HealthReason = {
      health: 'stale',
      kind: 'stale',
      clinic: 'main',
      subject: 'treatments',
      sentence: 'treatments last read 2 h ago',
      since: null,
    };
    const report = { ...sampleReport(0), health: 'stale' as Health, reasons: [reason] };
    const { get, clock } = await start({ report: async () => report, people: [] });
    const stale = await get('/syncz');

    report.health = 'trouble';
    await clock.advance(2_000);
    const trouble = await get('/syncz');

    expect(stale.status).toBe(503);
    expect(await stale.json()).toEqual({
      ok: false,
      health: 'stale',
      reasons: ['treatments last read 2 h ago'],
    });
    expect(trouble.status).toBe(200);
    expect(await trouble.json()).toMatchObject({ ok: true, health: 'trouble' });
  });

  it.each([
    [[], [expect.stringContaining('at most: it is compared.')]],
    [undefined, ['bookings']],
  ])('says what bookings wait for even when nothing is wrong', async (people, waits) => {
    const report = sampleReport(0);
    const lane = {
      state: 'waiting',
      reason: 'it is compared',
      since: null,
      until: new Date(60_000).toISOString(),
    } as const;
    const clinics = report.clinics.map((clinic) => (clinic.clinic === 'main' ? { ...clinic, lane } : clinic));
    const { get, clock } = await start({
      report: async () => ({ ...report, reasons: [], clinics }),
      ...(people && { people }),
    });
    clock.jump(-clock.now());

    const answer = await get('/syncz');

    expect(await answer.json()).toMatchObject({ ok: true, reasons: [], waits });
  });

  it('names kinds and resources alone to strangers, where people sign in', async () => {
    const of = (kind: HealthReason['kind'], subject: string): HealthReason => ({
      health: 'trouble',
      kind,
      clinic: 'main',
      subject,
      sentence: 'accounts is paused (the key of rima@clinic.example was refused)',
      since: null,
    });
    const reasons = [
      of('late', 'dentists'),
      { ...of('late', 'dentists'), clinic: 'north' },
      of('connector', 'accounts'),
      of('lane', 'lane'),
    ];
    const report = { ...sampleReport(0), health: 'trouble' as Health, reasons };
    const { get } = await start({ report: async () => report });

    const answer = await get('/syncz');

    expect(await answer.json()).toEqual({
      ok: true,
      health: 'trouble',
      reasons: ['late dentists', 'connector', 'lane'],
    });
  });

  it('gives the whole report as JSON', async () => {
    const { get, clock } = await start();

    expect(await (await get('/status.json')).json()).toEqual(sampleReport(clock.now()));
  });
});

describe('when the database does not answer', () => {
  it('still shows the page, and says so', async () => {
    const report = async () => {
      throw new Failure({ kind: 'transient', message: 'The database is read-only' });
    };
    const { get } = await start({ report });

    const page = await get('/');
    const syncz = await get('/syncz');
    const metrics = await get('/metrics');

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('The database is read-only');
    expect(syncz.status).toBe(503);
    expect(await metrics.text()).toContain('clinic_sync_database_up 0');
  });

  it('shows what was last known, marked as such', async () => {
    const disk = { broken: false };
    const { get, clock } = await start({
      report: async () => {
        if (disk.broken) throw new Error('EIO');
        return sampleReport(clock.now());
      },
    });
    await get('/');

    disk.broken = true;
    await clock.advance(2_000);
    const page = await (await get('/')).text();

    expect(page).toContain('the database does not answer; below is what was last known');
    expect(page).toContain('Bright Smile Dental');
  });

  it('does not wait for it longer than seven seconds', async () => {
    const asked = Promise.withResolvers<void>();
    const report = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const { get, clock } = await start({ report });

    const page = get('/');
    await asked.promise;
    await clock.advance(7_000);

    expect(await (await page).text()).toContain('the database does not answer');
  });

  it('reads it once for many readers at once', async () => {
    let reads = 0;
    const { get, clock } = await start({
      report: async () => {
        reads += 1;
        return sampleReport(clock.now());
      },
    });

    await Promise.all(Array.from({ length: 20 }, () => get('/status.json')));

    expect(reads).toBe(1);
  });
});

it('allows no script in the page, no foreign content and no framing of its own pages', async () => {
  const { get } = await start();

  const page = await get('/', { accept: 'text/html' });
  const text = await page.text();

  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(
    /<script(?! src="\/assets\/(?:live|desk)\.js" defer><\/script>)|<style|\sstyle=|\son\w+=|(src|href)="https?:/i,
  );
});

it('answers 404 to people in HTML and to programs in JSON, and says to operators what arrived', async () => {
  const { get } = await start({ publicUrl: new URL('https://ops.example/clinic-sync') });

  const person = await get('/nothing', { accept: 'text/html' });
  const program = await get('/sync/livez?token=secret');
  const unknown = await get('/nothing');
  const signedIn = await get('/sync/livez', {
    accept: 'text/html',
    cookie: '__Host-clinic_sync_session=over',
  });

  expect([person.status, program.status]).toEqual([404, 404]);
  expect(await person.text()).toMatch(
    /<h1>There is nothing here<\/h1><p>Please check the address\.<\/p><\/section>/,
  );
  expect(await signedIn.text()).toContain('<p>/sync/livez arrived here instead of /livez: a proxy');
  expect(await unknown.json()).toEqual({ ok: false, message: 'There is nothing here' });
  expect(await program.json()).toEqual({
    ok: false,
    message: 'There is nothing here',
    hint: '/sync/livez arrived here instead of /livez: a proxy must pass on what follows `http.public_url` (https://ops.example/clinic-sync).',
  });
});
