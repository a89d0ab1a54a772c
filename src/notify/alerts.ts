import { deliveriesTo, type Topic } from '../config/notify.ts';
import { showsIt } from '../domain/bookings/booking-ref.ts';
import type { HealthReason, Need } from '../domain/status/report.ts';
import type { Instant } from '../platform/clock.ts';
import { sentences } from '../platform/text/sentences.ts';
import type { Item } from './message.ts';

/** Something that people are notified about once, in however many parts of the status report it appears. */
export interface Alert extends Item {
  key: string;
  topics: Topic[];
}

interface Seen {
  needs: readonly Need[];
  reasons: readonly HealthReason[];
  at: Instant;
  /** `http.public_url` without a trailing slash. */
  publicUrl: string | undefined;
}

/** One alert per cause: an outage shows as a need, a reason and several stale resources. Pure. */
export function alertsOf({ needs, reasons, at, publicUrl }: Seen): Map<string, Alert> {
  const alerts = new Map<string, Alert>();
  const add = (alert: Alert) => {
    const same = alerts.get(alert.key);
    const topics = same === undefined ? alert.topics : [...new Set([...same.topics, ...alert.topics])];
    // The first one has the remedy.
    alerts.set(alert.key, { ...(same ?? alert), topics });
  };
  const home = publicUrl === undefined ? null : `${publicUrl}/`;
  // What a lost message was about is owed again, within seconds.
  const isLost = ({ kind, subject }: Need) => kind === 'delivery' && subject.startsWith(deliveriesTo(''));
  for (const need of needs.filter((one) => !isLost(one))) {
    const { kind, clinic = null, subject, state, said, sentence, action, since, urgent } = need;
    const url = kind === 'booking' && publicUrl !== undefined ? `${publicUrl}/bookings/${subject}` : home;
    // The message's link already shows the booking.
    const todo = publicUrl === undefined ? action : action.replace(showsIt(subject), '').trimEnd();
    const { reason = null, fields = [], visit } = need;
    const codes = {
      ...(state && { state, reason, fields, ...(visit && { visit }) }),
      ...(said && { said }),
    };
    const about = { kind, clinic, subject, sentence, action: todo, since, urgent, url };
    add({ ...placeOfNeed(need), ...codes, ...about });
  }
  const unreachable = new Set(
    reasons.filter(({ kind }) => kind === 'unreachable').map(({ clinic }) => clinic),
  );
  for (const reason of reasons) {
    const { kind, clinic, subject, sentence, since } = reason;
    const place = placeOfReason(reason);
    // Sending pauses because the clinic is unreachable; a pause that needs a person is among the needs.
    if (kind === 'lane' && unreachable.has(clinic) && !alerts.has(place.key)) continue;
    add({
      ...place,
      ...{ kind, clinic, subject, action: '', since: since ?? at, url: home },
      sentence: sentences(begun(kind, sentence)),
      urgent: kind === 'database',
    });
  }
  return alerts;
}

/** As a sentence; a connector's name at its start stays as it is configured. */
const begun = (kind: string, text: string): string =>
  kind === 'connector' ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const keyOf = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');

type Place = Pick<Alert, 'key' | 'topics'>;
/** The key, and topics beside the usual one. */
type PlaceOf<T> = (one: T) => [key: string, ...Topic[]];

const needPlaces: Record<string, PlaceOf<Need>> = {
  // A booking that was approved and is then unknown needs something else.
  booking: ({ subject, state }) => [keyOf('booking', subject, state === 'held' ? null : state)],
  guard: ({ subject }) => [`guard ${subject}`, 'guard'],
  connector: ({ subject }) => [`connector ${subject}`, 'paused'],
  database: ({ subject }) => [subject, 'disk'],
  probe: ({ subject, clinic }) => [keyOf('probe', subject, clinic)],
  clinic({ subject, clinic }) {
    if (subject === clinic) return [`lane ${clinic}`, 'paused'];
    if (subject === 'connection') return [`clinic ${clinic}`];
    return [
      keyOf('clinic', clinic, subject),
      ...(subject === 'certificate' ? (['certificate'] as const) : []),
    ];
  },
};

const reasonPlaces: Record<string, PlaceOf<HealthReason>> = {
  database: ({ subject }) => [subject, 'disk'],
  connector: ({ subject }) => [`connector ${subject}`, 'paused'],
  lane: ({ clinic }) => [`lane ${clinic}`, 'paused'],
  probe: ({ subject, clinic }) => [keyOf('probe', subject, clinic)],
  fleet: ({ subject }) => [`fleet ${subject}`],
  schedule: () => ['clinic schedule'],
};

function placeOfNeed(need: Need): Place {
  const [key, ...more] = needPlaces[need.kind]?.(need) ?? [`${need.kind} ${need.subject}`];
  return { key, topics: ['needs_you', ...more] };
}

function placeOfReason(reason: HealthReason): Place {
  const [key, ...more] = reasonPlaces[reason.kind]?.(reason) ?? [`clinic ${reason.clinic}`];
  return { key, topics: ['trouble', ...more] };
}
