import type { Instant } from '../platform/clock.ts';

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
