import { SECOND } from '../../platform/duration.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';

/** The combined demand of a clinic's pending appointments. */
interface Demand {
  pending: number;
  /** Sum of the square roots of their change rates (changes per minute). */
  roots: number;
}

const PAGE = 200;
const PAGE_EVERY = 30 * SECOND;

interface Walk {
  read(limit: number, after: number | undefined): Promise<TrackedAppointment[]>;
  /** Returns the appointment's current change rate; undefined before its first status. */
  visit(appointment: TrackedAppointment): number | undefined;
  /** Monotonic milliseconds. */
  now: number;
  /** All appointments from the start, instead of the next page. */
  whole: boolean;
}

/**
 * Walks through the pending appointments page by page, over and over, so that a round costs the same however many there
 * are. A round covers at most 200.
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

  /** Visits the next page if it is due; all pages the first time. */
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
