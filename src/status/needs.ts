import type { Booking, HoldReason, UnknownCause } from '../model/booking.ts';
import type { Instant } from '../model/clock.ts';
import type { ClinicReport, ConnectorReport, Need } from '../model/report.ts';
import type { Guard } from '../store/store.ts';

/** Everything only a person can settle, as sentences with what to do. Pure; no patient data. */

const holds: Record<HoldReason, string> = {
  approval: 'waits for your approval',
  missing_field: 'lacks a required field',
  invalid_field: 'has a field that cannot be right',
  mapping: 'names a doctor or treatment the clinic does not have, or has several of',
  duplicate_suspect: 'looks like one that is already there',
  past_slot: 'is for a time that has passed',
  outside_hours: 'is for a time outside the opening hours',
  too_far: 'is for a date too far ahead',
  source_limit: 'came with more bookings from its source than are usual',
  restored_state: 'may have been sent before the database was restored',
};

const causes: Record<UnknownCause, string> = {
  interrupted: 'clinic-sync stopped while it was being sent',
  connection_lost: 'the connection was lost',
  timeout: 'the clinic did not answer in time',
  cut_answer: 'the answer was cut short',
  unreadable_answer: 'the answer could not be read',
  redirect: 'the clinic answered with a redirect',
  status_408: 'the clinic answered 408',
  status_5xx: 'the clinic answered with a server error',
  unexpected_status: 'the clinic answered with an unexpected status',
  unexpected_answer: 'the clinic’s answer was not what it should be',
  accepted_no_id: 'the clinic accepted it without a usable number',
  certificate_or_protocol: 'the connection failed in the middle',
};

const told = (words: Record<string, string>, reason: string | null): string =>
  (reason !== null && Object.hasOwn(words, reason) ? words[reason] : undefined) ?? 'needs a decision';

export function bookingNeed({ ref, clinic, source, state, reason, changed_at }: Booking): Need {
  const need = { kind: 'booking', clinic, subject: ref, since: changed_at } as const;
  if (state === 'unknown')
    return {
      ...need,
      sentence: `Booking ${ref} from ${source} may or may not exist at the clinic: ${told(causes, reason)}.`,
      action: `Look at \`clinic-sync bookings show ${ref}\`, then \`clinic-sync bookings resolve ${ref} --as booked --appointment N\` or \`--as not-booked --send-again\`.`,
      urgent: true,
    };
  return {
    ...need,
    sentence: `Booking ${ref} from ${source} ${told(holds, reason)}; it was not sent.`,
    action: `Look at \`clinic-sync bookings show ${ref}\`, then \`clinic-sync bookings approve ${ref}\` or \`clinic-sync bookings drop ${ref}\`.`,
    urgent: false,
  };
}

export const guardNeed = ({ id, clinic, sentence, first_at, seen }: Guard): Need => ({
  kind: 'guard',
  clinic,
  subject: id,
  sentence,
  action: `If that is right: \`clinic-sync guards approve ${id}\`; three equal answers in a row let it through (so far ${seen}).`,
  since: first_at,
  urgent: false,
});

/** A connector that failed this often in a row is not going to be well by itself. */
const FAILURES = 3;

export function connectorNeeds(
  report: ConnectorReport,
  { failures, since, reason }: { failures: number; since: Instant; reason: string | null },
): Need[] {
  const { connector, state, dead, last_error } = report;
  const need = { subject: connector, since, urgent: false };
  const because = (text: string | null) => (text === null ? '.' : `: ${text.replace(/\.$/, '')}.`);
  const needs: Need[] = [];
  if (state === 'quarantined')
    needs.push({
      ...need,
      kind: 'connector',
      sentence: `${connector} could not be started${because(reason)}`,
      action: `Correct its settings, see \`clinic-sync connectors check ${connector}\`, and restart.`,
    });
  if (state === 'paused')
    needs.push({
      ...need,
      kind: 'connector',
      sentence: `${connector} is paused${because(reason)}`,
      action: `\`clinic-sync connectors resume ${connector}\` lets it go on from where it was.`,
    });
  if (state === 'failing' && failures >= FAILURES)
    needs.push({
      ...need,
      kind: 'connector',
      sentence: `${connector} has failed ${failures} times in a row${because(last_error)}`,
      action: `\`clinic-sync connectors check ${connector}\` says what is wrong.`,
    });
  if (dead > 0)
    needs.push({
      ...need,
      kind: 'delivery',
      sentence: `${dead === 1 ? 'One delivery' : `${dead} deliveries`} to ${connector} ${dead === 1 ? 'was' : 'were'} given up.`,
      action: `\`clinic-sync deliveries retry ${connector}\` or \`clinic-sync deliveries skip ${connector}\`.`,
    });
  return needs;
}

export const laneNeed = ({ clinic, lane }: ClinicReport, at: Instant): Need[] =>
  lane.state === 'open'
    ? []
    : [
        {
          kind: 'clinic',
          clinic,
          subject: clinic,
          sentence: `Bookings are not being sent to ${clinic}${lane.reason === null ? '.' : `: ${lane.reason.replace(/\.$/, '')}.`}`,
          action: '`clinic-sync doctor` says what to look at; nothing is lost meanwhile.',
          since: lane.since ?? at,
          urgent: true,
        },
      ];

export const alarmNeed = (sentence: string, since: Instant): Need => ({
  kind: 'clinic',
  subject: 'schedule',
  sentence,
  action: 'If it lasts, restart clinic-sync: nothing is lost by that.',
  since,
  urgent: true,
});

export const databaseNeed = (problem: string, since: Instant): Need => ({
  kind: 'database',
  subject: 'database',
  sentence: `The database does not work: ${problem.replace(/\.$/, '')}.`,
  action: 'Check the disk and the file’s owner with `clinic-sync doctor`; no booking is accepted meanwhile.',
  since,
  urgent: true,
});
