import { createHmac } from 'node:crypto';
import { sameSecret } from '../platform/constant-time.ts';
import type { Booking } from './booking.ts';
import type { ActionName, AvailableAction } from './booking-actions.ts';

/** What a link in a message may do, without signing in. */
export const oneTapActions = ['approve', 'booked', 'drop'] as const;
export type OneTapAction = (typeof oneTapActions)[number];

/** What a link stands for. Whoever has the link may do it once. */
export interface OneTap {
  ref: string;
  action: OneTapAction;
  /** The notification target that the link was sent to. */
  target: string;
  /** When it ends, in milliseconds. */
  until: number;
  /** `seenOf` the booking when the link was made. */
  seen: string;
}

/** As people know them; each page and message uses these. */
export const oneTapLabels: Record<OneTapAction, string> = {
  approve: 'Approve',
  booked: 'It is there',
  drop: 'Drop',
};

/** These ask for a comparison that a message does not show. */
const needsALook: readonly (string | null)[] = ['restored_state', 'duplicate_suspect', 'changed_submission'];

/** What may be offered as a link, of what is available. Pure. */
export function oneTapsOf(
  { state, reason }: Pick<Booking, 'state' | 'reason'>,
  available: readonly AvailableAction[],
): OneTapAction[] {
  const has = (name: ActionName) => available.some(({ action }) => action === name);
  const mayApprove = state === 'held' && !needsALook.includes(reason);
  return oneTapActions.filter((action) => {
    if (action === 'approve') return mayApprove && has('approve');
    return action === 'booked' ? has('booked_no_id') : has('drop');
  });
}

const signatureOf = (key: string, text: string): string =>
  createHmac('sha256', key).update(`one-tap ${text}`).digest('base64url').slice(0, 32);

/** `CS-7K3Q9F.drop.desk.mdk3f0.…`: fits into an address. */
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
