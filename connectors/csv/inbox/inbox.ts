import { join } from 'node:path';
import {
  type ConnectorContext,
  type MirrorView,
  need,
  type Problem,
  said,
  stated,
  trouble,
} from '../../../src/connector.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { blockedFiles, blockedNotesOf as blockedNotes } from '../blocked-files.ts';
import { correctMode } from '../export/file-stamp.ts';
import { errnoOf, fileFailure, statOf } from '../files.ts';
import { createPermissionWatch } from '../permissions.ts';
import { type CsvSettings, fileModeOf } from '../settings.ts';
import { lookAtShare } from '../share.ts';
import {
  csvFiles,
  type Folders,
  folderNamesOf,
  foldersOf,
  type HeldFolders,
  holdFolders,
  isAway,
  lookAgainMs,
  move,
  type Observations,
  settledFiles,
  stemOf,
} from './folders.ts';
import { forgetRows } from './forget-rows.ts';
import { createLedger } from './ledger.ts';
import { listNames, otherFiles, otherNotesOf } from './other-files.ts';
import { adoptAnswers } from './own-files.ts';
import { type Cursors, changedBookings, refreshResults } from './results.ts';
import { takeBackFiles } from './take-back.ts';
import { type InboxParts, takeFile } from './take-file.ts';

/** The folder into which files with bookings are dropped. */
export interface Inbox {
  /**
   * Resumes files that were being booked, takes those that have settled, and rewrites the results of changed bookings.
   * Ends after a few seconds and asks to be called again.
   */
  look(view: MirrorView, signal: AbortSignal): Promise<InboxLook>;
  /** Removes the rows of these bookings from the files in `done` and `results`. */
  forget(refs: readonly string[], signal: AbortSignal): Promise<void>;
}

interface InboxLook {
  written: Record<string, number>;
  problems: Problem[];
  nextInMs: number | undefined;
}

/** Afterwards, other files and the exports get their turn. */
const BUDGET_MS = 5_000;

interface State extends InboxParts {
  /** Paths of the folders, for messages. */
  shown: Folders;
  seen: Observations;
  /** Files in `done` and `failed` whose writers go on. */
  growing: Observations;
  cursors: Cursors;
  watchPermissions: ReturnType<typeof createPermissionWatch>;
  /** In which times are worded. */
  timezone: string;
}

export function createInbox(
  context: Pick<ConnectorContext<CsvSettings>, 'name' | 'clinics' | 'bookings' | 'memory' | 'clock' | 'log'>,
  settings: CsvSettings,
  inbox: string,
): Inbox {
  const { name: source, bookings, clock, log } = context;
  const mode = fileModeOf(settings);
  const state: State = {
    source,
    clinics: context.clinics.map(({ clinic }) => clinic),
    settings,
    bookings,
    clock,
    log,
    mode,
    country: context.clinics[0]?.country,
    ledger: createLedger(context.memory),
    written: new Map(),
    shown: foldersOf(inbox),
    seen: new Map(),
    growing: new Map(),
    cursors: new Map(),
    watchPermissions: createPermissionWatch(mode, log),
    timezone: context.clinics[0]?.timezone ?? 'UTC',
  };

  /** Holds the folders open while the work runs. */
  async function within<T>(signal: AbortSignal, work: (folders: HeldFolders) => Promise<T>): Promise<T> {
    let folders: HeldFolders | undefined;
    try {
      await mustBeThere(state.ledger, context, inbox);
      folders = await holdFolders(inbox, mode);
      return await work(folders);
    } catch (error) {
      signal.throwIfAborted();
      throw errnoOf(error) === undefined ? error : fileFailure(error, inbox);
    } finally {
      await folders?.release();
    }
  }

  return {
    look: (view, signal) => within(signal, (folders) => look(state, folders, view, signal)),
    forget: (refs, signal) => within(signal, (folders) => forgetRows(state, folders, refs, signal)),
  };
}

