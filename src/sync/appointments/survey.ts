import { SECOND } from '../../platform/duration.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';

/** What all pending appointments of a clinic ask for together. */
export interface Demand {
  pending: number;
  /** Sum of the square roots of their change rates (changes per minute). */
  roots: number;
}

const PAGE = 200;
const PAGE_EVERY = 30 * SECOND;

interface Walk {
  read(limit: number, after: number | undefined): Promise<TrackedAppointment[]>;
  /** Returns the appointment's change rate now; undefined while nothing is known of it. */
  visit(appointment: TrackedAppointment): number | undefined;
  /** Monotonic milliseconds. */
  now: number;
  /** From the beginning to the end, and not a page. */
  whole: boolean;
}

/**
 * Walks through the pending appointments page by page and starts over at the end, so that a round costs the same however
 * many there are. Up to 200 are seen in each round a minute.
 */
export class Survey {
  #after: number | undefined;
  #soFar: Demand = { pending: 0, roots: 0 };
  #last: Demand | undefined;
  #nextPageAt = Number.NEGATIVE_INFINITY;

  /** As of the last complete walk. */
  get demand(): Demand {
    return this.#last ?? this.#soFar;
  }

  /** Visits the next page, if it is time for it; all of them the first time. */
  async walk({ read, visit, now, whole }: Walk): Promise<void> {
    if (whole) this.#startOver();
    else if (now < this.#nextPageAt) return;
    this.#nextPageAt = now + PAGE_EVERY;
    let isAtEnd: boolean;
    do {
      const page = await read(PAGE, this.#after);
      for (const appointment of page) {
        this.#soFar.pending += 1;
        this.#soFar.roots += Math.sqrt(visit(appointment) ?? 0);
      }
      this.#after = page.at(-1)?.appointment_id;
      isAtEnd = page.length < PAGE;
    } while (!isAtEnd && (whole || this.#last === undefined));
    if (!isAtEnd) return;
    this.#last = this.#soFar;
    this.#startOver();
  }

  #startOver(): void {
    this.#after = undefined;
    this.#soFar = { pending: 0, roots: 0 };
  }
}
