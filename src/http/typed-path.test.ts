import { expect, it } from 'vitest';
import { meantAddress, redirectTo } from './typed-path.ts';

const names = ['website', 'Zähne & mehr'];
const connectorOf = (text: string) => names.find((name) => name.toLowerCase() === text.toLowerCase());
const meant = (url: string, publicPath = '') => meantAddress(url, { publicPath, connectorOf });

it.each([
  ['/in/website/form/', '/in/website/form', '../../website/form'],
  ['/in/website/', '/in/website', '../website'],
  ['/in/website/Form', '/in/website/form', '../website/form'],
  ['/in/Website/form', '/in/website/form', '../website/form'],
  ['/IN/WEBSITE/FORM', '/in/website/form', '../website/form'],
  ['/in/website/form%20', '/in/website/form', '../website/form'],
  ['/in/website/form.', '/in/website/form', '../website/form'],
  ['/in/website/form%E2%80%9D)', '/in/website/form', '../website/form'],
  ['/in/website/form.html', '/in/website/form', '../website/form'],
  [
    '/in/website/form&utm_source=x&lang=de',
    '/in/website/form?utm_source=x&lang=de',
    '../website/form?utm_source=x&lang=de',
  ],
  ['/in//website/form', '/in/website/form', undefined],
  ['/IN/website/form', '/in/website/form', undefined],
  ['//in/website//form?lang=de', '/in/website/form?lang=de', '../../website/form?lang=de'],
  ['/in/website/embed.js/', '/in/website/embed.js', '../../website/embed.js'],
  ['/in/Z%C3%84HNE%20&%20mehr/form', undefined, undefined],
  ['/in/website/form', '/in/website/form', undefined],
  ['/booking/in/website/form', '/in/website/form', undefined],
  ['/website/form', '/in/website/form', undefined],
  ['/in/website/nothing', undefined, undefined],
  ['/in/other/form', undefined, undefined],
  ['/connectors/website', undefined, undefined],
  ['/connectors/website/form', undefined, undefined],
  ['/bookings', undefined, undefined],
  ['/in/%E0%A4%A/form', undefined, undefined],
  ['/in/website/%', undefined, undefined],
])('%s means %s', (typed, address, redirect) => {
  expect(meant(typed)).toBe(address);
  if (address !== undefined) expect(redirectTo(typed, address)).toBe(redirect);
});

it('leads from every typed address to the right one', () => {
  for (const typed of [
    '/in/website/form/',
    '/a/b/in/website//Form',
    '/in//website/',
    '/in/website/form.html',
  ]) {
    const address = meant(typed) ?? '';
    const there = new URL(redirectTo(typed, address) ?? '', `https://x.example${typed}`);

    expect(there.pathname.endsWith(address), `${typed} → ${there.pathname}`).toBe(true);
  }
});

it('cuts off the public path that a proxy left', () => {
  expect(meant('/clinic-sync/in/website/form?lang=de', '/clinic-sync')).toBe('/in/website/form?lang=de');
});

it.each([
  ['/website', '/in/website'],
  ['/in/website/form', '/in/website'],
  ['/in/website/form/', '/in/website'],
  ['/booking/in/Website', '/in/website'],
  ['/in/website/token-of-a-tool', undefined],
  ['/bookings', undefined],
])('a form sent to %s is one for %s', (typed, address) => {
  expect(meantAddress(typed, { publicPath: '', connectorOf }, 'POST')).toBe(address);
});
