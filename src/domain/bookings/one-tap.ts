import { createHmac } from 'node:crypto';
import { sameSecret } from '../../platform/constant-time.ts';
import type { Booking } from './booking.ts';
import type { ActionName, AvailableAction } from './booking-actions.ts';

const decisions = ['approve', 'booked', 'drop'] as const;
/** `closed` answers that no leads arrive. */
const oneTapActions = [...decisions, 'closed'] as const;
/** Actions that a link in a message may perform without signing in. */
export type OneTapAction = (typeof oneTapActions)[number];

/** The content of a link. Whoever has it may use it once. */
export interface OneTap {
  /** The booking, or the clinic that may be closed. */
  ref: string;
  action: OneTapAction;
  /** The notification target to which the link was sent. */
  target: string;
  /** Expiry, milliseconds since the epoch. */
  until: number;
  /** `seenOf` the booking when the link was created. */
  seen: string;
}

/** Holds that require a comparison, which a message cannot show. */
const needsALook: readonly (string | null)[] = ['restored_state', 'duplicate_suspect', 'changed_submission'];

/** The available decisions that may be offered as links. Pure. */
export function oneTapsOf(
  { state, reason }: Pick<Booking, 'state' | 'reason'>,
  available: readonly AvailableAction[],
): (typeof decisions)[number][] {
  const has = (name: ActionName) => available.some(({ action }) => action === name);
  const mayApprove = state === 'held' && !needsALook.includes(reason);
  return decisions.filter((action) => {
    if (action === 'approve') return mayApprove && has('approve');
    return action === 'booked' ? has('booked_no_id') : has('drop');
  });
}

const signatureOf = (key: string, text: string): string =>
  createHmac('sha256', key).update(`one-tap ${text}`).digest('base64url').slice(0, 32);

/** `CS-7K3Q9F.drop.desk.mdk3f0.…`: safe in a URL. */
export function oneTapToken(key: string, { ref, action, target, until, seen }: OneTap): string {
  const text = [ref, action, target, until.toString(36), seen].join('.');
  return `${text}.${signatureOf(key, text)}`;
}

/** Undefined unless this installation signed it. */
export function readOneTap(key: string, token: string): OneTap | undefined {
  const end = token.lastIndexOf('.');
  const text = token.slice(0, Math.max(0, end));
  if (!sameSecret(token.slice(end + 1), signatureOf(key, text))) return undefined;
  const [ref = '', action, target = '', until = '', seen = ''] = text.split('.');
  const known = oneTapActions.find((one) => one === action);
  return known && { ref, action: known, target, until: Number.parseInt(until, 36), seen };
}
