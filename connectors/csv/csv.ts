import { resolve, sep } from 'node:path';
import {
  type Connector,
  type ConnectorContext,
  type Converged,
  defineConnector,
} from '../../src/connector.ts';
import { Failure } from '../../src/model/failure.ts';
import { checkFolders } from './check.ts';
import { createClinicExport } from './export/clinic-export.ts';
import { createInbox } from './inbox/inbox.ts';
import { tidyInbox } from './inbox/tidy.ts';
import { CsvSettings } from './settings.ts';

/** How often drift is healed, and how often the inbox is looked into. */
const HEAL_EVERY_MS = 5 * 60_000;
const LOOK_EVERY_MS = 5_000;
/** With an inbox most looks find nothing; the tables are then compared only this often. */
const COMPARE_EVERY_MS = 60_000;

export const csv = defineConnector<CsvSettings>({
  name: 'csv',
  summary:
    'Keeps CSV or XLSX files of everything in a folder, and books the rows of CSV files dropped into another.',
  settings: CsvSettings,
  secrets: [],
  async create(context) {
    refuseImpossible(context);
    const { settings, clinics, includePatient, clock, log } = context;
    const exports = clinics.map(({ clinic, timezone }) => ({
      clinic,
      comparedAt: Number.NEGATIVE_INFINITY,
      files: createClinicExport({ settings, clinic, timezone, includePatient, clock, log }),
    }));
    const inbox = settings.inbox === undefined ? undefined : createInbox(context, settings, settings.inbox);

    const connector: Connector = {
      state: {
        everyMs: inbox ? LOOK_EVERY_MS : HEAL_EVERY_MS,
        async converge(mirror, signal): Promise<Converged> {
          const total: Converged = { written: {}, problems: [] };
          const failures: unknown[] = [];
          const due: typeof exports = [];
          for (const entry of exports) {
            const recent = inbox && clock.monotonic() - entry.comparedAt < COMPARE_EVERY_MS;
            // What cannot even be looked at is due: writing it then says what is wrong.
            if (!recent || !(await entry.files.settled(mirror).catch(() => false))) due.push(entry);
          }

          // Bookings first, and whatever becomes of the files: a full disk there must not hold up leads here.
          if (inbox) {
            try {
              const { written, problems, nextInMs } = await inbox.look(mirror, due.length > 0, signal);
              Object.assign(total.written, written);
              total.problems.push(...problems);
              if (nextInMs !== undefined) total.nextInMs = nextInMs;
            } catch (error) {
              signal.throwIfAborted();
              failures.push(error);
            }
          }
          for (const entry of due) {
            try {
              const { written, problems } = await entry.files.run(mirror, signal);
              entry.comparedAt = clock.monotonic();
              const prefix = exports.length > 1 ? `${entry.clinic}/` : '';
              for (const [name, rows] of Object.entries(written)) total.written[prefix + name] = rows;
              total.problems.push(...problems.map((problem) => prefix + problem));
            } catch (error) {
              signal.throwIfAborted();
              failures.push(error);
            }
          }
          if (failures.length > 0) throw failures[0];
          return total;
        },
      },
      ...(settings.inbox !== undefined && {
        tidy: tidyInbox({ inbox: settings.inbox, memory: context.memory }),
      }),
      check: (signal) => checkFolders(context, signal),
      async stop() {},
    };
    return connector;
  },
});

function refuseImpossible({ settings, clinics }: ConnectorContext<CsvSettings>): void {
  const { directory, inbox, inbox_clinic } = settings;
  const keys = clinics.map(({ clinic }) => clinic);
  if (inbox_clinic !== undefined && !keys.includes(inbox_clinic))
    throw new Failure({
      kind: 'refused',
      message: `inbox_clinic names a clinic this connector does not serve: ${inbox_clinic}`,
      hint: `Write one of: ${keys.join(', ')}.`,
    });
  const inFolderOf =
    inbox === undefined
      ? undefined
      : keys.find((key) => `${resolve(inbox)}${sep}`.startsWith(`${resolve(directory, key)}${sep}`));
  if (inFolderOf !== undefined)
    throw new Failure({
      kind: 'refused',
      message: `The inbox is inside the folder that is written for the clinic ${inFolderOf}`,
      hint: 'Give the inbox a folder of its own.',
    });
}
