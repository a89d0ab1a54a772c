import type { CheckLine, Connector, EventDelivery, OutgoingEvent } from '../../src/connector.ts';
import type { Change } from '../../src/domain/clinics/change.ts';

export interface ScriptedConnector extends Connector {
  readonly events: EventDelivery;
  /** Every attempt, in order of arrival. */
  readonly attempts: OutgoingEvent[];
  /** What the receiver took. */
  readonly taken: OutgoingEvent[];
  /** Decides what becomes of the next attempts: resolves (taken) or throws. */
  answer: (event: OutgoingEvent, signal: AbortSignal) => Promise<void>;
}

/** A connector whose receiver does what the test says; its bodies are `type id fee`. */
export function scriptedConnector(events: Partial<EventDelivery> = {}): ScriptedConnector {
  const attempts: OutgoingEvent[] = [];
  const taken: OutgoingEvent[] = [];
  const connector: ScriptedConnector = {
    attempts,
    taken,
    answer: async () => {},
    events: {
      schedule: [5_000, 300_000],
      snapshot: false,
      wants: () => true,
      encode: ({ type, id, data }: Change) => `${type} ${id} ${data.base_fee ?? ''}`,
      async deliver(event, signal) {
        attempts.push(event);
        await connector.answer(event, signal);
        taken.push(event);
      },
      ...events,
    },
    check: async (): Promise<CheckLine[]> => [],
    stop: async () => {},
  };
  return connector;
}

export const bodies = (events: readonly OutgoingEvent[]) => events.map(({ body }) => body);
