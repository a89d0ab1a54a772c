import type { Instant } from '../model/clock.ts';
import type { ConnectorReport, Need } from '../model/report.ts';
import { sentences } from '../model/sentences.ts';
import type { Guard } from '../store/store.ts';

/** Everything only a person can settle, as sentences with what to do. Pure; no patient data. */

export const guardNeed = ({ id, clinic, sentence, first_at, seen, approval_only }: Guard): Need => ({
  kind: 'guard',
  clinic,
  subject: id,
  sentence,
  action: `If that is right: \`clinic-sync guards approve ${id}\`${approval_only ? '' : `; an hour of equal answers lets it through (so far ${seen})`}.`,
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
  const because = (text: string | null) => (text === null ? '.' : `: ${sentences(text)}`);
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

export const alarmNeed = (sentence: string, since: Instant): Need => ({
  kind: 'clinic',
  subject: 'schedule',
  sentence,
  action: 'If it lasts, restart clinic-sync: nothing is lost by that.',
  since,
  urgent: true,
});

export const databaseWarning = (warning: string, since: Instant): Need => ({
  kind: 'database',
  subject: 'database',
  sentence: sentences(warning),
  action: 'Bookings are still accepted; `clinic-sync doctor` shows the free space.',
  since,
  urgent: true,
});

export const databaseNeed = (problem: string, since: Instant): Need => ({
  kind: 'database',
  subject: 'database',
  sentence: `The database does not work: ${sentences(problem)}`,
  action: 'Check the disk and the file’s owner with `clinic-sync doctor`; no booking is accepted meanwhile.',
  since,
  urgent: true,
});
