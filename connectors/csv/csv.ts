import { resolve, sep } from 'node:path';
import {
  type Connector,
  type ConnectorContext,
  type Converged,
  defineConnector,
  type MirrorView,
  said,
} from '../../src/connector.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import { checkFolders } from './check.ts';
import { type ClinicExport, createClinicExport } from './export/clinic-export.ts';
import { createInbox, type Inbox } from './inbox/inbox.ts';
import { tidyInbox } from './inbox/tidy.ts';
import { CsvSettings } from './settings.ts';

/** How often drift is repaired, and how often the inbox is read. */
const HEAL_EVERY_MS = 5 * MINUTE;
const LOOK_EVERY_MS = 5_000;

export const csv = defineConnector<CsvSettings>({
  name: 'csv',
  summary:
    'Keeps CSV or XLSX files of everything in a folder, and books the rows of CSV files dropped into another.',
  settings: CsvSettings,
  secrets: [],
  async create(context) {
    refuseImpossible(context);
    const { settings, clinics, includePatient, includeHashed = false, clock, log, memory } = context;
    const common = { settings, includePatient, includeHashed, clock, log, memory };
    const exports = clinics.map(({ clinic, timezone }) => ({
      clinic,
      files: createClinicExport({ ...common, clinic, timezone }),
    }));
    const inbox = settings.inbox === undefined ? undefined : createInbox(context, settings, settings.inbox);
    const sources: Sources = { exports, inbox };

    const connector: Connector = {
      state: {
        everyMs: inbox ? LOOK_EVERY_MS : HEAL_EVERY_MS,
        converge: (mirror, signal) => converge(sources, mirror, signal),
      },
      async forget({ refs }, mirror, signal) {
        await inbox?.forget(refs, signal);
        for (const { files } of exports) files.invalidate();
        await converge(sources, mirror, signal);
      },
      ...(settings.inbox !== undefined && {
        tidy: tidyInbox({ inbox: settings.inbox, memory, bookings: context.bookings, source: context.name }),
      }),
      check: (signal) => checkFolders(context, signal),
      async stop() {},
    };
    return connector;
  },
});

interface Sources {
  exports: readonly { clinic: string; files: ClinicExport }[];
  inbox: Inbox | undefined;
}

async function converge(
  { exports, inbox }: Sources,
  mirror: MirrorView,
  signal: AbortSignal,
): Promise<Converged> {
  const total: Converged = { written: {}, problems: [] };
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  };
  const comeBackIn = (ms: number | undefined) => {
    if (ms !== undefined) total.nextInMs = Math.min(total.nextInMs ?? ms, ms);
  };

  // Bookings first: a full disk of the exported files must not delay leads.
  if (inbox)
    await attempt(async () => {
      const { written, problems, nextInMs } = await inbox.look(mirror, signal);
      Object.assign(total.written, written);
      total.problems.push(...problems);
      comeBackIn(nextInMs);
    });
  for (const { clinic, files } of exports)
    await attempt(async () => {
      const { written, cut, waitMs } = await files.run(mirror, signal);
      const prefix = exports.length > 1 ? `${clinic}/` : '';
      for (const [name, rows] of Object.entries(written)) total.written[prefix + name] = rows;
      for (const [name, count] of Object.entries(cut))
        total.problems.push(said('texts_cut', { place: prefix + name, count }));
      if (waitMs !== undefined) total.unfinished = true;
      comeBackIn(waitMs);
    });
  if (failures.length > 0) throw failures[0];
  if (inbox) comeBackIn(LOOK_EVERY_MS);
  return total;
}

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
      hint: 'Give the inbox a separate folder.',
    });
}
