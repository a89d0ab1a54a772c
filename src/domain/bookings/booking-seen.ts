import { hash } from 'node:crypto';
import { canonical, type Json } from '../../platform/json.ts';
import type { Booking } from './booking.ts';

/** Characters that encode the last move; the rest encode the evidence. */
const MOVE = 10;

/**
 * What a user was shown of a booking, as far as a decision depends on it: state, attempt, last change and evidence.
 * Forms carry it and the store compares it within the move, so that two users cannot both decide. 16 characters of
 * base64url that reveal nothing.
 */
export const seenOf = ({ ref, state, attempt, changed_at, evidence }: Booking): string =>
  digest([ref, state, attempt, changed_at], MOVE) + digest(evidence as Json, 6);

/** True when two tokens of one booking differ in the evidence at most. */
export const isSameMove = (one: string, other: string): boolean =>
  one.slice(0, MOVE) === other.slice(0, MOVE);

const digest = (value: Json, length: number): string =>
  hash('sha256', canonical(value), 'base64url').slice(0, length);
