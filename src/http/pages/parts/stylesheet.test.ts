import { expect, it } from 'vitest';
import { stylesheet } from './stylesheet.ts';

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** WCAG 2.2, 1.4.3. */
const contrast = (a: string, b: string): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

const schemes = stylesheet
  .split('prefers-color-scheme: dark')
  .map((part) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name, hex]) => [name, hex])),
  );

const pairs: [string, string][] = [
  ['text', 'ground'],
  ['text', 'card'],
  ['text', 'soft'],
  ['faint', 'ground'],
  ['faint', 'card'],
  ['faint', 'soft'],
  ['accent', 'ground'],
  ['accent', 'card'],
  ['on-accent', 'accent'],
  ['ok', 'ok-ground'],
  ['attention', 'attention-ground'],
  ['bad', 'bad-ground'],
  ['bad', 'card'],
];

it.each(pairs)('%s is readable on %s, in light and in dark', (text, ground) => {
  for (const scheme of schemes.slice(0, 2)) {
    expect(contrast(scheme[text] ?? '#000000', scheme[ground] ?? '#000000')).toBeGreaterThanOrEqual(4.5);
  }
});
