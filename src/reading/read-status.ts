import { labelKey } from '../domain/bookings/field-labels.ts';
import { foldName } from '../platform/text/fold.ts';

const listed = (text: string): string[] => text.split(',').map((word) => foldName(word));

/** Beginnings of words for what is off, in the twelve languages. */
const off = listed(
  'cancel,no show,no-show,noshow,deleted,removed,declined,void,withdrawn,trash,spam,storn,abgesagt,absage,' +
    'geloscht,nicht erschienen,annul,supprime,absent,anulad,eliminad,no asistio,no se presento,desmarcad,excluid,' +
    'apagad,faltou,nao compareceu,annullat,cancellat,disdett,eliminat,non presentat,afgezegd,geannuleerd,' +
    'verwijderd,niet verschenen,anulow,odwolan,usuniet,nieobecn,iptal,silindi,gelmedi,ملغ,الغ,الالغ,محذوف,' +
    'لم يحضر,বাতিল,মুছে,অনুপস্থিত,रद्द,हटाया,अनुपस्थित,' +
    // Refused, over, or at another time.
    'reject,refus,denied,fail,abandon,refund,expire,rescheduled,postponed,moved,not attend,did not attend,didn,' +
    'dna,abgelehnt,abgelaufen,abgebrochen,verschoben,verlegt,rejet,expir,report,deplac,rechazad,caducad,aplazad,' +
    'reprogramad,recusad,rejeitad,adiad,remarcad,rifiutat,respint,scadut,rinviat,spostat,geweigerd,afgewezen,' +
    'verlopen,verzet,verplaatst,odrzucon,wygas,przelozon,przeniesion,reddedil,suresi dol,ertelen,مرفوض,منته,مؤجل,' +
    'প্রত্যাখ্যা,মেয়াদোত্তীর্ণ,স্থগিত,अस्वीकृत,स्थगित',
);
const offWord = new RegExp(`(?<![\\p{L}\\p{M}])(?:${off.map((word) => RegExp.escape(word)).join('|')})`, 'u');

const keys = (text: string): ReadonlySet<string> => new Set(listed(text).map(labelKey));
/** A word of columns that say what became of a booking: `Estado de la cita`, `Buchungsstatus`. */
const columns =
  /status(?![\p{L}\p{M}])|(?<![\p{L}\p{M}])(?:state|zustand|stand|statut|etat|estado|situacion|situacao|stato|durumu?|stan|الحاله|الحالة|حاله|حالة|स्थिति|অবস্থা|স্ট্যাটাস|स्टेटस)(?![\p{L}\p{M}])/u;
/** Columns that say only that it is off, by `labelKey`. */
const flags = keys(
  'canceled,cancelled,is canceled,is cancelled,canceled at,cancelled at,cancellation date,deleted,is deleted,' +
    'deleted at,trashed,is trashed,is spam,no show,is no show,storniert,abgesagt,gelöscht,annulé,supprimé,' +
    'cancelado,cancelada,anulado,anulada,archived,is archived,rescheduled,is rescheduled,rescheduled at,' +
    'cancelled by,canceled by,cancelled on,canceled on,cancellation reason,cancelation reason,cancel reason,' +
    'cancelation date,cancellation time,stornogrund,stornierungsgrund,motif d annulation,motivo de cancelacion,' +
    'motivo do cancelamento,motivo di annullamento,reden van annulering,powod anulowania,iptal nedeni,annullato,' +
    'annullata,cancellato,geannuleerd,anulowane,anulowana,odwołane,iptal,iptal edildi,ملغى,रद्द,বাতিল',
);
const tests = keys('test,is test,test mode,testmode,is preview,test lead,is test lead');
const no = new Set(
  listed(',0,no,false,n,nein,non,nee,nie,nao,hayir,لا,नहीं,না,-,n/a,null,none,undefined,live,production'),
);

interface Label {
  key: string;
  isStatus: boolean;
}

/** By label: a file has few, and many rows. */
const known = new Map<string, Label>();
function readLabel(label: string): Label {
  const before = known.get(label);
  if (before !== undefined) return before;
  if (known.size >= MOST_LABELS) known.clear();
  const words = label.length > MOST ? '' : foldName(label.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const read = { key: labelKey(words), isStatus: columns.test(words) };
  known.set(label, read);
  return read;
}
const MOST_LABELS = 1_000;
/** Longer texts are no labels and no status. */
const MOST = 80;

/** Whether a field under this name says that the booking was cancelled, deleted or missed. */
export function saysOff(label: string, text: string): boolean {
  const { key, isStatus } = readLabel(label);
  if (flags.has(key)) return !isNo(text);
  return isStatus && offWord.test(foldName(text.slice(0, MOST)).replaceAll('_', ' '));
}

const isNo = (text: string): boolean => no.has(foldName(text.slice(0, MOST)));

/** Whether the tool calls what it sends a test: a flag, or the words that Meta puts into every answer. */
const saysTest = (label: string, text: string): boolean =>
  /^<?test lead: /i.test(text) || (tests.has(readLabel(label).key) && !isNo(text));

const questions: readonly [says: typeof saysOff, question: string][] = [
  [
    saysOff,
    'Its status says that it was cancelled, deleted or missed: approve it only if the patient still wants it.',
  ],
  [saysTest, 'The form tool calls it a test: drop it, unless a patient is behind it.'],
];

/** What a person must be asked before this is booked, by fields that are no part of a booking. */
export function statusQuestion(
  fields: readonly (readonly [label: string, text: string])[],
): string | undefined {
  const asked = questions.filter(([says]) =>
    fields.some(([label, text]) => text !== '' && says(label, text)),
  );
  return asked.length === 0 ? undefined : asked.map(([, question]) => question).join(' ');
}
