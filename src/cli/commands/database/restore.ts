import { formatBytes } from '../../../platform/bytes.ts';
import { systemClock } from '../../../platform/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { type MissingBooking, restoreStore } from '../../../store/sqlite.ts';
import { actorName } from '../../audited.ts';
import { command } from '../../command.ts';
import { requireConfig } from '../../configuration.ts';
import { answer, counted } from '../../io.ts';
import { type Columns, headed } from '../../list.ts';
import { whileWorking } from '../../progress-line.ts';

export const restore = command({
  name: 'restore <file>',
  describe: 'Replace the database with a backup, while the daemon is stopped',
  args: { file: { type: 'string', demandOption: true, describe: 'A file that `backup` wrote' } },
  examples: { 'restore /backup/clinic-sync-monday.db': 'after a lost or damaged database' },
  async run(io, { file: copy, ...given }) {
    const { sqlite: file, postgres } = (await requireConfig(io, given)).store;
    if (postgres !== undefined)
      throw new Failure({
        kind: 'refused',
        message: "A PostgreSQL database is restored with PostgreSQL's own tools.",
        hint: 'Stop the daemon, then use pg_restore; what waited is held at the next start.',
      });
    const restored = await whileWorking(io, 'Checking and restoring the backup', () =>
      restoreStore(file, copy, actorName(), systemClock),
    );
    const { copied_at, former, held, bytes, missing } = restored;
    const made = copied_at === null ? '' : `, made ${copied_at}`;
    answer(
      io,
      given,
      { file, from: copy, ...restored },
      `Restored ${file} from ${copy} (${formatBytes(bytes)}${made}).`,
      ...(former.length > 0 ? [`The former database is kept: ${former.join(', ')}`] : []),
      'At the next start nothing is sent until you resume it. What waited is held (restored_state), ' +
        `because it may have been sent since this backup: ${counted(held, 'booking')}.`,
      ...missingLines(missing),
      '  → Start the daemon and decide about them. Leads that come until then wait: drop those ' +
        'that had been booked before (clinic-sync bookings list --state queued).',
      '  → Then run: clinic-sync bookings resume',
    );
  },
});

const SHOWN = 50;

/** What only the former database knows, so that nobody is forgotten. */
function missingLines(missing: readonly MissingBooking[] | null): string[] {
  if (missing === null)
    return [
      'The former database cannot be read: leads that came after the backup are known to their senders only.',
    ];
  const [late, moved] = [missing.filter(isLate), missing.filter((one) => !isLate(one))];
  return [
    ...listed(late, 'came after the backup: this database does not have them', {
      CAME: ({ received_at }) => received_at.slice(0, 16).replace('T', ' '),
    }),
    ...listed(moved, 'went on after the backup', { HERE: 'restored_state' }),
  ];
}

const isLate = ({ restored_state }: MissingBooking) => restored_state === null;

function listed(rows: readonly MissingBooking[], what: string, column: Columns<MissingBooking>): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > SHOWN ? [`  … and ${rows.length - SHOWN} more (--json lists all)`] : [];
  const columns = {
    REF: 'ref',
    CLINIC: 'clinic',
    ...column,
    'BY THE FORMER': 'state',
    APPOINTMENT: 'appointment_id',
  } as const;
  return [
    `${counted(rows.length, 'booking')} ${what}:`,
    headed(rows.slice(0, SHOWN), columns).trimEnd(),
    ...more,
  ];
}
