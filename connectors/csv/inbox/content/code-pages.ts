/**
 * Encodings that `encoding:` may name, besides `auto`; the labels are those of the WHATWG Encoding Standard but for
 * CP850.
 */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  ...([
    'windows-1250',
    'windows-1251',
    'windows-1252',
    'windows-1253',
    'windows-1254',
    'windows-1255',
  ] as const),
  ...(['windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-15'] as const),
  ...(['macintosh', 'cp850', 'ibm866', 'koi8-r', 'gb18030', 'big5', 'shift_jis', 'euc-kr'] as const),
] as const;
export type Encoding = (typeof encodings)[number];

/** DOS Latin 1, from 0x80; its letters are where CP437 has them, too. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

export function decodeAs(bytes: Buffer, encoding: Encoding): string {
  if (encoding !== 'cp850') return new TextDecoder(encoding).decode(bytes);
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, (sign) => CP850[sign.charCodeAt(0) - 0x80] ?? '');
}

/** The letters beyond ASCII of the languages written in a code page. */
const letters: Partial<Record<Encoding, RegExp>> = {
  'windows-1250': /[áâăäąćčçďđéęëěíîĺľłńňóôőöŕřśšşţťúůűüýźžżß]/iu,
  'windows-1251': /\p{Script=Cyrillic}/u,
  'windows-1252': /[àáâãäåæçèéêëìíîïñòóôõöøœùúûüÿšžß]/iu,
  'windows-1253': /\p{Script=Greek}/u,
  'windows-1254': /[çğıİöşüâîûÇĞÖŞÜ]/u,
  'windows-1255': /\p{Script=Hebrew}/u,
  'windows-1256': /\p{Script=Arabic}/u,
  'windows-1257': /[āčēģīķļņšūžąęėįųõäöü]/iu,
  'windows-874': /\p{Script=Thai}/u,
  macintosh: /[àáâãäåæçèéêëìíîïñòóôõöøœùúûüÿß]/iu,
  cp850: /[àáâãäåæçèéêëìíîïñòóôõöøùúûüß]/iu,
};

/** Letters that, except in some countries, show a Turkish, Czech, Hungarian or Romanian file that is read wrongly. */
const northern = /[ðþý]/iu;
const NORTHERN = /^(?:IS|FO)$/;
const doubtful = /[øõã]/iu;
const DOUBTFUL_IN = /^(?:AT|CH|DE|IT|LI)$/;

/** What spreadsheet programs write as plain CSV, by country; Windows-1252 elsewhere. */
const byCountry: readonly (readonly [Encoding, string])[] = [
  ['windows-1250', 'AL BA CZ HR HU ME PL RO SI SK'],
  ['windows-1251', 'BG BY KG KZ MK MN RS RU TJ UA UZ'],
  ['windows-1253', 'CY GR'],
  ['windows-1254', 'AZ TR'],
  ['windows-1255', 'IL'],
  ['windows-1256', 'AE BH DZ EG IQ JO KW LB LY MA OM PS QA SA SD SY TN YE'],
  ['windows-1257', 'EE LT LV'],
  ['windows-874', 'TH'],
];
/** Code pages of several bytes a letter are not recognized by their letters. */
const UNKNOWN = /^(?:CN|HK|JP|KR|MO|TW|VN)$/;

/** What a file of this country may be in, the most likely first. */
function candidatesFor(country: string | undefined): readonly Encoding[] {
  if (country !== undefined && UNKNOWN.test(country)) return [];
  const own = byCountry.find(
    ([, countries]) => country !== undefined && countries.split(' ').includes(country),
  );
  if (own !== undefined) return [own[0]];
  return ['windows-1252', 'macintosh', 'cp850'];
}

