import { nothing, type Reading, readAs, unclear } from './reading.ts';

/**
 * Whether a text can be what its sender meant; unclear for a placeholder, a program’s word for nothing, and damaged
 * letters. Idempotent. Before it, on arrival only, comes `decodeOnce`.
 */
export function readText(text: string): Reading {
  if (text === '') return nothing;
  if (isUnfilled(text) || isAngled(text))
    return unclear(
      'was not filled in by the form tool: it sent a placeholder, or a program’s word for nothing',
    );
  if (isDamaged(text))
    return unclear('has letters that were damaged on the way, so it is not certain what was written');
  return readAs(text);
}

/** In HTML, the letters and signs of Latin-1 in their order, from the no-break space on. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 ' +
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml ' +
  'Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc ' +
  'Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml ' +
  'aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc ' +
  'otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const entities: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", rsquo: '’', lsquo: '‘', sbquo: '‚' }),
  ...Object.entries({ ldquo: '“', rdquo: '”', bdquo: '„', ndash: '–', mdash: '—', hellip: '…', euro: '€' }),
  ...Object.entries({ Scaron: 'Š', scaron: 'š', OElig: 'Œ', oelig: 'œ', Yuml: 'Ÿ', trade: '™', bull: '•' }),
]);
const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,7}));/g;
const backslash = /\\(?:u([0-9a-fA-F]{4})|(['"\\/])|(r\\n|n|r|t)(?![a-z]))/g;

/** What the form tool sent instead of an answer. In an optional field, it is nothing. */
export const isUnfilled = (text: string): boolean => isProgramWord(text) || isPlaceholder(text);

/**
 * Undoes, once, what a sender escaped as HTML or with backslashes: a second time, it could undo what the sender wrote.
 */
export function decodeOnce(text: string): string {
  const plain = text.includes('&')
    ? text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities.get(name) ?? whole;
        return characterAt(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ?? whole;
      })
    : text;
  if (!plain.includes('\\')) return plain;
  return plain
    .replace(backslash, (_whole, hex?: string, sign?: string) =>
      hex === undefined ? (sign ?? '\n') : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .toWellFormed();
}

const characterAt = (code: number): string | undefined =>
  code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;

/** Emoji tags spell flags such as Scotland’s; variation selectors choose emoji. Both pass after a sign of that kind. */
const invisible =
  /\p{Cc}|\u00ad|\u034f|\u061c|\u180e|\u200b|\u200e|\u200f|[\u202a-\u202e\u2060-\u206f\ufff9-\ufffb]|\ufeff|(?<![\p{Extended_Pictographic}\p{Emoji_Component}\u{e0020}-\u{e007f}])[\ufe00-\ufe0f\u{e0000}-\u{e007f}]|(?<![\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component}])[\u200c\u200d]/gu;

/** Without what cannot be seen. Line ends and tabs stay; other breaks become line ends. */
export const withoutHidden = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : text.replace(/\u0085|\u2028|\u2029/g, '\n').replace(invisible, (character) => breaks[character] ?? '');

/** Tabs and line ends stay; a vertical tab and a form feed end a line, too. */
const breaks: Record<string, string> = { '\t': '\t', '\n': '\n', '\r': '\r', '\v': '\n', '\f': '\n' };

const programWords = new Set([
  ...['undefined', 'null', '(null)', '<null>', '[null]', 'nan', 'none', 'nil', '\\n', 'invalid date'],
  ...[
    '[object object]',
    '[object',
    'object]',
    ...['#n/a', '#n/d', '#n/b', '#nv', '#yok', '#getting_data', 'loading...'],
  ],
]);

/** `#REF!`, `#NAME?`, `#¿NOMBRE?`, `#SAYI/0!`, `Err:508`, and `####` for what does not fit its column. */
const errorOfSpreadsheet = /^#[¡¿]?\p{L}[\p{L}\p{N}/_]{1,18}[!?]$|^#{3,}$|^Err:\d{3}$/u;

