import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';
import { toText } from './html.ts';
import { localeOf } from './locale.ts';

const now = Date.parse('2026-03-02T09:00:00Z');

describe('a page’s language', () => {
  it('writes numbers, times and plurals in its own way', async () => {
    await loadTexts('pl');
    const { t, number, duration, time } = localeOf('pl', 'Europe/Warsaw');

    expect(number(1_234_567.5)).toBe('1\u00a0234\u00a0567,5');
    expect(duration(90_000)).toBe('90 sek.');
    expect(duration(5 * 60_000)).toBe('5 min');
    expect(toText(time('2026-03-02T08:55:00.000Z', now))).toBe(
      '<time datetime="2026-03-02T08:55:00.000Z" title="2 mar 2026, 09:55:00">5 min temu</time>',
    );
    expect(t('session_end_all', { count: 1 })).toBe('Zakończ');
    expect(t('session_end_all', { count: 3 })).toBe('Zakończ wszystkie 3');
  });

  it('ends a sentence with one full stop, also behind a shortened word', async () => {
    await loadTexts('de');
    const german = localeOf('de');

    expect(german.t('told_since', { time: german.duration(4 * 60_000) })).toBe('Seit 4 Min.');
    expect(german.t('told_since', { time: '09:30' })).toBe('Seit 09:30.');
    expect(toText(german.rich('checked', { time: german.time('2026-03-02T08:55:00.000Z', now) }))).toMatch(
      /Min\.<\/time>$/,
    );
  });

  it('puts markup into a text without trusting what is in it', () => {
    const text = localeOf('en').rich('thanks_ref', { ref: '<b>' });

    expect(toText(text)).toBe('Your reference: &lt;b&gt;');
  });

  it('falls back to UTC where this machine does not know the zone', () => {
    expect(localeOf('en', 'Moon/Crater').zone).toBe('UTC');
  });

  it('keeps few of them, however many clocks there are', () => {
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 200);

    const made = zones.map((zone) => localeOf('en', zone));

    expect(localeOf('en', zones.at(-1))).toBe(made.at(-1));
    expect(localeOf('en', zones[0])).not.toBe(made[0]);
  });
});
