import { z } from 'zod';
import { contrast, luminance } from './colour.ts';

const Colour = z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'is not a colour such as #0b6e6e');

/** An address that cannot end a style sheet's string or a directive of the Content-Security-Policy. */
const plainAddress = (ending: string, example: string) =>
  z
    .string()
    .regex(
      new RegExp(String.raw`^https://[\w.:-]+/[\w./%~+@-]*${ending}$`, 'i'),
      `is not an address such as ${example}`,
    );

/** The form's appearance, to fit the surrounding website. */
export const Look = z.strictObject({
  logo: plainAddress('', 'https://www.clinic.example/logo.svg')
    .optional()
    .describe('Picture above the form in place of the clinic’s name, at most 72 pixels high.'),
  colours: z
    .strictObject({
      button: Colour.optional().describe('The button; default: the clinic’s `theme_primary`.'),
      background: Colour.optional().describe('Around the form.'),
      card: Colour.optional().describe('Behind the fields.'),
      text: Colour.optional().describe('All text.'),
    })
    .default({})
    .superRefine((colours, context) => {
      const fault = colourFault(colours);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .describe(
      'As `#0b6e6e`. With `background`, `card` or `text` the form has these colours in a dark ' +
        'scheme, too. Colours that cannot be read together are refused.',
    ),
  font: z
    .strictObject({
      family: z
        .string()
        .regex(/^[A-Za-z0-9 -]{1,60}$/, 'is not the name of a font such as Nunito')
        .describe('Its name.'),
      url: plainAddress('\\.woff2', 'https://www.clinic.example/fonts/nunito.woff2')
        .optional()
        .describe(
          'Its `.woff2` file, whose site must allow this (CORS); without it, the visitor’s own font of that name.',
        ),
    })
    .optional()
    .describe('The font of all texts.'),
});
export type Look = z.infer<typeof Look>;

/** What the pages load besides themselves. */
export const pageSources = ({ font }: Look): { 'font-src'?: string[] } =>
  font?.url === undefined ? {} : { 'font-src': [font.url] };

export interface Palette {
  ground: string;
  card: string;
  text: string;
  faint: string;
  line: string;
  soft: string;
  bad: string;
  badGround: string;
  focus: string;
}

const light: Palette = {
  ground: '#f5f7f9',
  card: '#ffffff',
  text: '#17212b',
  faint: '#52606d',
  line: '#8794a1',
  soft: '#e3e8ec',
  bad: '#b3261e',
  badGround: '#fcebe9',
  focus: '#0b5fa5',
};
const dark: Palette = {
  ground: '#0f1419',
  card: '#171e25',
  text: '#e8eef4',
  faint: '#a5b3c0',
  line: '#6d7b88',
  soft: '#2a343e',
  bad: '#ff9a8f',
  badGround: '#36201e',
  focus: '#7cc0ff',
};

interface Palettes {
  /** Colour scheme of menus and pickers, which the browser draws. */
  scheme: 'light dark' | 'only light' | 'only dark';
  light: Palette;
  /** Absent where the clinic's own colours serve both schemes. */
  dark?: Palette;
}

/** The clinic's own colours, or else those of the website around the form, or of the visitor's system. */
export function palettes({ background, card, text }: Look['colours'], theme?: 'light' | 'dark'): Palettes {
  if (background === undefined && card === undefined && text === undefined) {
    if (theme === undefined) return { scheme: 'light dark', light, dark };
    return { scheme: `only ${theme}`, light: theme === 'dark' ? dark : light };
  }
  const base = luminance(card ?? light.card) < 0.18 ? dark : light;
  const own = {
    ground: background ?? base.ground,
    card: card ?? base.card,
    text: text ?? base.text,
  };
  // A clinic that chose these colours did not choose shades for them, so the text colour is used.
  const scheme = base === dark ? 'only dark' : 'only light';
  return { scheme, light: { ...base, ...own, faint: own.text, line: own.text } };
}

/** Colours that would be hard to read (WCAG 2.2, 1.4.3), or undefined. */
function colourFault(colours: Look['colours']): string | undefined {
  const { text, card, ground, bad, badGround, focus } = palettes(colours).light;
  for (const [what, front, behind] of [
    ['`text` on `card`', text, card],
    ['`text` on `background`', text, ground],
    ['`text` on the ground of messages', text, badGround],
    ['red on `card`', bad, card],
    ['a link on `card`', focus, card],
  ] as const) {
    const ratio = contrast(front, behind);
    if (ratio < 4.5)
      return (
        `cannot be read: ${what} (${front} on ${behind}) has a contrast of ` +
        `${ratio.toFixed(1)}:1, and 4.5:1 is needed`
      );
  }
  return undefined;
}