/** How each of them begins, after what separates words: most texts need no closer look. */
const programBegins = /^[\s,;:/-]*[unilo(<[\\#e]|\[object object\]/i;

/** `undefined`, `undefined undefined`, `NaN-NaN-NaN`, `#N/A`, `########`. */
function isProgramWord(text: string): boolean {
  if (text.length > 80 || !programBegins.test(text)) return false;
  const lower = text.toLowerCase();
  if (programWords.has(lower) || errorOfSpreadsheet.test(text)) return true;
  if (lower.includes('[object object]')) return true;
  const words = lower.split(/[\s,;:/-]+/).filter(Boolean);
  if (/^(?:undefined|null|nan){2,9}$/.test(lower)) return true;
  return (
    words.length > 0 && words.every((word) => word !== 'none' && word !== 'object]' && programWords.has(word))
  );
}

/** One placeholder of any templating style, such as `{{name}}`, `[your-name]`, `%name%`, `${name}`, `*|NAME|*`. */
const inside = '\\s{0,3}[^\\s{}\\[\\]<>%|][^{}\\[\\]<>%|\\n]{0,99}';
const one = [
  ...[`\\{\\{\\{?${inside}\\}?\\}\\}`, `[$#@!]?\\{[!#]?${inside}\\}`, `\\[\\[?${inside}\\]\\]?`],
  ...[`<%=?-?${inside}%>`, `<<${inside}>>`, `%%?[\\p{L}_][\\w.: -]{0,60}%?%`, `\\*\\|${inside}\\|\\*`],
].join('|');
const whole = new RegExp(`^(?:${one})(?:[\\s,./:-]{0,3}(?:${one})){0,9}$`, 'u');
/** Nobody writes these among other words. */
const within = new RegExp(
  `\\{\\{[^{}\\n]{1,200}\\}\\}|\\{%[^{}\\n]{1,200}%\\}|\\$\\{${inside}\\}|<%${inside}%>|\\*\\|${inside}\\|\\*`,
  'u',
);
const LONGEST_PLACEHOLDER = 400;
/** `<Your name>`: also how some write a note, so it is no placeholder that may be left out. */
const isAngled = (text: string): boolean => /^<[^<>\n]{1,100}>$/.test(text);

const isPlaceholder = (text: string): boolean =>
  /[[{%<*]/.test(text) && text.length <= LONGEST_PLACEHOLDER && (whole.test(text) || within.test(text));

/** Characters of Windows-1252 whose byte is not their code point, by byte. */
const windows1252 = new Map(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map((sign, index) => [sign, 0x80 + index]),
);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOf = (sign: string): number => windows1252.get(sign) ?? sign.charCodeAt(0);
const asWindows1252 = [...windows1252.keys()].join('');
/** The first byte of a letter in UTF-8, then its others, all read as Windows-1252. */
const twiceEncoded = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${asWindows1252}]{1,3}`, 'gu');

/**
 * The other code pages of Windows: whole words that are UTF-8 in one of them (`РђРЅРЅР°`, `ط£ط­ظ…ط¯`) are of no
 * language.
 */
const otherPages = ['1250', '1251', '1253', '1255', '1256', '1257', '1258'].map((page) => {
  const upper = new TextDecoder(`windows-${page}`).decode(
    Uint8Array.from({ length: 128 }, (_, at) => at + 0x80),
  );
  return new Map([...upper].map((sign, at) => [sign, at + 0x80]));
});
const isLetters = (text: string | undefined): boolean => text !== undefined && !unused.test(text);
const foreignRuns = /[\u0080-\u{10ffff}]{2,}/gu;

/** Letters that no language of these code pages has: `PÓŁTORAK` is Polish, not UTF-8 for one of them. */
const unused = /[\u0180-\u019f\u01b1-\u0217\u021c-\u036f\u0460-\u052f]/;

function fromUtf8(bytes: readonly (number | undefined)[]): string | undefined {
  if (!bytes.every((byte) => byte !== undefined)) return undefined;
  try {
    return strict.decode(Uint8Array.from(bytes)) || undefined;
  } catch {
    return undefined;
  }
}

/** Letters that a wrong code page replaced: U+FFFD, `J?rg`, and UTF-8 read as another one (`MÃ¼ller`). */
function isDamaged(text: string): boolean {
  if (/^[\x20-\x3e\x40-\x7e\n]*$/.test(text)) return false;
  if (text.includes('\ufffd') || !text.isWellFormed()) return true;
  if ((text.match(twiceEncoded) ?? []).some((run) => fromUtf8([...run].map(byteOf)) !== undefined))
    return true;
  return (text.match(foreignRuns) ?? []).some((run) =>
    otherPages.some(
      (page) => page.has(run.slice(0, 1)) && isLetters(fromUtf8(Array.from(run, (sign) => page.get(sign)))),
    ),
  );
}
