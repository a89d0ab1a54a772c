import { expect, it } from 'vitest';
import { localeOf } from '../../platform/text/locale.ts';
import { loadTexts } from '../../texts/texts.ts';
import { problemWords, said, stated } from './problem.ts';

await Promise.all([loadTexts('de'), loadTexts('ar'), loadTexts('pl')]);

it('words a problem with its numbers, and the failure within it, in the reader’s language', () => {
  const { message, hint = '', said: failure } = stated('google_status', { status: '503' });
  const note = said('part_refused', {
    place: 'Fees',
    detail: { sentence: `${message} ${hint}`, said: failure },
  });

  expect(note.sentence).toBe('Fees: not up to date. Google answered 503. It is tried again.');
  expect(problemWords(note.said, localeOf('de'))).toBe(
    'Fees: nicht aktuell. Google hat mit 503 geantwortet. Es wird noch einmal versucht.',
  );
  const failed = (count: number) =>
    problemWords(said('files_failed', { place: 'x', count }).said, localeOf('pl'));
  expect([1, 3, 5].map((count) => failed(count)?.split(' ').slice(0, 2).join(' '))).toEqual([
    '1 plik',
    '3 pliki',
    '5 plików',
  ]);
});

it('keeps the direction of names and paths within Arabic', () => {
  const words = problemWords(said('disk_full', { place: '/data/csv' }).said, localeOf('ar'));

  expect(words).toContain('\u200e/data/csv\u200e');
});

it.each([
  ['of another version', { code: 'not_yet_known', values: {} }],
  ['without a value', { code: 'disk_full', values: {} }],
  ['without a number', { code: 'files_failed', values: { place: 'x', count: 'many' } }],
])('has no words for what is %s: its sentence is shown', (_what, one) => {
  expect(problemWords(one, localeOf('de'))).toBeUndefined();
});
