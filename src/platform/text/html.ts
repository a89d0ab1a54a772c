import type { Asset } from './asset.ts';

const markup = Symbol('markup');

/**
 * Text that is already HTML. Only `html` and `verbatim` create it; keyed by a symbol, which parsed JSON cannot contain.
 */
export interface Html {
  readonly [markup]: string;
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? '');

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  if (markup in part) return part[markup];
  return part.map(render).join('');
}

const joined = new WeakMap<TemplateStringsArray, readonly string[]>();

/** As in JSX: a line break before an indented line is nothing beside a tag or a value, and a space within text. */
function textsOf(template: TemplateStringsArray): readonly string[] {
  const known = joined.get(template);
  if (known !== undefined) return known;
  const texts = template.map((text) =>
    text.replace(/(?<=[^>\s])\n[ \t]+(?=[^<\s])/g, ' ').replace(/\n[ \t]+/g, ''),
  );
  joined.set(template, texts);
  return texts;
}

/**
 * A template that escapes every value, in text and quoted attributes alike, unless it is `Html`. Indented lines
 * continue the one before them.
 */
export function html(template: TemplateStringsArray, ...parts: Part[]): Html {
  return {
    [markup]: textsOf(template).reduce((text, next, index) => text + render(parts[index - 1]) + next),
  };
}

/** A file of our own as it is. */
export const verbatim = (text: Asset): Html => ({ [markup]: text });

/** Attributes by name; `false` and undefined omit one, `true` writes the name alone. */
export const attributes = (all: Record<string, string | number | boolean | undefined>): Part =>
  Object.entries(all).map(([name, value]) => {
    if (value === undefined || value === false) return undefined;
    const named: Html = { [markup]: ` ${name}` };
    return value === true ? named : html`${named}="${value}"`;
  });

export const toText = (page: Html): string => page[markup];

/** A sentence in which `commands` in backticks become code. */
export const prose = (sentence: string): Html =>
  html`${sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** The names of U+00A0 to U+00FF, in order: what PHP's `htmlentities` writes. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn ' +
  'sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave ' +
  'Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN ' +
  'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave ' +
  'iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';
const named = new Map([
  ...LATIN.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', euro: '€' }),
]);

/** Plain text in which a server has written characters as HTML entities; what is none stays as it is. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, (whole, decimal, hex, name) => {
        if (name !== undefined) return named.get(name) ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
        return isCharacter ? String.fromCodePoint(code) : whole;
      })
    : text;
