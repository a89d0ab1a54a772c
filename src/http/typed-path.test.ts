import { expect, it } from 'vitest';
import { meantAddress, readQuery } from './typed-path.ts';

const names = ['website', 'form', 'Zähne & mehr'];
const connectorOf = (text: string) => names.find((name) => name.toLowerCase() === text.toLowerCase());
const meant = (url: string, publicPath = '') => meantAddress(url, { publicPath, connectorOf });

it.each([
  ['/in/website/form/', '/in/website/form'],
  ['/in/website/', '/in/website'],
  ['/in/website/Form', '/in/website/form'],
  ['/in/Website/form', '/in/website/form'],
  ['/IN/WEBSITE/FORM', '/in/website/form'],
  ['/in/website/form%20', '/in/website/form'],
  ['/in/website/form%2520', '/in/website/form'],
  ['/in/website/form.', '/in/website/form'],
  ['/in/website/form%E2%80%9D)', '/in/website/form'],
  ['/in/website/form.html', '/in/website/form'],
  ['/in/website/form&utm_source=x&lang=de', '/in/website/form?utm_source=x&lang=de'],
  ['/in/website/form%3Flang=de', '/in/website/form?lang=de'],
  ['/in/website/form%3Flang%3Dde%26theme%3Ddark', '/in/website/form?lang=de&theme=dark'],
  ['/in/website/form%253Flang%253Dde', '/in/website/form?lang=de'],
  ['/in/website/form%3Flang=de?theme=dark', '/in/website/form?lang=de&theme=dark'],
  ['/in/website/form#top', '/in/website/form'],
  ['/in/website/form%23top', '/in/website/form'],
  ['/in//website/form', '/in/website/form'],
  ['/IN/website/form', '/in/website/form'],
  ['//in/website//form?lang=de', '/in/website/form?lang=de'],
  ['/in/website/embed.js/', '/in/website/embed.js'],
  ['/in/Z%C3%84HNE%20%26%20mehr/form', '/in/Z%C3%A4hne%20%26%20mehr/form'],
  ['/in/Z%C3%84HNE%20&%20mehr/form', undefined],
  ['/in/website/form', '/in/website/form'],
  ['/in/form/form', '/in/form/form'],
  ['/booking/in/website/form', '/in/website/form'],
  ['/website/form', '/in/website/form'],
  ['/in/Website/token-Of-A-Tool', '/in/website/token-Of-A-Tool'],
  ['/in/website/form/more', '/in/website/form/more'],
  ['/in/website/%', '/in/website/-'],
  ['/in/other/form', undefined],
  ['/connectors/website', undefined],
  ['/connectors/website/form', undefined],
  ['/website', undefined],
  ['/website/nothing', undefined],
  ['/bookings', undefined],
  ['/in/%E0%A4%A/form', undefined],
])('%s means %s', (typed, address) => {
  expect(meant(typed)).toBe(address);
});

it('cuts off the public path that a proxy left', () => {
  expect(meant('/clinic-sync/in/website/form?lang=de', '/clinic-sync')).toBe('/in/website/form?lang=de');
});

it.each([
  ['/website', '/in/website'],
  ['/in/website/form/', '/in/website/form'],
  ['/booking/in/Website', '/in/website'],
  ['/bookings', undefined],
])('a form sent to %s is one for %s', (typed, address) => {
  expect(meantAddress(typed, { publicPath: '', connectorOf }, 'POST')).toBe(address);
});

it.each([
  'lang=de&amp;theme=dark',
  'lang=de&amp;amp;theme=dark',
  'lang=de?theme=dark',
  'lang=de&?theme=dark',
  'lang=de&theme=dark#top',
])('reads language and theme from ?%s', (query) => {
  const read = readQuery(`/in/website/form?${query}`);

  expect([read.get('lang'), read.get('theme')]).toEqual(['de', 'dark']);
});

it('leaves a question mark in a value alone', () => {
  expect(readQuery('/in/website/form?utm_content=why%3Fa=b&note=why?').get('note')).toBe('why?');
  expect(readQuery('/in/website/form?utm_content=why%3Fa=b').get('utm_content')).toBe('why?a=b');
});
