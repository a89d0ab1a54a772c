import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it('escapes what would move the cursor or change direction, and leaves line feeds and tabs', () => {
  const shown = printable('red\u001b[31m\u001b]0;PWN\u0007\rA\u202eB\u009b1m\u{e0041}\tline\nنامه\u200cها');

  expect(shown).toBe(
    'red\\u001b[31m\\u001b]0;PWN\\u0007\\u000dA\\u202eB\\u009b1m\\udb40\\udc41\tline\nنامه\u200cها',
  );
});

it('leaves JSON equivalent', () => {
  const value = { name: 'A\u202eB\u009b\u{e0041}' };

  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
