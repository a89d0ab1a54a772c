import { noClinic } from '../domain/bookings/booking.ts';
import { wallClockInstant } from '../domain/date-time.ts';
import { causes } from '../domain/status/conditions.ts';
import { causeOf, needWords } from '../domain/status/need-words.ts';
import { type Instant, toMs } from '../platform/clock.ts';
import { cutText, inertText } from '../platform/text/inert-text.ts';
import { type Locale, localeOf } from '../platform/text/locale.ts';
import { sentences } from '../platform/text/sentences.ts';
import { type Language, loadTexts, type TextName } from '../texts/texts.ts';
import type { Item, LinksOf, Message, MessageType, PatientOf, Words } from './message.ts';

/** Characters of a line; ten lines and their addresses fit into a Telegram message (4,096 characters). */
const LONGEST = 280;
/** Characters of a single line. */
const LONGEST_ALONE = 1_000;

const titles = {
  'needs_you.opened': 'told_opened',
  'needs_you.reminder': 'told_reminder',
  'needs_you.settled': 'told_settled',
  'health.trouble': 'told_trouble',
  'health.recovered': 'told_recovered',
  silence: 'told_silence',
  test: 'told_test',
} as const satisfies Record<MessageType, TextName>;

const kindNames = new Map([
  ['booking', 'bookings'],
  ['guard', 'guards'],
  ['delivery', 'deliveries'],
  ['connector', 'connectors'],
  ['probe', 'kind_probe'],
  ['clinic', 'clinic'],
  ['unreachable', 'clinic'],
  ['stale', 'kind_reading'],
  ['failing', 'kind_reading'],
  ['late', 'kind_reading'],
  ['lane', 'sending'],
  ['database', 'kind_database'],
  ['schedule', 'kind_schedule'],
  ['fleet', 'daemons'],
  ['silence', 'kind_silence'],
] as const);
type KindName = ReturnType<typeof kindNames.get>;

export interface Readers {
  language: Language;
  /** The first one gives the default time zone. */
  clinics: readonly { key: string; timezone: string }[];
  patientOf: PatientOf;
  linksOf: LinksOf;
}

/** The time zone of a clinic’s times. */
export const zoneIn = (clinics: Readers['clinics'], clinic: string | null): string =>
  (clinics.find(({ key }) => key === clinic) ?? clinics[0])?.timezone ?? 'UTC';

/** A message in the language of its readers. */
export async function wordsOf(message: Message, readers: Readers): Promise<Words> {
  const { type, items, count, url } = message;
  await loadTexts(readers.language);
  const locale = localeOf(readers.language);
  const { t } = locale;
  // Keeps the language’s direction for a line that begins with a name.
  const start = locale.dir === 'rtl' ? '\u200f' : '';
  const worded = items.map((item) => ({ ...item, ...itemWords(item, locale) }));
  const texts = await Promise.all(worded.map((item) => lineOf(message, item, { ...readers, locale })));
  const [first] = items;
  const asking = askingIn(message);
  const links = asking === undefined ? [] : await readers.linksOf(asking);
  const lines = texts.map((text, at) => {
    const own = count > 1 ? items[at]?.url : undefined;
    return own == null || own === url ? { text } : { text, url: own };
  });
  const more = count - items.length;
  return {
    title: `${start}clinic-sync: ${t(titles[type] as 'told_opened', { count })}${placeOf(message, readers)}`,
    lines: [
      ...(message.perhaps ? [{ text: t('told_perhaps') }] : []),
      ...countLine(message, locale),
      ...lines,
      ...(more > 0 ? [{ text: `… ${t('and_more', { count: more })}.` }] : []),
    ].map((line) => ({ ...line, text: `${start}${line.text}` })),
    items: worded.map(({ sentence, action }) => ({ sentence, action })),
    links: links.map((link) => ({ ...link, label: t(`step_${link.action}`) })),
    open: t('open'),
    url: count === 1 ? (first?.url ?? url) : url,
    urgent: type !== 'needs_you.settled' && items.some(({ urgent }) => urgent),
    calm: type === 'needs_you.settled' || type === 'health.recovered',
  };
}

