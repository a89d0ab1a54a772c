import { deliveriesTo, type Topic } from '../config/notify.ts';
import type { HealthReason, Need } from '../domain/reports/report.ts';
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

const SHOWN = / ?`clinic-sync bookings show [^`]*` shows it\.$/;

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
    const todo = publicUrl === undefined ? action : action.replace(SHOWN, '');
    const { reason = null, fields = [], visit } = need;
    const codes = {
      ...(state && { state, reason, fields, ...(visit && { visit }) }),
      ...(said && { said }),
    };
    add({
      ...placeOfNeed(need),
      ...codes,
      kind,
      clinic,
      subject,
      sentence,
      action: todo,
      since,
      urgent,
      url,
    });
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

const probeKeyOf = (connector: string, clinic: string | null | undefined): string =>
  ['probe', connector, clinic].filter(Boolean).join(' ');

type Place = Pick<Alert, 'key' | 'topics'>;

function placeOfNeed({ kind, clinic, subject, state }: Need): Place {
  switch (kind) {
    case 'booking':
      // A booking that was approved and is then unknown needs something else.
      return {
        key: ['booking', subject, state === 'held' ? undefined : state].filter(Boolean).join(' '),
        topics: ['needs_you'],
      };
    case 'guard':
      return { key: `guard ${subject}`, topics: ['needs_you', 'guard'] };
    case 'connector':
      return { key: `connector ${subject}`, topics: ['needs_you', 'paused'] };
    case 'database':
      return { key: subject, topics: ['needs_you', 'disk'] };
    case 'clinic':
      if (subject === clinic) return { key: `lane ${clinic}`, topics: ['needs_you', 'paused'] };
      if (subject === 'connection') return { key: `clinic ${clinic}`, topics: ['needs_you'] };
      return {
        key: ['clinic', clinic, subject].filter(Boolean).join(' '),
        topics: subject === 'certificate' ? ['needs_you', 'certificate'] : ['needs_you'],
      };
    case 'probe':
      return { key: probeKeyOf(subject, clinic), topics: ['needs_you'] };
    default:
      return { key: `${kind} ${subject}`, topics: ['needs_you'] };
  }
}

function placeOfReason({ kind, clinic, subject }: HealthReason): Place {
  switch (kind) {
    case 'database':
      return { key: subject, topics: ['trouble', 'disk'] };
    case 'connector':
      return { key: `connector ${subject}`, topics: ['trouble', 'paused'] };
    case 'lane':
      return { key: `lane ${clinic}`, topics: ['trouble', 'paused'] };
    case 'probe':
      return { key: probeKeyOf(subject, clinic), topics: ['trouble'] };
    case 'fleet':
      return { key: `fleet ${subject}`, topics: ['trouble'] };
    case 'schedule':
      return { key: 'clinic schedule', topics: ['trouble'] };
    default:
      return { key: `clinic ${clinic}`, topics: ['trouble'] };
  }
}
