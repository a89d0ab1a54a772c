import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { beforeAll, describe, expect, it } from 'vitest';
import { hiddenIn, lead, submissionOf, visit } from '../../../test/support/forms/form-visit.ts';
import { browserScript } from './pages/browser-script.ts';
import { BROWSER_FAILED, BROWSER_INSECURE } from './proof-of-work.ts';

const settings = { form: { captcha: { use: 'altcha' } } };

/** As ALTCHA's own library answers. */
async function answerTo(page: string): Promise<{ hidden: Record<string, string>; altcha: string }> {
  const given = /data-challenge="([^"]+)"/.exec(page)?.[1] ?? '';
  const challenge = JSON.parse(Buffer.from(given, 'base64').toString()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  const altcha = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const { altcha: _empty, ...hidden } = hiddenIn(page);
  return { hidden, altcha };
}

/** A form and its answer: to find one takes a second, so those who only spoil or repeat it share it. */
let solved: Awaited<ReturnType<typeof solve>>;
async function solve() {
  const visitor = await visit(settings);
  const answer = await answerTo(await visitor.load());
  await visitor.clock.advance(10_000);
  return { ...visitor, ...answer };
}

describe('a form with proof of work', () => {
  beforeAll(async () => {
    solved = await solve();
  });

  it('runs one script, from here, which proxies are asked to leave alone', async () => {
    const { load, intake } = await visit(settings);

    const page = await load();

    expect(intake.pageSources).toEqual({ 'script-src': ["'self'"] });
    expect(page.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(
        /^<script src="\?form_page=form\.js&amp;v=[\w-]{12}" defer data-cfasync="false">$/,
      ),
    ]);
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).toContain('<noscript><p class="hint">If this check does not appear');
  });

  it('understands what that script says instead of an answer', () => {
    for (const said of [BROWSER_FAILED, BROWSER_INSECURE]) expect(browserScript).toContain(`'${said}'`);
  });

  it('takes the answer that ALTCHA’s library finds, and the same request again for the same', async () => {
    const { send, hidden, altcha } = solved;

    const result = await send({ ...hidden, ...lead, altcha });
    const again = await send({ ...hidden, ...lead, altcha });

    expect(submissionOf(result)).toMatchObject({ fields: lead });
    expect(submissionOf(result).problems).toBeUndefined();
    expect(submissionOf(again)).toEqual(submissionOf(result));
  });

  it.each([
    ['none: a visitor without scripts', () => ''],
    ['nonsense', () => 'bm9uc2Vuc2U='],
    ['JSON null', () => Buffer.from('null').toString('base64')],
    ['far too long', () => 'A'.repeat(100_000)],
    [
      'with another solution',
      (altcha: string) =>
        changed(altcha, (one) => ({ ...one, solution: { counter: 1, derivedKey: '00'.repeat(32) } })),
    ],
    [
      'to an easier task',
      (altcha: string) =>
        changed(altcha, (one) => ({
          ...one,
          challenge: { ...one.challenge, parameters: { ...one.challenge.parameters, cost: 1 } },
        })),
    ],
  ])('asks once, and then holds, a request with an answer that is %s', async (_what, made) => {
    const { insist, hidden, altcha } = solved;

    const { page, result } = await insist({ ...hidden, ...lead, altcha: made(altcha) });

    expect(page).toContain('The check against spam did not finish.');
    expect(page).toContain('value="Ann Lee"');
    expect(submissionOf(result)).toMatchObject({ fields: lead, problems: [{ field: 'captcha' }] });
  });

  it('takes no answer to the task of another form, of another connector’s key, or of an earlier one', async () => {
    const { load, insist, clock, hidden, altcha } = solved;
    const other = await visit({ ...settings, token: 'another-token-of-a-form' });
    const second = hiddenIn(await load());
    const foreign = await answerTo(await other.load());
    await clock.advance(10_000);

    const swapped = await insist({ ...second, ...lead, altcha });
    const forged = await insist({ ...hidden, ...lead, altcha: foreign.altcha });

    expect(submissionOf(swapped.result).problems).toMatchObject([{ field: 'captcha' }]);
    expect(submissionOf(forged.result).problems).toMatchObject([{ field: 'captcha' }]);
  });
});

type Answer = { challenge: Challenge; solution: unknown };
const changed = (altcha: string, change: (answer: Answer) => unknown): string =>
  Buffer.from(
    JSON.stringify(change(JSON.parse(Buffer.from(altcha, 'base64').toString()) as Answer)),
  ).toString('base64');
