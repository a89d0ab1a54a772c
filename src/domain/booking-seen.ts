import { hash } from 'node:crypto';
import { canonical, type Json } from '../platform/json.ts';
import type { Booking } from './booking.ts';

/** Characters that stand for the last move; the rest stands for the evidence. */
const MOVE = 10;

/**
 * What a person was shown of a booking, as far as a decision depends on it: its state, its attempt, its last change and
 * its evidence. Forms carry it, and the store compares it within the move, so that two people at one booking cannot both
 * decide. 16 characters of base64url; nothing can be read out of it.
 */
export const seenOf = ({ ref, state, attempt, changed_at, evidence }: Booking): string =>
  digest([ref, state, attempt, changed_at], MOVE) + digest(evidence as Json, 6);

/** Whether only the evidence differs between two that were seen. */
export const isSameMove = (one: string, other: string): boolean =>
  one.slice(0, MOVE) === other.slice(0, MOVE);

const digest = (value: Json, length: number): string =>
  hash('sha256', canonical(value), 'base64url').slice(0, length);
