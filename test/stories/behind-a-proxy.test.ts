import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { type FormSite, startFormSite } from '../support/forms/form-site.ts';
import { formToken } from '../support/forms/web-form.ts';
import { makeCertificate } from '../support/http/certificate.ts';
import { bearer, person, samplePeopleStore } from '../support/http/http-kit.ts';
import { findProgram, needing } from '../support/program.ts';
import { freePort } from '../support/store/postgres-server.ts';
import { until } from '../support/until.ts';

const PATH = '/clinic-sync';
/** Debian installs it where only administrators look. */
const nginxPath = findProgram('nginx', '/usr/sbin/nginx');
const caddyPath = findProgram('caddy');
const haproxyPath = findProgram('haproxy', '/usr/sbin/haproxy');
const apachePath = findProgram('apache2', '/usr/sbin/apache2');
/** Of Debian's package. */
const APACHE_MODULES = '/usr/lib/apache2/modules';
/** Browsers start slowly on a busy machine. */
const patience = 120_000;

interface Place {
  folder: string;
  port: number;
  daemon: string;
}

/** How each of the shipped files is run, with other names and ports. */
const proxies: Record<
  string,
  { program: string | undefined; start(place: Place): [string[], NodeJS.ProcessEnv] }
> = {
  Caddy: {
    program: caddyPath,
    start({ folder, port, daemon }) {
      const tls = `${folder}/tls.crt ${folder}/tls.key`;
      // Its administration has one port for the whole machine.
      const shipped = readFileSync('deploy/proxy/Caddyfile', 'utf8');
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${shipped}`,
      );
      return [
        ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
        { HOME: folder, SITE: `https://localhost:${port}`, TLS: tls, DAEMON: daemon },
      ];
    },
  },
  nginx: {
    program: nginxPath,
    start({ folder, port, daemon }) {
      const site = readFileSync('deploy/proxy/nginx.conf', 'utf8')
        .replace('443', `127.0.0.1:${port}`)
        .replace('server_name ops.clinic.example', 'server_name localhost')
        .replace('/etc/ssl/ops.clinic.example.crt', `${folder}/tls.crt`)
        .replace('/etc/ssl/ops.clinic.example.key', `${folder}/tls.key`)
        .replace('127.0.0.1:8080', daemon);
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const temporary = places.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
      const around = `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; ${temporary}
${site} }`;
      writeFileSync(join(folder, 'nginx.conf'), around);
      return [['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {}];
    },
  },
  HAProxy: {
    program: haproxyPath,
    start({ folder, port, daemon }) {
      const pem = join(folder, 'tls.pem');
      writeFileSync(pem, ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name))).join('\n'));
      const site = readFileSync('deploy/proxy/haproxy.cfg', 'utf8')
        .replace(':443', `127.0.0.1:${port}`)
        .replace('/etc/haproxy/ops.clinic.example.pem', pem)
        .replace('127.0.0.1:8080', daemon);
      writeFileSync(join(folder, 'haproxy.cfg'), `global\n    maxconn 100\n${site}`);
      return [['-db', '-f', join(folder, 'haproxy.cfg')], {}];
    },
  },
  Apache: {
    program: apachePath,
    start({ folder, port, daemon }) {
      const site = readFileSync('deploy/proxy/apache.conf', 'utf8')
        .replace('*:443', `127.0.0.1:${port}`)
        .replace('ServerName ops.clinic.example', 'ServerName localhost')
        .replace('/etc/ssl/ops.clinic.example.crt', `${folder}/tls.crt`)
        .replace('/etc/ssl/ops.clinic.example.key', `${folder}/tls.key`)
        .replace('127.0.0.1:8080', daemon);
      const modules = [
        'mpm_event',
        'authz_core',
        'alias',
        'ssl',
        'socache_shmcb',
        'headers',
        'proxy',
        'proxy_http',
      ];
      const around = [
        ...modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`),
        `Listen 127.0.0.1:${port}`,
        `PidFile ${folder}/pid`,
        `Mutex file:${folder}`,
        `ErrorLog ${folder}/apache.log`,
        'ServerName localhost',
      ];
      writeFileSync(join(folder, 'apache.conf'), [...around, site].join('\n'));
      return [['-X', '-d', folder, '-f', join(folder, 'apache.conf')], {}];
    },
  },
};

describe.each(Object.entries(proxies))(
  'at a path of a shared host, behind the shipped %s',
  (name, { program, start }) => {
    const missing = program === undefined || chromiumPath === undefined;
    const title = `over TLS${needing(name, program)}${needing('Chromium', chromiumPath)}`;
    const tags = name === 'Caddy' ? [] : ['thorough'];
    describe.skipIf(missing)(title, { tags }, () => {
      const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
      const people = samplePeopleStore();
      let [base, cert] = ['', ''];
      let site: FormSite;
      let browser: Browser;
      let proxy: ReturnType<typeof spawn>;
      let said = '';

      /** A program that trusts the certificate. */
      async function ask(path: string, headers: Record<string, string> = {}) {
        const { hostname, port } = new URL(base);
        const sent = request({ hostname, port, path, headers, agent: new Agent({ ca: cert }) });
        const [answer] = (await Promise.all([
          new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject)),
          sent.end(),
        ])) as [import('node:http').IncomingMessage, unknown];
        return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
      }

      beforeAll(async () => {
        const port = await freePort();
        base = `https://localhost:${port}${PATH}`;
        const tls = await makeCertificate();
        cert = tls.cert;
        writeFileSync(join(folder, 'tls.crt'), tls.cert);
        writeFileSync(join(folder, 'tls.key'), tls.key);
        site = await startFormSite(
          { preset: 'html-form', token: formToken, origins: [`https://localhost:${port}`] },
          { ...people, people: [person('Rima', 'desk')], publicUrl: new URL(base), trustProxy: 1 },
        );
        const [args, env] = start({ folder, port, daemon: new URL(site.http.url).host });
        proxy = spawn(program ?? '', args, { env: { PATH: process.env.PATH, ...env } });
        proxy.stderr?.on('data', (data) => {
          said += data;
        });
        await until(
          'the proxy answers',
          async () => (await ask(`${PATH}/livez`).catch(() => undefined))?.status === 200,
          { found: () => said },
        );
        browser = await launchBrowser();
      }, patience);
      afterAll(async () => {
        await closed(browser);
        proxy?.kill('SIGTERM');
        await site?.[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true });
      });

      it('signs people in, sends them on, and keeps every link below the path', {
        timeout: patience,
        tags: ['thorough'],
      }, async () => {
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        const page = await context.newPage();
        const elsewhere: string[] = [];
        const failed: string[] = [];
        page.on('request', (sent) => void (sent.url().startsWith(base) || elsewhere.push(sent.url())));
        page.on(
          'response',
          (got) => void (got.status() < 400 || failed.push(`${got.status()} ${got.url()}`)),
        );
        const seen = new Set<string>();
        const links = async () => {
          seen.add(page.url());
          const found = await page.$$eval('[href], [src], [action], [formaction]', (nodes) =>
            nodes.map((node) =>
              ['href', 'src', 'action', 'formaction'].map((name) => node.getAttribute(name) ?? '').join(''),
            ),
          );
          return found.filter((link) => /^\//.test(link) && !link.startsWith('/clinic-sync/'));
        };

        await page.goto(`${base}/bookings`);
        const asked = page.url();
        const astray = await links();
        await page.fill('input[name=token]', 'token-of-Rima-0123456789');
        await page.click('button:has-text("Sign in")');
        const arrived = page.url();
        astray.push(...(await links()));
        await page.click(`a[href="${PATH}/bookings/CS-7K3Q9F"]`);
        astray.push(...(await links()));
        await page.click('button:has-text("Look now")');
        const notice = await page.textContent('.notice');
        await page.goto(base);
        astray.push(...(await links()));
        const styled = await page.$eval('link[rel=stylesheet]', (link) =>
          'sheet' in link && link.sheet ? 1 : 0,
        );
        const [cookie, ...more] = await context.cookies();
        await page.goto(`${base}/sessions`);
        astray.push(...(await links()));
        await page.click('button:has-text("Sign out")');

        expect(asked).toMatch(/\/clinic-sync\/admin\/sign-in\?next=/);
        expect(arrived).toBe(`${base}/bookings`);
        expect(notice).toContain('It is done');
        expect(styled).toBeGreaterThan(0);
        expect({ astray, elsewhere, failed, more }).toEqual({
          astray: [],
          elsewhere: [],
          failed: [],
          more: [],
        });
        expect(cookie).toMatchObject({
          ...{ name: '__Secure-clinic_sync_session', path: PATH, secure: true, httpOnly: true },
          sameSite: 'Strict',
        });
        expect(await context.cookies()).toEqual([]);
        expect(seen.size).toBeGreaterThan(4);
        await closed(context);
      });

      it('takes a booking from the served form, in the frame of another page and with its script', {
        timeout: patience,
      }, async () => {
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        const page = await context.newPage();
        const form = `${base}/in/website/form`;
        const around = `<!doctype html><iframe src="${form}" style="height: 10px"></iframe><script src="${base}/in/website/embed.js"></script>`;
        const outside = new URL('/site', base).href;
        await page.route(outside, (route) => route.fulfill({ contentType: 'text/html', body: around }));
        await page.goto(outside);
        const frame = page.frameLocator('iframe');
        await frame.locator('#patient_name').fill('Ann Lee');
        const height = () => page.$eval('iframe', (one) => Number.parseInt(one.style.height, 10));
        await expect.poll(height, { timeout: 60_000 }).toBeGreaterThan(200);
        await frame.locator('#patient_phone').fill('01712-345678');
        await frame.locator('#treatment_id').selectOption('2');
        await frame.locator('#appointment_date').fill('2026-03-10');
        await frame.locator('#appointment_time').fill('10:30');
        await site.clock.advance(20_000);
        await frame.locator('button').click();
        const ref = await frame.locator('.ref').textContent();

        const [booking, ...others] = await site.bookings();
        expect(others).toEqual([]);
        expect(booking).toMatchObject({ ref, patient_name: 'Ann Lee', state: 'queued' });
        await closed(context);
      });

      it('believes the proxy, and no visitor, about where a request comes from', async () => {
        people.entries.length = 0;

        await ask(`${PATH}/bookings`, { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer wrong' });

        expect(people.entries).toMatchObject([
          { action: 'sign_in', result: 'wrong token', address: '127.0.0.1' },
        ]);
      });

      it('leads from the bare path to the page, and gives the whole description there', async () => {
        const bare = await ask(PATH);
        const document = await ask(`${PATH}/openapi.json`);
        const stranger = await ask(`${PATH}/changes`, { accept: 'text/html' });

        expect([301, 302, 308]).toContain(bare.status);
        expect(new URL(bare.headers.location ?? '', base).pathname).toBe(`${PATH}/`);
        expect(JSON.parse(document.body).servers).toMatchObject([{ url: '.' }]);
        expect(stranger.headers.location).toMatch(/^\/clinic-sync\/admin\/sign-in/);
        expect((await ask(`${PATH}/changes`, bearer)).status).toBe(401);
      });
    });
  },
);

describe('the shipped file for Traefik', () => {
  it('leads from its router to the daemon, without the path', () => {
    const { routers, middlewares, services } = parse(readFileSync('deploy/proxy/traefik.yaml', 'utf8')).http;
    const [router] = Object.values<{ rule: string; middlewares: string[]; service: string }>(routers);
    expect.assert(router);

    const [middleware = ''] = router.middlewares;
    const [prefix] = middlewares[middleware].stripPrefix.prefixes;
    expect(router.rule).toContain(`PathPrefix(\`${prefix}\`)`);
    expect(services[router.service].loadBalancer).toMatchObject({
      ...{ passHostHeader: true, servers: [{ url: 'http://127.0.0.1:8080' }] },
    });
  });
});
