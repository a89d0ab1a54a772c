import { expect, it } from 'vitest';
import { requestOrigin } from '../../../src/platform/request-origin.ts';
import { hiddenIn, htmlOf, lead, submissionOf, visit } from '../../../test/support/forms/form-visit.ts';

const own = 'https://sync.example';
const listed = 'https://www.clinic.example';
const other = 'https://other.example';

/** By where the form was sent from: what a browser says of it, whole or in part, and what proxies make of it. */
const said = {
  origin: { own: [own, 'null', undefined], listed: [listed, 'null', undefined], other: [other] },
  referer: {
    own: [`${own}/in/website/form`, undefined],
    listed: [`${listed}/`, undefined],
    other: [`${other}/`, undefined],
  },
  site: {
    own: ['same-origin', 'cross-site', undefined],
    listed: ['cross-site', undefined],
    other: ['cross-site', 'same-site', undefined],
  },
};
const hosts = ['sync.example', 'sync.example:443', 'SYNC.EXAMPLE', '127.0.0.1:8080', 'app.azure.example'];
const forwarded = [undefined, 'inner, sync.example', 'inner'];

it.each(['own', 'listed', 'other'] as const)(
  'whatever its headers say, no lead of a form is lost, none is booked twice, none of another site unasked: %s',
  async (from) => {
    const { load, send, clock } = await visit({ origins: [listed] });
    const fresh = hiddenIn(await load());
    await clock.advance(10_000);
    const passes = { valid: fresh, stale: { ...fresh, form_token: '1.main.x' }, none: {} };

    const headersSaid = product({
      origin: said.origin[from],
      referer: said.referer[from],
      'sec-fetch-site': said.site[from],
      host: hosts,
      'x-forwarded-host': forwarded,
    });
    for (const headers of headersSaid)
      for (const [kind, pass] of Object.entries(passes)) {
        const first = await send({ ...pass, ...lead }, headers);
        const isAsked = first.kind === 'page';
        const shown = isAsked ? hiddenIn(htmlOf(first)) : pass;
        await clock.advance(isAsked ? 3_000 : 0);
        const last = submissionOf(await send({ ...shown, ...lead }, headers));
        const again = submissionOf(await send({ ...shown, ...lead }, headers));
        const what = `${JSON.stringify(headers)} ${kind}`;

        expect.soft(last.problems, what).toBeUndefined();
        expect.soft(again, what).toEqual(last);
        if (from === 'other' || kind !== 'valid') expect.soft(isAsked, what).toBe(true);
      }
  },
);

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
