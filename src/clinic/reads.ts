import type { z } from 'zod';
import { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import { quoted, readableAnswer } from './answer.ts';
import type { Call, Calls } from './calls.ts';
import type { Clinic, Lane } from './clinic.ts';
import { checked, checkedList } from './contract.ts';
import { messageOf } from './outcome.ts';
import {
  AppointmentStatusAnswer,
  Dentist,
  OrganizationAnswer,
  Treatment,
  TreatmentAnswer,
  WebsiteAnswer,
} from './wire.ts';

interface ReadsOptions {
  calls: Calls;
  words: (message: string) => string;
  /** Joins the caller's signal with the closing of the clinic. */
  until: (signal: AbortSignal) => AbortSignal;
}

type Reads = Omit<Clinic, 'key' | 'book' | 'limiter' | 'close'>;

/** A list of 100,000 rows fits; a decompression bomb does not. */
const LIST_BYTES = 32_000_000;
const SINGLE_BYTES = 8_000_000;

/** The seven reading endpoints (specification section 4), each checked against the contract. */
export function createReads({ calls, words, until }: ReadsOptions): Reads {
  const call = (path: string, lane: Lane, signal: AbortSignal, more: Partial<Call> = {}): Call => ({
    method: 'GET',
    path,
    endpoint: `GET ${path}`,
    lane,
    mostBytes: SINGLE_BYTES,
    responseMs: 30_000,
    signal: until(signal),
    ...more,
  });

  const json = async (asked: Call): Promise<Json> => {
    const exchange = await calls.read(asked);
    // An abort looks like a broken call on the wire; the caller wants to see its own reason.
    if (exchange.kind === 'broken') asked.signal.throwIfAborted();
    const value = readableAnswer(exchange, asked.endpoint, words);
    if (!saysNo(value)) return value;
    const reason = exchange.kind === 'answer' ? messageOf(exchange, words) : '';
    throw new Failure({ kind: 'refused', message: `${asked.endpoint}: the clinic says no${quoted(reason)}` });
  };

  /** One thing by id; undefined when the clinic says there is none. */
  const one = async <T>(schema: z.ZodType<T>, asked: Call): Promise<T | undefined> => {
    const exchange = await calls.read(asked);
    if (exchange.kind === 'broken') asked.signal.throwIfAborted();
    if (exchange.kind === 'answer' && (exchange.status === 404 || exchange.status === 400)) return undefined;
    // Not the clinic's own words: about an appointment they may name its patient.
    const value = readableAnswer(exchange, asked.endpoint, () => '');
    return saysNo(value) ? undefined : checked(schema, value, asked.endpoint);
  };

  const list =
    <T extends object>(path: string, element: z.ZodType<T>, id: keyof T & string) =>
    async (signal: AbortSignal) => {
      const asked = call(path, 'list', signal, { mostBytes: LIST_BYTES });
      return checkedList(element, id, await json(asked), asked.endpoint);
    };

  return {
    async organization(signal, lane = 'list') {
      const asked = call('/organization', lane, signal);
      return checked(OrganizationAnswer, await json(asked), asked.endpoint).data;
    },
    async website(signal) {
      const asked = call('/website', 'list', signal);
      return checked(WebsiteAnswer, await json(asked), asked.endpoint).site;
    },
    treatments: list('/treatments', Treatment, 'treatment_id'),
    dentists: list('/dentists', Dentist, 'doctor_id'),
    async treatment(id, signal) {
      const endpoint = 'GET /treatments/{id}';
      const asked = call(`/treatments/${whole(id)}`, 'list', signal, { endpoint });
      return (await one(TreatmentAnswer, asked))?.data;
    },
    async appointmentStatus(id, signal, lane = 'status') {
      const endpoint = 'GET /appointments/status/{id}';
      const asked = call(`/appointments/status/${whole(id)}`, lane, signal, { endpoint });
      return (await one(AppointmentStatusAnswer, asked))?.data;
    },
  };
}

const saysNo = (value: Json) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && value.success === false;

/** Ids go into a path: nothing but digits may get there. */
function whole(id: number): number {
  if (Number.isSafeInteger(id)) return id;
  throw new Failure({ kind: 'refused', message: 'An id must be a whole number' });
}
