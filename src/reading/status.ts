import { foldName } from '../platform/fold.ts';

/** Beginnings of words for what is off, in the twelve languages, by `foldName`. */
const off = [
  ...[
    'cancel',
    'no show',
    'no-show',
    'noshow',
    'deleted',
    'removed',
    'declined',
    'void',
    'withdrawn',
    'trash',
    'spam',
  ],
  ...[
    'storniert',
    'abgesagt',
    'geloscht',
    'nicht erschienen',
    'annule',
    'supprime',
    'absent',
    'anulad',
    'eliminad',
  ],
  ...[
    'no asistio',
    'no se presento',
    'desmarcad',
    'excluid',
    'apagad',
    'faltou',
    'nao compareceu',
    'annullat',
    'cancellat',
  ],
  ...[
    'disdett',
    'eliminat',
    'non presentat',
    'geannuleerd',
    'afgezegd',
    'verwijderd',
    'niet verschenen',
    'anulowan',
  ],
  ...[
    'odwolan',
    'usuniet',
    'nieobecn',
    'iptal',
    'silindi',
    'gelmedi',
    'ملغ',
    'الغ',
    'محذوف',
    'لم يحضر',
    'বাতিল',
    'মুছে',
  ],
  ...['অনুপস্থিত', 'रद्द', 'हटाया', 'अनुपस्थित'],
].map((word) => foldName(word));

/** Columns that say what became of a booking, and columns that say only that it is off; by `labelKey`. */
const columns = new Set([
  'status',
  'state',
  'bookingstatus',
  'appointmentstatus',
  'leadstatus',
  'statut',
  'estado',
  'stato',
  'durum',
]);
const flags = new Set([
  'canceled',
  'cancelled',
  'iscanceled',
  'iscancelled',
  'canceledat',
  'cancelledat',
  'deleted',
  'isdeleted',
  'deletedat',
  'noshow',
  'storniert',
]);
const no = new Set(['', '0', 'no', 'false', 'n', 'nein', 'non', '-', 'null', 'none', 'undefined']);

/** Whether a field under this name (by `labelKey`) says that the booking was cancelled, deleted or missed. */
export function saysOff(key: string, text: string): boolean {
  const said = foldName(text.slice(0, 80));
  if (flags.has(key)) return !no.has(said);
  return columns.has(key) && off.some((word) => said.startsWith(word));
}

export const offFault = {
  field: 'booking',
  message:
    'Its status says that it was cancelled, deleted or missed: book it only if the patient still wants it.',
};
