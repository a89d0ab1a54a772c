import { expect, it } from 'vitest';
import { cutText, inertText } from './inert-text.ts';

it('leaves names and telephone numbers as people write them', () => {
  const names = [
    'Ann Lee',
    'Dr. O’Neil-Smith, Jr.',
    'Jean-Luc d’Arc',
    'ফাতেমা রহমান',
    'محمد علی',
    '王小明',
    'José Ñandú',
    '👩‍👩‍👧 family',
    '+880 1712 345678',
    'c/o Müller',
    'Room 3/4, 12:30',
  ];

  expect(names.map((name) => inertText(name))).toEqual(names);
});

it.each([
  'http://evil.example/x',
  'https:evil.example',
  'hxxp:\\\\evil.example',
  'HTTPS:////evil.example',
  'www.evil.example',
  'evil.example/login',
  'evil。example',
  '１０．0.0.1',
  'http://10.0.0.1/x',
  'tel:+123',
  'mailto:a@evil.example',
  'a.b@evil.example',
  '@channel',
  '(@all)',
  '#tag',
  '/start',
  '<!channel>',
  '[here](http://evil.example)',
  '<a href="http://evil.example">',
  'tg://resolve?domain=x',
  'i❤.example',
  'evil\u200d.example',
  'evil․example',
  'evil\u00ad.example',
  'x❤://evil.example',
  '<#123456>',
])('leaves nothing of %s that a program would make a link or a mention', (typed) => {
  const text = inertText(`Ann ${typed}`);

  expect(text).not.toMatch(
    /[^\s\d]:\S|\/\/|\S[.․。．｡][\p{L}\p{N}]|[@＠]\S|(^|[^\p{L}\p{N}])\/\p{L}|[#[\]]/u,
  );
});

it('keeps people’s words on one line, without signs that hide, turn or emphasize', () => {
  const typed = 'Ann\r\n\u2028Approve:\u0000 \u202e*bold* _it_ ~no~ `code`\t\u200bx';

  expect(inertText(typed)).toBe('Ann Approve: ∗bold∗ ＿it＿ ∼no∼ ˋcodeˋ x');
});

it.each(['# Ann', '#Ann', '-# Ann', '> Ann', '>>> Ann'])(
  'makes no heading and no quotation of %s',
  (typed) => {
    expect(inertText(typed)).not.toMatch(/[#>]/);
  },
);

it('cuts between characters, never within one', () => {
  const cut = inertText('😀'.repeat(300));

  expect(cut).toBe(`${'😀'.repeat(79)}…`);
  expect(cutText('👩‍👩‍👧', 3)).toBe('👩…');
  expect(cutText('a\ud83d', 10)).toBe('a\ufffd');
});
