import type { OneTapAction } from '../domain/one-tap.ts';
import type { Need } from '../domain/report.ts';
import type { Instant } from '../platform/clock.ts';

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
export interface Item extends Pick<Need, 'state' | 'reason' | 'said'> {
  kind: string;
  clinic: string | null;
  subject: string;
  /** In English; other languages have it by its codes. */
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
  action: OneTapAction;
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
  /** What it is about, in the same language. */
  items: Pick<Item, 'sentence' | 'action'>[];
  links: (Link & { label: string })[];
  /** What the way to the page is called. */
  open: string;
  url: string | null;
  urgent: boolean;
  /** Good news needs no sound. */
  calm: boolean;
}

export const testMessage = (at: Instant, url: string | null): Message => ({
  type: 'test',
  at,
  items: [
    {
      kind: 'test',
      clinic: null,
      subject: 'test',
      said: { name: 'test' },
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