/** Else files would be taken from, and answered in, the place of a share that is away. */
async function mustBeThere(
  ledger: State['ledger'],
  context: Pick<ConnectorContext, 'name' | 'memory'>,
  inbox: string,
): Promise<void> {
  await lookAtShare(inbox, context);
  if (await isAway(inbox, ledger))
    throw new Failure({ kind: 'transient', ...stated('inbox_away', { place: inbox }) });
}

async function look(
  state: State,
  folders: HeldFolders,
  view: MirrorView,
  signal: AbortSignal,
): Promise<InboxLook> {
  const { clock, clinics, source, shown } = state;
  const deadline = clock.monotonic() + BUDGET_MS;
  const outOfTime = () => clock.monotonic() > deadline;
  state.country ??= view.clinics[0]?.country;
  const own = ownBooking(view, clinics);
  const written: Record<string, number> = {};
  const blocked = blockedFiles();
  let more = false;

  const take = async (name: string, isNew: boolean) => {
    signal.throwIfAborted();
    if (outOfTime()) {
      more = true;
      return;
    }
    // What hinders one file, such as a bad sector or another user's permissions, stops no other.
    await blocked.attempt(join(isNew ? folders.inbox : folders.processing, name), name, async () => {
      if (isNew && !(await claim(state, folders, name))) {
        more = true;
        return;
      }
      const outcome = await takeFile(state, { folders, name, own, outOfTime, signal });
      if (outcome === 'booked') written.inbox = (written.inbox ?? 0) + 1;
      more ||= outcome === 'more';
    });
  };

  await adoptAnswers(state.ledger, folders);
  const growing = await takeBackFiles(state, folders, blocked, signal);
  const resuming = await csvFiles(folders.processing);
  const found = await settledFiles(folders.inbox, state.seen, clock.monotonic());
  for (const name of resuming) await take(name, false);
  for (const name of found.settled) await take(name, true);

  const changed = await changedBookings(view, state.cursors, { source, clinics });
  const { count, foreign } = await refreshResults(state, folders, { changed, blocked }, signal);
  if (count > 0) written.results = count;
  const others = await otherFiles(folders, state.ledger, clock.now());
  const unsettled = [...found.unsettled, ...others.unsettled];
  const problems = [
    ...blockedNotes(blocked, shown.inbox, listNames).map(trouble),
    ...(foreign.length > 0
      ? [need(said('files_not_ours', { names: listNames(foreign), place: shown.results }))]
      : []),
    ...otherNotesOf({ ...others, unsettled }, shown.inbox, {
      now: clock.now(),
      timezone: state.timezone,
    }).map(need),
    ...(found.unnameable > 0
      ? [need(said('files_unnameable', { place: shown.inbox, count: found.unnameable }))]
      : []),
  ];
  return { written, problems, nextInMs: more ? 100 : found.waiting + growing > 0 ? lookAgainMs : undefined };
}

/** Moves a file to `processing`. False while another of that name is being booked. */
async function claim(state: State, folders: Folders, name: string): Promise<boolean> {
  for (const taken of [name, ...folderNamesOf(stemOf(name))])
    if (await statOf(join(folders.processing, taken))) return false;
  const claimed = await move([folders.inbox, name], [folders.processing, name]);
  // It holds patient data and stays in done/ or failed/, so from now on only we may read it.
  if (claimed) {
    await correctMode(join(folders.processing, name), state.mode);
    await state.watchPermissions([join(state.shown.processing, name)]);
  }
  failpoint('csv.inbox.claimed');
  return claimed;
}

/** A booking of this connector by its ref. */
const ownBooking = (view: MirrorView, clinics: readonly string[]) => async (ref: string) => {
  for (const clinic of clinics) {
    const [booking] = await view.ownBookings(clinic, [ref]);
    if (booking !== undefined) return booking;
  }
  return undefined;
};
