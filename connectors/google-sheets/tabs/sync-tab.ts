import {
  byWeight,
  type ClinicFacts,
  type MirrorView,
  type Problem,
  sentenceOf,
  weightOf,
} from '../../../src/connector.ts';
import { problemWords } from '../../../src/domain/texts/problem.ts';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';
import type { Locale } from '../../../src/platform/text/locale.ts';
import type { PlainText } from '../../../src/texts/texts.ts';
import { deadlinesOf, type Freshness } from '../plan/age-stamps.ts';
import { rowsByKey } from '../plan/rows.ts';
import { type Content, instantSerial, wallMinutes } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { type DesiredRow, rowKey } from '../sheet/tab-spec.ts';

/** Problems have fixed, numbered rows, because rows that come and go would move people's cells. */
const PLACES = 12;
/** As-of changes with every poll, but is written at most this often. */
const STEP_MS = 5 * MINUTE;

const names: Record<string, PlainText> = {
  organization: 'sheet_profile_and_figures',
  website: 'sheet_website_settings',
  treatments: 'poll_treatments',
  dentists: 'poll_dentists',
  appointments: 'sheet_pending',
};

/**
 * A formula that turns STALE when the next reading is overdue, even if the daemon does not run. Uses whole minutes and
 * semicolons, because commas differ between locales.
 */
const staleFormula = (deadlineMs: number, zone: string): Content => ({
  formula: `=IF(NOW()*1440>${wallMinutes(deadlineMs, zone)};"STALE: not updated";"fresh")`,
});

interface SyncOptions {
  /** Undefined before it is created. */
  tab: TabSnapshot | undefined;
  clinics: readonly ClinicFacts[];
  /** The spreadsheet's zone, whose wall clock NOW() is; the times shown are the clinic's. */
  zone: string;
  problems: readonly Problem[];
  locale: Locale;
}

/** The Sync tab: the age of each resource, and what needs a person. */
export async function syncRows(view: MirrorView, options: SyncOptions): Promise<DesiredRow[]> {
  const { tab, clinics, problems, locale } = options;
  const rows: DesiredRow[] = [];
  const present = tab && rowsByKey(tab, { clinics: clinics.map(({ clinic }) => clinic) });
  for (const { clinic, timezone } of clinics) {
    const read = await view.freshness(clinic);
    const deadlineOf = deadlinesOf(read);
    for (const fresh of read) {
      const row = present?.get(rowKey(clinic, fresh.poll))?.[0];
      rows.push({
        clinic,
        id: fresh.poll,
        cells: {
          what: nameIn(locale, fresh.poll),
          rows: fresh.rows,
          ...freshnessCells({ ...fresh, deadline: deadlineOf(fresh) }, row, timezone, options),
        },
      });
    }
  }
  return [...rows, ...problemRows(problems, clinics[0]?.clinic ?? '', { present, locale })];
}

const nameIn = ({ t }: Locale, poll: string): string => (names[poll] ? t(names[poll]) : poll);

/** The cells already there while recent enough, otherwise the new times. */
function freshnessCells(
  { as_of, next_due_at, deadline }: Freshness & { deadline: number | undefined },
  row: number | undefined,
  timezone: string,
  { tab, zone }: SyncOptions,
): Record<'as_of' | 'next' | 'state', Content> {
  const at = (key: string): Content =>
    tab && row !== undefined ? contentAt(tab, row, tab.columns.get(key) ?? -1) : null;
  const now = { as_of: instantSerial(as_of, timezone), next: instantSerial(next_due_at, timezone) };
  if (as_of === null || deadline === undefined) return { ...now, state: 'not read yet' };
  if (next_due_at === null) return { ...now, state: 'nothing to read' };
  if (typeof at('next') === 'number' && isRecent(at('as_of'), now.as_of))
    return { as_of: at('as_of'), next: at('next'), state: at('state') };
  return { ...now, state: staleFormula(deadline, zone) };
}

const isRecent = (shown: Content, now: Content): boolean =>
  typeof shown === 'number' && typeof now === 'number' && now >= shown && (now - shown) * DAY < STEP_MS - 1;

/** English sentences say more than the words of the catalogue. */
function inWords(problem: Problem, locale: Locale): string {
  const said = typeof problem === 'string' || locale.isSource ? undefined : problem.said;
  return problemWords(said, locale) ?? sentenceOf(problem);
}

function problemRows(
  problems: readonly Problem[],
  clinic: string,
  { present, locale }: { present: ReadonlyMap<string, number[]> | undefined; locale: Locale },
): DesiredRow[] {
  const shown = byWeight(problems).slice(0, PLACES);
  if (problems.length > PLACES)
    shown[PLACES - 1] = `… and ${problems.length - PLACES + 1} more; see the status page.`;
  const rows: DesiredRow[] = [];
  for (let place = 1; place <= PLACES; place += 1) {
    const problem = shown[place - 1];
    const id = `problem ${place}`;
    // A row is created only when it is first needed.
    if (problem === undefined && !present?.has(rowKey(clinic, id))) continue;
    rows.push({
      clinic,
      id,
      cells: {
        what: problem === undefined ? null : inWords(problem, locale),
        state: problem === undefined ? null : weightOf(problem) === 'note' ? 'Note' : 'Needs you',
      },
    });
  }
  return rows;
}
