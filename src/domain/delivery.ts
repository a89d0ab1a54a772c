import type { Instant } from '../platform/clock.ts';
import type { Need } from './status/report.ts';

/** `dead` waits for a user (`deliveries retry | skip`). */
export const deliveryStates = ['pending', 'delivered', 'dead', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to one connector. */
export interface Delivery {
  /** Unchanged on retries: receivers deduplicate by it (`webhook-id`). */
  id: string;
  connector: string;
  clinic: string;
  /** Sequence of its change, or at which its snapshot was taken. */
  sequence: number;
  type: string;
  /** `resource:id`; deliveries with the same one keep their order. */
  thing: string;
  /** The exact bytes to send, stored so that retries have the same bytes and signature. */
  body: string;
  state: DeliveryState;
  attempts: number;
  created_at: Instant;
  next_attempt_at: Instant;
  last_error: string | null;
  delivered_at: Instant | null;
}

export type NewDelivery = Pick<Delivery, 'id' | 'sequence' | 'type' | 'thing' | 'body'>;

/** How a delivery goes out, for people. `to`: a host, because paths and queries may hold keys. */
export interface ShownRequest {
  to: string;
  headers: Record<string, string>;
}

const NOTIFICATION = 'notify:';

/** The `thing` of a notification, which is about no record and keeps no order with others. */
export const notificationThing = (id: string): string => `${NOTIFICATION}${id}`;

/** What a notification is about; its stored body may name only the most urgent. No patient data. */
interface Notified {
  items: (Omit<Need, 'kind' | 'clinic'> & { kind: string; url: string | null })[];
  count: number;
}

/** Undefined for a delivery of a change. */
export const notified = ({ thing, body }: Pick<Delivery, 'thing' | 'body'>): Notified | undefined =>
  thing.startsWith(NOTIFICATION) ? (JSON.parse(body) as Notified) : undefined;
