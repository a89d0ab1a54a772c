import { expect, it } from 'vitest';
import { decode } from './decode.ts';

/** The bytes of a text whose signs are those of Latin-1. */
const bytes = (text: string) => Buffer.from(text, 'latin1');

it.each([
  ['TR', '\xDE\xFCkr\xFC Y\xFDlmaz;Ay\xFEe Do\xF0an;\xDDpek I\xFE\xFDk', 'Şükrü Yılmaz;Ayşe Doğan;İpek Işık'],
  ['DE', 'J\x9Arg M\x9Fller;Petra J\x8Ager', 'Jörg Müller;Petra Jäger'],
  ['DE', 'J\x94rg M\x81ller', 'Jörg Müller'],
  ['DE', 'J\xF6rg M\xFCller;Gro\xDF;O\x92Neil;\x84so\x93;\x80 5', 'Jörg Müller;Groß;O’Neil;„so“;€ 5'],
  ['PL', '\xA3ukasz W\xF3jcik;Micha\xB3 \x8Cwi\xEAtek;\xAFaneta', 'Łukasz Wójcik;Michał Świętek;Żaneta'],
  ['HR', '\xC8uvi\xE6 Ivan', 'Čuvić Ivan'],
  ['LT', '\xDEilvinas \xC8esnokas', 'Žilvinas Česnokas'],
  ['BG', '\xC8\xE2\xE0\xED \xCF\xE5\xF2\xF0\xEE\xE2', 'Иван Петров'],
  ['GR', '\xC3\xE9\xFE\xF1\xE3\xEF\xF2', 'Γιώργος'],
  ['IS', '\xDE\xF3r Sigur\xF0sson', 'Þór Sigurðsson'],
  ['FR', 'Zo\xE9 d\x92\xC2me;FRAN\xC7OIS;\xC9LODIE', 'Zoé d’Âme;FRANÇOIS;ÉLODIE'],
  ['ES', '\xBFI\xF1igo Mu\xF1oz?;N\xBA 5', '¿Iñigo Muñoz?;Nº 5'],
  ['ES', 'Mu\x96oz Garc\x92a', 'Muñoz García'],
  ['PT', 'Jo\xE3o Sim\xF5es', 'João Simões'],
  ['DK', 'S\xF8ren \xC5g\xE5rd', 'Søren Ågård'],
])('reads a file of a program in %s: %#', (country, sent, text) => {
  expect(decode(bytes(sent), { country }).text).toBe(text);
});

it.each([
  ['a Turkish file', 'DE', '\xDE\xFCkr\xFC Y\xFDlmaz'],
  ['a Turkish file', undefined, '\xDE\xFCkr\xFC Y\xFDlmaz'],
  ['a Polish file', 'DE', '\xA3ukasz Micha\xB3'],
  ['a Czech file', 'AT', 'Ji\xF8\xED Dvo\xF8\xE1k'],
  ['a Hungarian file', 'DE', 'Szab\xF3 Gy\xF5rgy'],
  ['a Cyrillic file', 'DE', '\xC8\xE2\xE0\xED'],
  ['a Japanese file', 'JP', '\x8E\x52\x93\x63'],
])('does not guess what %s is in %s', (_what, country, sent) => {
  expect(decode(bytes(sent), { country }).fault).toContain('set encoding to the code page');
});

it.each([
  ['windows-1254', '\xDE\xFCkr\xFC', 'Şükrü'],
  ['macintosh', 'Mu\x96oz Garc\x92a', 'Muñoz García'],
  ['cp850', 'J\x94rg', 'Jörg'],
  ['shift_jis', '\x8E\x52\x93\x63', '山田'],
  ['windows-1252', '\xDE\xFCkr\xFC', 'Þükrü'],
] as const)('reads %s when encoding says so', (encoding, sent, text) => {
  expect(decode(bytes(sent), { encoding, country: 'DE' })).toMatchObject({ text, encoding, tail: 0 });
});

it.each(['utf-16le', 'utf-16be'] as const)('reads %s with and without its mark', (encoding) => {
  const sent = (text: string) => {
    const little = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16le' ? little : little.swap16();
  };
  const text = 'name\tphone\r\nJörg 山田\t017\r\n';

  expect(decode(sent(text))).toMatchObject({ text, encoding, tail: 0 });
  expect(decode(sent(`\uFEFF${text}`))).toMatchObject({ text, encoding, tail: 0 });
});

it('leaves out every byte order mark, as some programs write two', () => {
  expect(decode(Buffer.from('\uFEFF\uFEFFname')).text).toBe('name');
});
