import type { OneTapAction } from '../domain/bookings/one-tap.ts';
import type { Need } from '../domain/status/report.ts';
import type { Instant } from '../platform/clock.ts';
import { localeOf } from '../platform/text/locale.ts';

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

/** One alert of a message. No patient data: the patient is read again when the message is sent. */
export interface Item extends Pick<Need, 'state' | 'reason' | 'fields' | 'visit' | 'said'> {
  kind: string;
  clinic: string | null;
  subject: string;
  /** In English; other languages word it from its codes. */
  sentence: string;
  action: string;
  since: Instant;
  urgent: boolean;
  /** Address of the page for deciding; null without `http.public_url`. */
  url: string | null;
  /** The target that cannot be told of it. */
  unreached?: string;
}

/** One message to a target, about one or many alerts. Stored until it is sent. */
export interface Message {
  type: MessageType;
  at: Instant;
  items: Item[];
  /** Number of all alerts, of which `items` may name only some. */
  count: number;
  /** Number of alerts of each kind. */
  kinds: Record<string, number>;
  url: string | null;
  /** An earlier message about these may have arrived. */
  perhaps?: boolean;
  /** The messages that this one settles, when those were about a single alert. */
  closes?: Closes | undefined;
}

/** Why a message was given up: it may have arrived, or the target refused it. */
export type LostReason = 'unsure' | 'refused';

interface Closes {
  /** Deliveries of the messages about it alone, the newest last. */
  deliveries: string[];
  /** Its last message was about several alerts, and stays unchanged. */
  toldTogether: boolean;
}

/** Read when the message is sent, only for targets with `include: [patient]`. */
export type PatientOf = (ref: string) => Promise<string | undefined>;

/** A link in a message, which acts once, without signing in. */
interface Link {
  action: OneTapAction;
  url: string;
}
/** Made when the message is sent, from the actions then available. */
export type LinksOf = (about: Pick<Item, 'kind' | 'clinic' | 'subject'>) => Promise<Link[]>;

interface Line {
  text: string;
  /** Address of the page for deciding, in a message about several alerts. */
  url?: string;
}

/** A message in words, for people. */
export interface Words {
  title: string;
  lines: Line[];
  /** The alerts in the same language. */
  items: Pick<Item, 'sentence' | 'action'>[];
  links: (Link & { label: string })[];
  /** Label of the link to the page. */
  open: string;
  url: string | null;
  urgent: boolean;
  /** True for good news, which needs no sound. */
  calm: boolean;
}

/** As long and as strange as messages get: ten lines, letters of other scripts, an emoji at the cut. */
export function hardestMessage(at: Instant, url: string | null): Message {
  const plain = testMessage(at, url);
  const [item] = plain.items;
  if (item === undefined) return plain;
  const { said: _said, ...unnamed } = item;
  const sentence = 'ä ß ñ Ł ঢাকা दिल्ली 漢字 العربية 👩‍👩‍👧 😀 <b>&amp;</b> "quotes" — '.repeat(5);
  const items = [item, ...Array.from({ length: 9 }, () => ({ ...unnamed, sentence, action: '' }))];
  return { ...plain, items, count: items.length, kinds: { test: items.length } };
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
      sentence: localeOf('en').t('need_test'),
      action: localeOf('en').t('todo_test'),
      since: at,
      urgent: false,
      url,
    },
  ],
  count: 1,
  kinds: { test: 1 },
  url,
});
