import { expect, it } from 'vitest';
import { requestOrigin } from '../../../src/platform/network/request-origin.ts';
import { hiddenIn, htmlOf, lead, submissionOf, visit } from '../../../test/support/forms/form-visit.ts';
import { tier } from '../../../test/support/tiers.ts';

const own = 'https://sync.example';
const listed = 'https://www.clinic.example';
const other = 'https://other.example';

const silent = [undefined, 'null'];

/** By where the form was sent from: what a browser says of it, whole or in part, and what proxies make of it. */
const said = {
  origin: { own: [own, ...silent], listed: [listed, ...silent], other: [other, ...silent] },
  referer: {
    own: [`${own}/in/website/form`, `${own}/termin?lang=de`, undefined],
    listed: [`${listed}/`, undefined],
    other: [`${other}/`, undefined],
  },
  site: {
    own: ['same-origin', undefined],
    listed: ['cross-site', undefined],
    other: ['cross-site', 'same-site', undefined],
  },
};
const proxies = [
  { host: 'sync.example' },
  { host: 'sync.example:443' },
  { host: 'SYNC.EXAMPLE' },
  { host: '127.0.0.1:8080' },
  { host: 'app.azure.example', 'x-forwarded-host': 'inner, sync.example' },
  { host: '10.0.0.1', forwarded: 'for=1.2.3.4;host="sync.example:443", host=inner' },
  { host: '10.0.0.1', forwarded: 'host=inner', 'x-forwarded-host': 'inner' },
];
/**
 * The window that the form was shown in: a browser's, or none, when a website's server or an old browser fetched it.
 */
const windows = ['iframe', undefined];

for (const from of ['own', 'listed', 'other'] as const)
  it(
    `whatever its headers say, no lead of a form is lost, booked twice, or unasked from another site: ${from}`,
    tier(from !== 'listed'),
    async () => {
      const { load, send, clock } = await visit({ origins: [listed] });
      // Other sites cannot frame the form.
      for (const dest of from === 'other' ? [undefined] : windows) {
        const fresh = hiddenIn(await load('form', '', { 'sec-fetch-dest': dest }));
        await clock.advance(10_000);
        const passes = { valid: fresh, stale: { ...fresh, form_token: '1.main.x' }, none: {} };
        const headersSaid = product({
          origin: said.origin[from],
          referer: said.referer[from],
          'sec-fetch-site': said.site[from],
        }).flatMap((headers) => proxies.map((more) => ({ ...headers, ...more })));
        for (const headers of headersSaid)
          for (const [kind, pass] of Object.entries(passes)) {
            const first = await send({ ...pass, ...lead }, headers);
            const isAsked = first.kind === 'page';
            const shown = isAsked ? hiddenIn(htmlOf(first)) : pass;
            await clock.advance(isAsked ? 3_000 : 0);
            const last = submissionOf(await send({ ...shown, ...lead }, headers));
            const again = submissionOf(await send({ ...shown, ...lead }, headers));
            const what = `${JSON.stringify(headers)} ${kind} ${dest}`;

            expect.soft(last.problems, what).toBeUndefined();
            expect.soft(last.submission_id, what).toBeTypeOf('string');
            expect.soft(again, what).toEqual(last);
            if (kind !== 'valid') expect.soft(isAsked, what).toBe(true);
            else if (from === 'other') expect.soft(isAsked, what).toBe(namesSite(headers));
            else if (dest === 'iframe' && isRecognized(headers)) expect.soft(isAsked, what).toBe(false);
          }
      }
    },
  );

/** Nothing at all tells of another site in a browser that sends none of the three. */
const namesSite = ({ origin, referer, ...headers }: Headers): boolean =>
  [origin, referer, headers['sec-fetch-site']].some((text) => !silent.includes(text));

/** Whether anything shows that it is our own page, or else nothing what site it is. */
const isRecognized = ({ origin, referer, ...headers }: Headers): boolean =>
  headers['sec-fetch-site'] !== undefined ||
  /sync\.example/i.test(Object.values(headers).join()) ||
  ![origin, referer].some((text) => text?.startsWith(own)) ||
  referer?.endsWith('/in/website/form') === true;

type Headers = Record<string, string | undefined>;

/** Every combination of the values of each header. */
const product = (values: Record<string, readonly (string | undefined)[]>): Headers[] =>
  Object.entries(values).reduce<Headers[]>(
    (all, [name, some]) => all.flatMap((one) => some.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );

it.each([
  [{}, 'unsaid'],
  [{ origin: 'null' }, 'unsaid'],
  [{ 'sec-fetch-site': 'cross-site' }, 'other'],
  [{ 'sec-fetch-site': 'same-origin', origin: other }, 'same'],
  [{ 'sec-fetch-site': 'none' }, 'same'],
  [{ origin: own }, 'same'],
  [{ origin: `${own}:8443` }, 'same'],
  [{ origin: own, host: 'sync.example:8443' }, 'same'],
  [{ origin: `${own}:1`, host: 'sync.example:2' }, 'same_host'],
  [{ origin: own, 'sec-fetch-site': 'same-site' }, 'same_host'],
  [{ origin: 'https://[::1]:8443', host: '[::1]' }, 'same'],
  [{ origin: other }, 'other'],
] as const)('a request with %j comes from: %s', (headers, from) => {
  expect(requestOrigin({ host: 'sync.example', ...headers })).toBe(from);
});
