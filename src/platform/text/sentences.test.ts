import { expect, it } from 'vitest';
import { clause, firstSentence, sentences } from './sentences.ts';

it.each([
  [['It is full', 'Make room'], 'It is full. Make room.'],
  [['It is full.', 'Make room.'], 'It is full. Make room.'],
  [['Is it there?', undefined, '', ' Then say so '], 'Is it there? Then say so.'],
  [
    ['The clinic answered 500: “Try later.”', null, 'It is asked again'],
    'The clinic answered 500: “Try later.” It is asked again.',
  ],
  [[false, undefined], ''],
])('ends each sentence of %j with one full stop', (parts, joined) => {
  expect(sentences(...(parts as string[]))).toBe(joined);
});

it.each([
  ['It is full.', 'It is full'],
  ['It is full', 'It is full'],
  ['And so on...', 'And so on...'],
])('takes the full stop off %j', (sentence, words) => {
  expect(clause(sentence)).toBe(words);
});

it('returns the first sentence of a message, including full stops within words', () => {
  expect(firstSentence('127.0.0.1:9 refused the connection. Check that it runs.')).toBe(
    '127.0.0.1:9 refused the connection.',
  );
  expect(firstSentence('GET /dentists: no connection (ECONNREFUSED)')).toBe(
    'GET /dentists: no connection (ECONNREFUSED)',
  );
});
