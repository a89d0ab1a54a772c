import { hash, randomUUID } from 'node:crypto';
import type { Bookings } from '../bookings/bookings.ts';
import type { Config } from '../config/config.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { isSameMove, seenOf } from '../domain/bookings/booking-seen.ts';
import {
  type OneTap,
  type OneTapAction,
  oneTapsOf,
  oneTapToken,
  readOneTap,
} from '../domain/bookings/one-tap.ts';
import type { RefusalCode } from '../domain/bookings/refusals.ts';
import type { Done, OneTaps, OpenOneTap } from '../http/admin.ts';
import type { LinksOf } from '../notify/message.ts';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Store } from '../store/store.ts';
import { bookingOperations } from './booking-operations.ts';
import { answerSilence } from './closures.ts';

interface Options {
  store: Pick<Store, 'keyValue' | 'bookings'>;
  clinics: Config['clinics'];
  bookings: Bookings;
  targets: readonly NotifyTarget[];
  /** Has no trailing slash. Undefined: messages have no links. */
  publicUrl: string | undefined;
  signingKey: () => Promise<string>;
  clock: Clock;
}

/** Digests of used links, kept until they expire: whoever reads the database may find one that was taken in vain. */
const SCOPE = 'one_tap';
const digestOf = (token: string): string => hash('sha256', token, 'base64url');
/** A link must not allow guessing appointment numbers. */
const WRONG_NUMBERS = 5;

/** The links of one target's messages about a booking, or about a clinic without leads. */
export const oneTapLinksOf =
  ({ store, bookings, publicUrl, signingKey, clock }: Options, { name, linksMs }: NotifyTarget): LinksOf =>
  async ({ kind, subject, clinic }) => {
    if (publicUrl === undefined || linksMs === undefined) return [];
    const key = await signingKey();
    const until = clock.now() + linksMs;
    const link = (ref: string, action: OneTapAction, seen: string) => ({
      action,
      url: `${publicUrl}/links/${oneTapToken(key, { ref, action, target: name, until, seen })}`,
    });
    if (kind === 'silence') return clinic === null ? [] : [link(clinic, 'closed', '')];
    const booking = await store.bookings.get(subject);
    if (booking === undefined) return [];
    const { actions } = await bookings.describe(subject);
    return oneTapsOf(booking, actions).map((action) => link(subject, action, seenOf(booking)));
  };

/** Opens the links and does what they say. */
export function createOneTaps(options: Options): OneTaps {
  const { store, bookings, targets, signingKey, clock } = options;
  const wrong = new Map<string, number>();

  const valid = async (token: string): Promise<{ link: OneTap; target: NotifyTarget }> => {
    const link = readOneTap(await signingKey(), token);
    const target = targets.find(({ name }) => name === link?.target);
    if (link === undefined || target?.linksMs === undefined)
      throw over(404, 'This link is not valid', 'link_unknown');
    if ((await store.keyValue.get(SCOPE, digestOf(token))) !== undefined)
      throw over(410, 'This link has been used', 'link_used', link);
    if (link.until <= clock.now()) throw over(410, 'This link is too old', 'link_old', link);
    return { link, target };
  };

  const look = async (token: string): Promise<OpenOneTap> => {
    const { link, target } = await valid(token);
    if (link.action === 'closed') return link;
    const booking = await store.bookings.get(link.ref);
    if (booking === undefined) throw over(410, `Booking ${link.ref} no longer exists`, 'gone', link);
    const { sentence, actions } = await bookings.describe(link.ref);
    const seen = seenOf(booking);
    // Evidence found since does not matter to someone who sees the appointment in the calendar.
    const isSame = link.action === 'booked' ? isSameMove(seen, link.seen) : seen === link.seen;
    if (!isSame || !oneTapsOf(booking, actions).includes(link.action))
      throw over(409, `${link.ref} has changed since this link was sent`, 'link_changed', link);
    return { ...link, seen, about: { booking, sentence, includePatient: target.includePatient } };
  };

  const act = async ({ action, ref, target, seen }: OpenOneTap, answer: Parameters<OneTaps['act']>[2]) => {
    const { appointmentId, until = '' } = answer;
    if (action === 'closed') return answerSilence(ref, until, options);
    const by = actorOf(target);
    const run = (what: 'approve' | 'drop' | 'resolve', fields: Record<string, string> = {}) => {
      const request = { subject: ref, fields, by, asked: { seen } };
      return bookingOperations[`/admin/bookings/:ref/${what}`].run(options, request);
    };
    if (action === 'approve') return run('approve');
    if (action === 'drop') return run('drop', { why: 'Dropped by a link.' });
    if (appointmentId === undefined) return run('resolve', { as: 'booked-no-id' });
    const resolved = await bookings.resolve(ref, { as: 'booked', appointment_id: appointmentId }, by, {
      seen,
    });
    if (resolved.ok)
      return { ok: true, message: `${ref} is now ${resolved.booking.state}.`, said: 'settled', ref } as Done;
    throw new Failure({
      kind: 'refused',
      message: `The clinic shows something else under the number ${appointmentId}`,
      hint: 'Check the number, or sign in to compare.',
      refusal: { name: 'number_differs', ref },
    });
  };

  return {
    look,
    async act(opened, token, answer, audited = (work) => work()) {
      if ((wrong.get(token) ?? 0) >= WRONG_NUMBERS)
        throw over(410, 'Too many numbers were tried', undefined, opened);
      await forgetEnded(options);
      // The first stored claim uses the link up.
      const claim = `${opened.until} ${randomUUID()}`;
      if ((await store.keyValue.keep(SCOPE, digestOf(token), claim)) !== claim)
        throw over(410, 'This link has been used', 'link_used', opened);
      try {
        return await audited(() => act(opened, answer));
      } catch (error) {
        // Nothing was done: the link still works.
        if (answer.appointmentId !== undefined) wrong.set(token, (wrong.get(token) ?? 0) + 1);
        await store.keyValue.set(SCOPE, { [digestOf(token)]: undefined });
        throw error;
      }
    },
  };
}

/** Stored as the actor of what a link did. No user can have this name. */
const actorOf = (target: string): string => `link of ${target}`;

async function forgetEnded({ store, clock }: Options): Promise<void> {
  const used = Object.entries(await store.keyValue.list(SCOPE, ''));
  const ended = used.filter(([, claim]) => Number.parseInt(claim, 10) <= clock.now());
  if (ended.length > 0)
    await store.keyValue.set(SCOPE, Object.fromEntries(ended.map(([token]) => [token, undefined])));
}

const over = (
  status: 404 | 409 | 410,
  message: string,
  name: RefusalCode['name'] | undefined,
  link?: OneTap,
): Failure =>
  new Failure({
    kind: 'refused',
    status,
    message,
    ...(name && { refusal: { name, ref: link?.ref ?? '' } }),
    hint: link === undefined ? 'Open the newest message.' : `Sign in to see ${link.ref}.`,
  });