/** Control characters, among them those that stand for bytes without a meaning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const meaningless = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]/;
/** UTF-8 read as something else, also where it is cut. */
const utf8Traces = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\xc2-\xf4]$/;
/** No language of the Latin alphabet has such a run. */
const longRun = /[\x80-\xff]{3}/;
/** A capital in the middle of a word. */
const misplacedCapital = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
/** Typography, currencies and such beside words; within them only apostrophes. */
const sign = /[\u2018-\u201f\u2013\u2014\u2026\u2022\u20ac\u2122\xa0-\xbf\xd7]/u;
/** Signs that touch no word: they are the letters of another code page. */
const touching = /(?<=\p{L})[¢-©¬®-±´-¸¼-¾×€]|[¢-©¬®-¹¼-¾×](?=\p{L})|(?<=\p{L})[²³¹]/u;
const isLatin = (encoding: Encoding) => /^(?:windows-125[0247]|macintosh|cp850)$/.test(encoding);

/**
 * Whether the bytes make words in this encoding: every letter belongs to the languages written in it, capitals begin
 * words, and signs stand between words.
 */
function isPlausible(bytes: string, text: string, candidate: Candidate): boolean {
  if (meaningless.test(text)) return false;
  if (isLatin(candidate.encoding) && (longRun.test(bytes) || utf8Traces.test(bytes))) return false;
  for (const word of foreignWords(text)) if (!isWord(word, candidate)) return false;
  return true;
}

function isWord(word: string, { encoding, country = '' }: Candidate): boolean {
  const isKnown = (letter: string) => {
    if (encoding === 'windows-1252' && northern.test(letter)) return NORTHERN.test(country);
    if (doubtful.test(letter) && DOUBTFUL_IN.test(country)) return false;
    return (letters[encoding] ?? /\p{L}/u).test(letter);
  };
  const others = word.match(/[\u0080-\u{10ffff}]/gu) ?? [];
  if (!others.every((one) => sign.test(one) || isKnown(one) || /\p{M}/u.test(one))) return false;
  if (touching.test(word) || IN_WORD.test(word)) return false;
  // A capital alone, or in the middle of a word, is a sign of another code page.
  const isStrange = LONE_CAPITAL.test(word) || misplacedCapital.test(word.replace(PREFIXED, ''));
  return !(isLatin(encoding) && isStrange);
}

interface Candidate {
  encoding: Encoding;
  country: string | undefined;
}

const LONGEST_WORD = 64;
const isSeparator = (letter: string | undefined) => letter === undefined || /[\s,;|"()/]/.test(letter);

/** Words with a sign beyond ASCII, and no more of one than tells what it is: there may be megabytes without a space. */
function* foreignWords(text: string): Generator<string> {
  const foreign = /[\u0080-\uffff]/g;
  for (let found = foreign.exec(text); found !== null; found = foreign.exec(text)) {
    let [start, end] = [found.index, found.index + 1];
    while (found.index - start < LONGEST_WORD && !isSeparator(text[start - 1])) start -= 1;
    while (end - found.index < LONGEST_WORD && !isSeparator(text[end])) end += 1;
    foreign.lastIndex = end;
    yield text.slice(start, end);
  }
}

const LONE_CAPITAL = /^(?![ÀÉÓ])\p{Lu}$/u;
const IN_WORD = /(?<=\p{L})[^\p{L}\p{M}\p{N}'’.\-@&+:_](?=\p{L})/u;
const PREFIXED = /\b(?:Mc|Mac|De|Di|La|Le|O’|O')(?=\p{Lu})/gu;

/** The only reading of these bytes that makes words; undefined when there is none, or more than one. */
export function readByWords(
  bytes: Buffer,
  country: string | undefined,
): { text: string; encoding: Encoding } | undefined {
  const raw = bytes.toString('latin1');
  const readings = new Map<string, Encoding>();
  for (const encoding of candidatesFor(country)) {
    const text = decodeAs(bytes, encoding);
    if (isPlausible(raw, text, { encoding, country }) && !readings.has(text)) readings.set(text, encoding);
  }
  const [only, ...others] = readings;
  return only === undefined || others.length > 0 ? undefined : { text: only[0], encoding: only[1] };
}
