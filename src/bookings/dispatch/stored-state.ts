import type { Booking } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { Dispatch } from './dispatch.ts';
import {
  afterEffect,
  afterResume,
  type DispatcherState,
  isMeant,
  readDispatcherState,
  readResumption,
  withDoubt,
} from './dispatcher-state.ts';
import type { DispatchEffect } from './outcome.ts';

const SCOPE = 'bookings';
const stateKey = (clinic: string) => `lane:${clinic}`;
const resumeKey = (clinic: string) => `resume:${clinic}`;

export const loadState = async ({ store, clock, key }: Dispatch): Promise<DispatcherState> =>
  readDispatcherState(await store.keyValue.get(SCOPE, stateKey(key)), instant(clock.now()));

/** Those of all clinics in one query. */
export async function loadStates({
  store,
  clock,
}: Pick<Dispatch, 'store' | 'clock'>): Promise<(clinic: string) => DispatcherState> {
  const kept = await store.keyValue.list(SCOPE, stateKey(''));
  const at = instant(clock.now());
  return (clinic) => readDispatcherState(kept[stateKey(clinic)], at);
}

/** Adopts the next state and stores it; if that fails, it is stored before the next send. */
export async function storeState(d: Dispatch, next: DispatcherState): Promise<void> {
  const { store, log, key, state } = d;
  if (next === state && d.isStored) return;
  if (next.pause !== null && next.pause.kind !== state.pause?.kind)
    log.warn('bookings paused', { clinic: key, kind: next.pause.kind, problem: next.pause.reason });
  if (next.pause === null && state.pause !== null) log.info('bookings are being sent again', { clinic: key });
  d.state = next;
  d.isStored = false;
  await store.keyValue.set(SCOPE, { [stateKey(key)]: JSON.stringify(next) });
  d.isStored = true;
  failpoint('bookings.lane_kept');
}

/** Applies the effect of a send or a failed read. `doubtful`: the booking whose outcome is unknown. */
export async function applyEffect(d: Dispatch, effect: DispatchEffect, doubtful?: Booking): Promise<void> {
  const nowMs = d.clock.now();
  const next = afterEffect(d.state, effect, nowMs, d.random());
  if (effect.kind !== 'fine') d.reading = undefined;
  const doubt = doubtful && { ref: doubtful.ref, attempt: doubtful.attempt, at: doubtful.changed_at };
  await storeState(d, doubt === undefined ? next : withDoubt(next, doubt, nowMs));
}

export async function resume(d: Dispatch, by: string): Promise<void> {
  // Only after a pause: asked again and again, it would otherwise take the reading from every send.
  if (d.state.pause !== null) d.reading = undefined;
  await storeState(d, afterResume(instant(d.clock.now()), by));
}

/** Asks the daemon in another process to resume. False when nothing is paused. */
export async function requestResume(d: Dispatch, by: string): Promise<boolean> {
  const { store, clock, key } = d;
  const { pause } = await loadState(d);
  if (pause === null) return false;
  const { kind, since } = pause;
  const request = JSON.stringify({ at: instant(clock.now()), by, kind, since });
  await store.keyValue.set(SCOPE, { [resumeKey(key)]: request });
  return true;
}

export async function applyResumeRequest(d: Dispatch): Promise<void> {
  const { store, key } = d;
  const request = d.state.pause === null ? undefined : await store.keyValue.get(SCOPE, resumeKey(key));
  if (request === undefined) return;
  const resumption = readResumption(request);
  if (resumption !== undefined && isMeant(d.state.pause, resumption)) await resume(d, resumption.by);
  await store.keyValue.set(SCOPE, { [resumeKey(key)]: undefined });
}
