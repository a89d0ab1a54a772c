import type { AppointmentStatus, BookingOutcome, Clinic } from '../../../src/clinic/clinic.ts';
import type { BookingRequest } from '../../../src/domain/bookings/booking.ts';
import { bookingRefPattern } from '../../../src/domain/bookings/booking-ref.ts';
import { nothingLearned } from '../../../src/domain/status/report.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { JsonObject } from '../../../src/platform/json.ts';

/** What the next POST meets. `committed`: an appointment exists afterwards, whatever was answered. */
export const answers = {
  booked: { committed: true, outcome: (id) => ({ class: 'booked', appointment_id: id, message: 'Booked' }) },
  id_of_another: {
    committed: true,
    outcome: (id) => ({ class: 'booked', appointment_id: Math.max(1, id - 1), message: 'Booked' }),
  },
  no_id: { committed: true, outcome: () => ({ class: 'no_id', message: 'Booked' }) },
  refused: { committed: false, outcome: () => ({ class: 'refused', status: 400, message: 'No such slot' }) },
  success_false: { committed: false, outcome: () => ({ class: 'refused', status: 200, message: 'Full' }) },
  never_sent: { committed: false, outcome: () => ({ class: 'never_sent', detail: 'no connection' }) },
  bad_certificate: {
    committed: false,
    outcome: () => ({ class: 'never_sent', detail: 'its certificate is not trusted', lasting: true }),
  },
  status_401: laneRefusal(401),
  status_403: laneRefusal(403),
  status_429: laneRefusal(429, 5_000),
  status_429_untold: laneRefusal(429),
  reset_before: ambiguous(false, 'connection_lost'),
  reset_after: ambiguous(true, 'connection_lost'),
  timeout_after: ambiguous(true, 'timeout'),
  cut_after: ambiguous(true, 'cut_answer'),
  status_500_before: ambiguous(false, 'status_5xx', 500),
  status_503_after: ambiguous(true, 'status_5xx', 503),
  redirect_before: ambiguous(false, 'redirect', 302),
  silence_before: { committed: false, outcome: () => 'silence' },
  silence_after: { committed: true, outcome: () => 'silence' },
  throws_after: { committed: true, outcome: () => 'throw' },
  no_token: { committed: false, unsent: true, outcome: () => ({ class: 'never_sent', detail: 'no token' }) },
  key_refused: {
    committed: false,
    unsent: true,
    outcome: () => ({ class: 'lane_refusal', status: 401, message: 'auth_failed' }),
  },
} as const satisfies Record<string, ScriptedAnswer>;

/** Of a server that commits and then refuses: until the booking is due again, no one can know. */
const lies = {
  status_401_after: { ...laneRefusal(401), committed: true },
  status_403_after: { ...laneRefusal(403), committed: true },
  status_429_after: { ...laneRefusal(429), committed: true },
  refused_after: {
    committed: true,
    outcome: () => ({ class: 'refused', status: 400, message: 'No such slot' }),
  },
} as const satisfies Record<string, ScriptedAnswer>;
export type AnswerName = keyof typeof answers | keyof typeof lies;

interface ScriptedAnswer {
  committed: boolean;
  /** The client gives up before it would call `beforeSend`. */
  unsent?: true;
  outcome: (id: number) => BookingOutcome | 'silence' | 'throw';
}

function laneRefusal(status: number, retryAfterMs?: number): ScriptedAnswer {
  const told = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { committed: false, outcome: () => ({ class: 'lane_refusal', status, message: 'No', ...told }) };
}

function ambiguous(
  committed: boolean,
  cause: 'connection_lost' | 'timeout' | 'cut_answer' | 'status_5xx' | 'redirect',
  status?: number,
): ScriptedAnswer {
  const seen = status === undefined ? {} : { status };
  return { committed, outcome: () => ({ class: 'ambiguous', cause, detail: 'scripted', ...seen }) };
}

export interface LedgerEntry {
  id: number;
  ref: string | undefined;
  name: string;
  date: string;
  time: string;
  status: string;
}

export interface Post {
  ref: string;
  request: BookingRequest;
  answer: AnswerName;
  /** Surely did not create anything. */
  harmless: boolean;
}

