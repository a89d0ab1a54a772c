import type * as z from 'zod';
import type { CheckedLine } from '../connector.ts';
import type { Booking, BookingState, Submission } from '../domain/bookings/booking.ts';
import type { IntakeSetup } from '../domain/bookings/intake-contract.ts';
import type { OneTap } from '../domain/bookings/one-tap.ts';
import type { Rehearsed } from '../domain/bookings/probe.ts';
import type { Delivery, ShownRequest } from '../domain/delivery.ts';
import type { Figures, Need } from '../domain/status/report.ts';
import type { Instant } from '../platform/clock.ts';
import type { BookingDetail } from './api/booking-schemas.ts';
import type { BookingChoices, FieldProblem, ListedBooking, ListedVisit } from './desk.ts';

/** What was done, by its name in the catalogue of page texts. */
type Deed =
  | 'approved'
  | 'not_sent'
  | 'corrected'
  | 'added'
  | 'known'
  | 'settled'
  | 'dropped'
  | 'taken_back'
  | 'seen'
  | 'paused'
  | 'resumed'
  | 'can_work'
  | 'cannot_work'
  | 'retried'
  | 'skipped'
  | 'replayed'
  | 'guard'
  | 'sending'
  | 'reading'
  | 'closed'
  | 'open';

/** The outcome of an action, as one sentence for the person who asked for it. */
export interface Done {
  ok: true;
  message: string;
  /** Its text in the catalogue, and the booking, connector or clinic that the text names. */
  said?: Deed;
  ref?: string;
  /** Set when it can be undone for ten seconds: `seenOf` the booking after it. */
  undo?: { ref: string; seen: string };
  /** The lines of a check. */
  lines?: readonly CheckedLine[];
  /** Further lines for a terminal. */
  details?: readonly string[];
  /** What `--json` prints. */
  data?: object;
  /** Where the person goes on, instead of the page with the form. */
  page?: string;
}

/** Options of a decision about a booking. */
interface Asked {
  /** `seenOf` the booking as the person saw it; the decision is refused when it has changed since. */
  seen?: string | undefined;
  /** Offers ten seconds to undo it; the booking is not sent before. */
  undoable?: boolean;
}

/** What a person asks an operation for. */
export interface OperationRequest {
  /** The name in the route: of a booking, connector, guard or clinic. */
  subject: string;
  /** As a form or a program sent them. */
  fields: Readonly<Record<string, string>>;
  /** Stored with the action. */
  by: string;
  asked: Asked;
}

/** What would be done: as lines for a person, as data for programs. */
export interface Preview {
  lines: readonly string[];
  data: object;
}

/** What OpenAPI says of an operation. */
export interface OperationDescription {
  summary: string;
  body?: z.ZodObject;
  /** Set when it can be done to many bookings at once: the summary of that route. */
  many?: string;
}

/**
 * What people can do on the status page or over `POST /admin/…`. Throws `Failure`: `refused` with status 404 when the
 * subject does not exist, `refused` when its state does not allow it, and `transient` when the database does not work.
 */
export interface AdminOperation extends OperationDescription {
  run(request: OperationRequest): Promise<Done>;
}

/** By route, `/admin/connectors/:name/pause`, from which the least role, the audit's name and the subject follow. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;

/** The route that does it to many bookings. */
export const manyPath = (path: string): string => path.replace(':ref', 'many');

/** The audit's name for a route: `connector.deliveries.retry` for `/admin/connectors/:name/deliveries/retry`. */
export function auditName(path: string): string {
  const [group = '', ...words] = path.split('/').slice(2);
  return [group.replace(/s$/, ''), ...words.filter((word) => !word.startsWith(':'))].join('.');
}

/** A delivery with its body, and its request where the connector can show it. */
export interface ShownDelivery {
  delivery: Delivery & { n: number };
  request: ShownRequest | null;
  /** The last change that a replay from here on would send again; null where there is nothing to replay. */
  replay_to: number | null;
}

/** What a pasted submission would become; nothing of it is kept. */
export type LeadTrial =
  | ({
      isLead: true;
      fields: Submission['fields'];
      /** Something for a person, such as a cancellation. */
      isTask: boolean;
      /** Names of the tool's fields that no rule uses. */
      unused: readonly string[];
    } & Rehearsed)
  | { isLead: false; why: string | null };

export interface AskedSource {
  name: string;
  /** Its own, as the world sees it. */
  address: string;
  /** The words of a link to a form. */
  link: string;
}

/** What came through a connector that takes bookings, and whether its form works. */
export interface LeadSource {
  /** What to enter at the website or form tool. */
  setup: (IntakeSetup & { address: string }) | null;
  /** Whether submissions can be tried. */
  canTry: boolean;
  /** Newest first. */
  latest: readonly Booking[];
  /** Null: it serves too many clinics to count. */
  last_28_days: number | null;
  /** Its newest test lead; null if none was sent yet. */
  probe: { at: Instant; works: boolean } | null;
  /** Missing leads, and test leads that did not get through. */
  alarms: readonly SourceAlarm[];
}

export interface SourceAlarm extends Pick<Need, 'said' | 'subject' | 'sentence'> {
  clinic?: string | null;
}

/** Data for signed-in people only. */
export interface AdminData {
  booking(ref: string): Promise<BookingDetail | undefined>;
  /** Newest first; `behind` is the last ref of the previous page. */
  bookings(filter: {
    states?: readonly BookingState[];
    source?: string | undefined;
    since?: Instant | undefined;
    until?: Instant | undefined;
    behind?: string;
    limit: number;
  }): Promise<Booking[]>;
  /** Matching bookings, newest first: by name, phone number in any notation, reference or e-mail address. */
  search(text: string, limit: number): Promise<Booking[]>;
  /** Those with a visit on these days, as the clinic shows it or else as it was asked for; not those dropped. */
  visits(days: { from: string; to: string }, limit: number): Promise<ListedVisit[]>;
  /** The bookings with everything that their rows show. */
  listed(bookings: readonly Booking[]): Promise<ListedBooking[]>;
  /** The bookings with these refs that exist, in this order. */
  bookingsOf(refs: readonly string[]): Promise<Booking[]>;
  /** The keys of the configured clinics. */
  clinics(): readonly string[];
  /** What can be chosen there for a new booking. */
  choices(clinic: string): Promise<BookingChoices>;
  /** What keeps a new booking, as typed, from being sent. */
  faults(typed: Readonly<Record<string, string>>): Promise<FieldProblem[]>;
  /** The clinic's figures over time, oldest first; the report only has them when there are few clinics. */
  figures(clinic: string): Promise<Figures[]>;
}

/** A valid link of a message. */
export interface OpenOneTap extends OneTap {
  /** What it is about; undefined for a clinic that may be closed. */
  about?: {
    booking: Booking;
    /** Why the booking waits, without patient data. */
    sentence: string;
    /** Whether the message with the link named the patient. */
    includePatient: boolean;
  };
}

/** What a person adds. */
interface OneTapAnswer {
  /** The number of the appointment that was found, if known. */
  appointmentId?: number | undefined;
  /** The day on which the clinic opens again. */
  until?: string;
}

/** Links in messages that act without signing in. Each throws `Failure` refused when the link is no longer valid. */
export interface OneTaps {
  /** Shows what it would do. Changes nothing, however often it is called. */
  look(token: string): Promise<OpenOneTap>;
  /** Acts once. `audited` runs the action itself, and writes it down. */
  act(
    opened: OpenOneTap,
    token: string,
    answer: OneTapAnswer,
    audited?: (work: () => Promise<Done>) => Promise<Done>,
  ): Promise<Done>;
}
