import { foldName } from '../platform/text/fold.ts';

/** What menus offer for "none in particular", by `foldName`. */
const noChoice = new Set(
  [
    ...[
      'no preference',
      'any',
      'anyone',
      'anybody',
      'any dentist',
      'any doctor',
      'any available',
      'none',
      'n/a',
      'na',
    ],
    ...[
      'first available',
      'any available dentist',
      'any available doctor',
      'no preferred dentist',
      'does not matter',
    ],
    ...[
      'keine praferenz',
      'egal',
      'keine angabe',
      'keiner',
      'beliebig',
      'kein wunsch',
      'sans preference',
      'peu importe',
    ],
    ...[
      'aucune preference',
      'aucun',
      'sin preferencia',
      'cualquiera',
      'ninguno',
      'indiferente',
      'sem preferencia',
    ],
    ...['qualquer um', 'nenhum', 'tanto faz', 'nessuna preferenza', 'indifferente', 'nessuno', 'qualsiasi'],
    ...[
      'geen voorkeur',
      'maakt niet uit',
      'geen',
      'bez preferencji',
      'dowolny',
      'brak',
      'obojetnie',
      'fark etmez',
    ],
    ...[
      'tercih yok',
      'farketmez',
      'yok',
      'لا تفضيل',
      'لا يوجد',
      'اي طبيب',
      'कोई भी',
      'कोई पसंद नहीं',
      'কোনো পছন্দ নেই',
      'যেকোনো',
      'যে কোনো',
    ],
  ].map((text) => foldName(text)),
);
/** `Select…`, `-- Please choose --`: the first line of a menu that nobody opened. */
const prompts = [
  /^(?:please )?(?:select|choose|pick)(?: (?:option|dentist|doctor|treatment|service))?$/,
  /^(?:please )?(?:select|choose|pick) (?:an?|your|one|the)\b.{0,40}$/,
  /^(?:bitte )?(?:auswahlen|wahlen)(?: sie.{0,30})?$/,
  /^(?:veuillez )?(?:choisir|selectionner|choisissez|selectionnez)\b.{0,30}$/,
  /^(?:seleccione|seleccionar|elija|escolha|selecione|selezionare|seleziona|scegli)\b.{0,30}$/,
  /^(?:kies|selecteer|wybierz|seciniz|secin)\b.{0,30}$/,
];

const bracketed = / ?\(([^()]{1,40})\)$/;
/** `any provider`, `no specific dentist`, `doesn't matter`. */
const indifferent = [
  /^any (?:of (?:them|you)|one|provider|hygienist|specialist|clinician|available .{1,20})$/,
  /^(?:no (?:specific|particular) .{1,20}|whoever is (?:free|available)|not sure|doctor|dentist)$/,
  /^(?:(?:i )?(?:don'?t|do not) (?:mind|care|know)|(?:it )?doesn'?t matter)$/,
];

/** Whether a menu's answer says that nothing was chosen. */
export function isNoChoice(text: string): boolean {
  if (text.length > 80) return false;
  const bare = foldName(text)
    .replace(bracketed, (_whole, inside: string) => (noChoice.has(inside.trim()) ? '' : `(${inside})`))
    .replace(/^[\s\-–—=*.:<>()[\]…_]+|(?<![\s\-–—=*.:<>()[\]…_!])[\s\-–—=*.:<>()[\]…_!]+$/gu, '')
    .trim();
  return bare === '' || noChoice.has(bare) || [...prompts, ...indifferent].some((one) => one.test(bare));
}

/** Titles of dentists, which some write and others leave out. */
const titles = new Set(
  (
    'dr doctor prof professor mr mrs ms miss mx sir herr frau dra dott dottssa dottore med dent dds dmd bds dt ' +
    'doc docteur'
  ).split(' '),
);

/** For finding a dentist or treatment: without accents, stops and titles. Empty if nothing else is left. */
export const choiceKey = (name: string): string =>
  foldName(name)
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter((word) => word !== '' && !titles.has(word))
    .join(' ');