export interface ScriptedClinic extends Clinic {
  /** What exists at the clinic. */
  readonly ledger: LedgerEntry[];
  /** What reached the wire. */
  readonly posts: Post[];
  readonly probes: number[];
  /** For the next POSTs, in order; after them every POST is booked. */
  readonly script: AnswerName[];
  /** True when a read of the organization succeeded and nothing went wrong since. */
  proven: boolean;
  /** How many of the next reads fail. */
  failReads: number;
  /** Appointments that its number leaves out: cancelled ones, or a cached figure. */
  uncounted: number;
  /** Called at the moment a request reaches the wire, before anything is committed. */
  onPost: ((ref: string) => Promise<void> | void) | undefined;
  /** Somebody at the front desk books. */
  bookByHand(name: string, date: string, time: string): number;
  /** Raises the number of its next appointment by this much. */
  skip(numbers: number): void;
}

const unreachable = () => new Failure({ kind: 'transient', message: 'The clinic cannot be reached.' });

/** A clinic that follows a script and keeps its own ledger. It outlives the daemons that crash. */
export function scriptedClinic(key = 'main', firstId = 101): ScriptedClinic {
  const ledger: LedgerEntry[] = [];
  const posts: Post[] = [];
  const probes: number[] = [];
  const script: AnswerName[] = [];
  let nextId = firstId;
  let onWire = 0;

  const commit = (entry: Omit<LedgerEntry, 'id' | 'status'>): number => {
    ledger.push({ ...entry, id: nextId, status: 'Scheduled' });
    return nextId++;
  };
  const read = <T>(signal: AbortSignal, value: () => T): Promise<T> => {
    signal.throwIfAborted();
    if (clinic.failReads > 0) {
      clinic.failReads -= 1;
      clinic.proven = false;
      return Promise.reject(unreachable());
    }
    return Promise.resolve(value());
  };
  const unused = () => Promise.reject(new Error('not scripted'));

  const clinic: ScriptedClinic = {
    key,
    ledger,
    posts,
    probes,
    script,
    proven: false,
    failReads: 0,
    uncounted: 0,
    onPost: undefined,
    bookByHand: (name, date, time) => commit({ ref: undefined, name, date, time }),
    skip(numbers) {
      nextId += numbers;
    },
    organization: unused,
    confirmIdentity: async () => {},
    appointmentCount: (signal) =>
      read(signal, () => {
        clinic.proven = true;
        return 1_000 + ledger.length - clinic.uncounted;
      }),
    website: unused,
    treatments: unused,
    treatment: unused,
    dentists: unused,
    appointmentStatus: (id, signal, lane) =>
      read(signal, (): AppointmentStatus | undefined => {
        if (lane === 'probe') probes.push(id);
        const entry = ledger.find((one) => one.id === id);
        return entry && { ...entry, raw: { ...entry } as JsonObject };
      }),
    async book(request, { signal, beforeSend }) {
      signal.throwIfAborted();
      const answerName = script.shift() ?? 'booked';
      const answer: ScriptedAnswer = { ...answers, ...lies }[answerName];
      if (answer.unsent) return answer.outcome(0) as BookingOutcome;
      await beforeSend();
      signal.throwIfAborted();
      const ref = bookingRefPattern.exec(request.note ?? '')?.[0] ?? 'none';
      await clinic.onPost?.(ref);
      if (onWire > 0) throw new Error('two bookings on the wire at once');
      onWire += 1;
      const { patient_name: name, appointment_date: date, appointment_time: time } = request;
      const id = answer.committed ? commit({ ref, name, date, time }) : 0;
      const outcome = answer.outcome(id);
      const harmless =
        typeof outcome === 'object' && ['never_sent', 'lane_refusal', 'refused'].includes(outcome.class);
      posts.push({ ref, request, answer: answerName, harmless });
      // Somebody else's number looks like any other: nothing went wrong that could be seen.
      if (answerName !== 'booked' && answerName !== 'id_of_another') clinic.proven = false;
      onWire -= 1;
      if (outcome === 'throw') throw new Error('the client is broken');
      if (outcome !== 'silence') return outcome;
      return await new Promise((resolve) => {
        const given = (): void =>
          resolve({ class: 'ambiguous', cause: 'interrupted', detail: 'given up while waiting' });
        signal.addEventListener('abort', given, { once: true });
      });
    },
    limiter: () => nothingLearned,
    close: () => Promise.resolve(),
  };
  return clinic;
}
