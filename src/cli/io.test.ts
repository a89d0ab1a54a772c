import { expect, it } from 'vitest';
import { onScreen, painter, print, printJson } from './io.ts';

const printed = (terminal: boolean, write: (io: Parameters<typeof print>[0]) => void) => {
  let text = '';
  const io = onScreen({
    terminal,
    out(part) {
      text += part;
    },
    err() {},
    environment: {},
    columns: 80,
    async *typed() {},
    signal: AbortSignal.timeout(1_000),
  });
  write(io);
  return text;
};

it.each([true, false])('never hands a visitor’s sequences to the screen (terminal: %s)', (terminal) => {
  const text = printed(terminal, (io) => {
    print(io, `${painter(io)('green', 'ok')} red\u001b[8m\u001b[2J\u001b]0;PWN\u0007 A\u202eB`);
    printJson(io, { name: 'A\u009b2J\u202e' });
  });

  expect(text.replaceAll('\u001b[32m', '').replaceAll('\u001b[39m', '')).toMatch(/^[\n\x20-\x7e]*$/);
  expect(text).toContain('\\u001b[2J');
  expect(text.includes('\u001b[32mok')).toBe(terminal);
});

it('lets its own colours through, and no colour that came from outside, painted or not', () => {
  const typed = '\u001b[31mdanger\u001b[39m';

  const text = printed(true, (io) => {
    const paint = painter(io);
    print(io, `${paint('bold', paint('green', typed))} ${typed}`);
  });

  const escaped = '\\u001b[31mdanger\\u001b[39m';
  expect(text).toBe(`\u001b[1m\u001b[32m${escaped}\u001b[39m\u001b[22m ${escaped}\n`);
});
