import type { Language } from '../../../../src/texts/texts.ts';
import ar from './languages/ar.json' with { type: 'json' };
import bn from './languages/bn.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import hi from './languages/hi.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import nl from './languages/nl.json' with { type: 'json' };
import pl from './languages/pl.json' with { type: 'json' };
import pt from './languages/pt.json' with { type: 'json' };
import tr from './languages/tr.json' with { type: 'json' };

export type FormTextName = keyof typeof en;
/** All texts of the form in one language. `{clinic}` becomes the clinic's name. */
export type Texts = Readonly<Record<FormTextName, string>>;
export const textNames = Object.keys(en) as FormTextName[];

/** Languages that the form speaks without configuration, by tag. */
export const catalogue = {
  en,
  ar,
  bn,
  de,
  es,
  fr,
  hi,
  it,
  nl,
  pl,
  pt,
  tr,
} as const satisfies Record<Language, Texts>;

type Shipped = keyof typeof catalogue;
export const shippedLanguages = Object.keys(catalogue) as [Shipped, ...Shipped[]];