/** Keeps subjects of mails apart, and says whom a message is for. */
function placeOf({ items: [first], count }: Message, { clinics }: Readers): string {
  if (first === undefined || count > 1) return '';
  const place = first.kind === 'booking' ? first.subject : clinics.length > 1 && first.clinic;
  return place ? ` (${place})` : '';
}

/** The number of alerts of each kind. */
function countLine({ kinds, count }: Message, { t, number }: Locale): { text: string }[] {
  const numbers = new Map<KindName, number>();
  for (const [kind, some] of Object.entries(kinds)) {
    const name = kindNames.get(kind as 'booking');
    numbers.set(name, (numbers.get(name) ?? 0) + some);
  }
  if (count === 1 || numbers.size < 2) return [];
  return [
    { text: `${[...numbers].map(([name, some]) => `${t(name ?? 'what')} ${number(some)}`).join(', ')}.` },
  ];
}

const acting: readonly MessageType[] = ['needs_you.opened', 'needs_you.reminder', 'silence'];

/** What the links of the message answer: its booking, or the clinic that may be closed. */
function askingIn({ type, items, count }: Message): Item | undefined {
  const [first] = items;
  if (type === 'test') return count > 1 ? first : undefined;
  if (!acting.includes(type)) return undefined;
  return count === 1 && first?.kind === 'booking' ? first : items.find(({ kind }) => kind === 'silence');
}

/** Messages that tell since when. */
const lasting: readonly MessageType[] = ['needs_you.reminder', 'health.trouble'];

async function lineOf(
  { type, at, count }: Message,
  item: Item,
  { locale, clinics, patientOf }: Readers & { locale: Locale },
): Promise<string> {
  const { kind, clinic, subject, action, since, visit } = item;
  // It may quote the names that a visitor typed.
  const sentence = kind === 'booking' ? inertText(item.sentence, LONGEST_ALONE) : item.sentence;
  const patient = kind === 'booking' ? await patientOf(subject) : undefined;
  const isOver = type === 'needs_you.settled' || type === 'health.recovered';
  const isNamed = clinic === null || clinic === noClinic || clinics.length < 2 || sentence.includes(clinic);
  const clock = locale.inZone(zoneIn(clinics, clinic));
  const time = clock.date(toMs(since), { ...moment, timeZoneName: 'short' });
  const text = sentences(
    patient,
    isNamed ? sentence : `${clinic}: ${sentence}`,
    visit !== undefined && `${locale.t('visit')}: ${visitWords(visit, at, clock)}`,
    item.unreached !== undefined && !isOver && locale.t('told_unreached', { name: item.unreached }),
    lasting.includes(type) && locale.t('told_since', { time }),
    // The database's message says itself that it works again.
    type === 'health.recovered' &&
      kind !== 'database' &&
      locale.t('told_over', { time: locale.duration(toMs(at) - toMs(since)) }),
    !isOver && action,
  ).replaceAll('`', '');
  return cutText(text, count === 1 ? LONGEST_ALONE : LONGEST);
}

const moment: Intl.DateTimeFormatOptions = {
  ...{ weekday: 'short', day: 'numeric', month: 'short' },
  ...{ hour: '2-digit', minute: '2-digit' },
};

/** With the year, unless it is that of the message. */
function visitWords(visit: string, at: Instant, clock: Locale): string {
  const [date = '', time = ''] = visit.split(' ');
  const year = date.startsWith(at.slice(0, 4)) ? {} : ({ year: 'numeric' } as const);
  return clock.date(wallClockInstant(date, time, clock.zone).ms, { ...moment, ...year });
}

/** English is more specific than codes. Items stored by a former version have no codes. */
function itemWords(item: Item, locale: Locale): Pick<Item, 'sentence' | 'action'> {
  const { kind, subject, url, sentence, action } = item;
  if (locale.isSource) return { sentence, action };
  const words = needWords(item, locale);
  if (words === undefined) {
    const cause = causes.find((one) => one === kind);
    if (cause === undefined) return { sentence, action };
    const text = causeOf({ kind: cause, subject }, locale);
    return { sentence: `${text.charAt(0).toLocaleUpperCase(locale.lang)}${text.slice(1)}`, action: '' };
  }
  const show = kind === 'booking' && url === null ? locale.t('todo_booking', { name: subject }) : '';
  return { sentence: words.sentence, action: words.todo ?? show };
}
