import type { Instant } from '../platform/clock.ts';
import { sentences } from '../platform/sentences.ts';

export const messageTypes = [
  'needs_you.opened',
  'needs_you.reminder',
  'needs_you.settled',
  'health.trouble',
  'health.recovered',
  'silence',
  'test',
] as const;
export type MessageType = (typeof messageTypes)[number];

/** One thing of a message. No patient data: who it is about is read again when the message is sent. */
export interface Item {
  kind: string;
  clinic: string | null;
  subject: string;
  sentence: string;
  action: string;
  since: Instant;
  urgent: boolean;
  /** Where a person decides; null without `http.public_url`. */
  url: string | null;
}

/** What one target is told at once: one thing, or many. Stored until it is sent. */
export interface Message {
  type: MessageType;
  at: Instant;
  items: Item[];
  /** How many there are in all; more than the items that are named. */
  count: number;
  /** How many of each kind. */
  kinds: Record<string, number>;
  url: string | null;
  /** What it settles, where that was told by itself. */
  closes?: Closes | undefined;
}

export interface Closes {
  /** Deliveries of the messages about it alone, the newest last. */
  deliveries: string[];
  /** It was last told together with others, in a message that stays as it is. */
  toldTogether: boolean;
}

/** Read when the message leaves, only for targets with `include: [patient]`. */
export type PatientOf = (ref: string) => Promise<string | undefined>;

/** Acts without signing in, once: for the message about one booking. */
export interface Link {
  action: string;
  label: string;
  url: string;
}
/** Made when the message leaves, as what is possible with the booking then. */
export type LinksOf = (ref: string) => Promise<Link[]>;

export interface Line {
  text: string;
  /** Where to decide, in a message about several things. */
  url?: string;
}

/** A message in words, for people. */
export interface Words {
  title: string;
  lines: Line[];
  links: Link[];
  url: string | null;
  urgent: boolean;
  /** Good news needs no sound. */
  calm: boolean;
}

/** Of a line; ten of them and their addresses fit into a Telegram message (4,096 characters). */
const LONGEST = 280;

const titles: Record<MessageType, [one: string, many: (count: number) => string]> = {
  'needs_you.opened': ['Needs you', (count) => `${count} things need you`],
  'needs_you.reminder': ['Still needs you', (count) => `${count} things still need you`],
  'needs_you.settled': ['Settled', (count) => `${count} things are settled`],
  'health.trouble': ['Trouble', (count) => `Trouble with ${count} things`],
  'health.recovered': ['Recovered', (count) => `${count} things work again`],
  silence: ['No leads', (count) => `No leads from ${count} sources`],
  test: ['Test', (count) => `${count} tests`],
};

export interface Readers {
  patientOf: PatientOf;
  linksOf: LinksOf;
}

export async function wordsOf(message: Message, { patientOf, linksOf }: Readers): Promise<Words> {
  const { type, items, count, kinds, url } = message;
  const [one, many] = titles[type];
  const lines = await Promise.all(items.map((item) => lineOf(type, item, patientOf)));
  const [first] = items;
  const asks = count === 1 && first?.kind === 'booking' && acting.includes(type);
  const more = count - items.length;
  const of = Object.entries(kinds).map(([kind, number]) => `${kind} ${number}`);
  return {
    title: `clinic-sync: ${count === 1 ? one : many(count)}`,
    lines: [
      ...(count > 1 && of.length > 1 ? [{ text: `${of.join(', ')}.` }] : []),
      ...lines.map((text, at) => {
        const own = count > 1 ? items[at]?.url : undefined;
        return own == null || own === url ? { text } : { text, url: own };
      }),
      ...(more > 0 ? [{ text: `… and ${more.toLocaleString('en-GB')} more.` }] : []),
    ],
    links: asks ? await linksOf(first.subject) : [],
    url: count === 1 ? (first?.url ?? url) : url,
    urgent: type !== 'needs_you.settled' && items.some(({ urgent }) => urgent),
    calm: type === 'needs_you.settled' || type === 'health.recovered',
  };
}

const acting: readonly MessageType[] = ['needs_you.opened', 'needs_you.reminder'];

async function lineOf(type: MessageType, item: Item, patientOf: PatientOf): Promise<string> {
  const patient = item.kind === 'booking' ? await patientOf(item.subject) : undefined;
  const isOver = type === 'needs_you.settled' || type === 'health.recovered';
  const text = sentences(patient, item.sentence, isOver ? undefined : item.action).replaceAll('`', '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

export const testMessage = (at: Instant, url: string | null): Message => ({
  type: 'test',
  at,
  items: [
    {
      kind: 'test',
      clinic: null,
      subject: 'test',
      sentence: 'This is a test of clinic-sync: messages arrive here.',
      action: 'Nothing has to be done.',
      since: at,
      urgent: false,
      url,
    },
  ],
  count: 1,
  kinds: { test: 1 },
  url,
});
