const markup = Symbol('markup');

/** Text that is already HTML. Only `html` creates it; keyed by a symbol, which parsed JSON cannot contain. */
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

/** A template that escapes every value, in text and quoted attributes alike, unless it is `Html`. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { [markup]: texts.reduce((text, next, index) => text + render(parts[index - 1]) + next) };
}

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
