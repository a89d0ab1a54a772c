import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CheckLine, type ConnectorContext, fail, ok, stated, warn } from '../../src/connector.ts';
import { formatBytes } from '../../src/platform/bytes.ts';
import { fileFailure, statOf } from './files.ts';
import { foldersOf, isAway } from './inbox/folders.ts';
import { createLedger, type Ledger } from './inbox/ledger.ts';
import { otherFiles, otherNotesOf, type WhenShown } from './inbox/other-files.ts';
import type { CsvSettings } from './settings.ts';
import { shareAway } from './share.ts';

const LITTLE_BYTES = 500e6;
const TOO_LITTLE_BYTES = 50e6;

type Checked = Pick<ConnectorContext<CsvSettings>, 'name' | 'settings' | 'clinics' | 'clock' | 'memory'>;

/** Checks write access, free space and the profile. Changes nothing. */
export async function checkFolders(
  { name: connector, settings, clinics, clock, memory }: Checked,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const { directory, inbox } = settings;
  const lines: CheckLine[] = [];
  const away = await shareAway(directory, memory).catch(() => undefined);
  if (away !== undefined) lines.push(fail(stated('share_away', { connector, place: away })));
  for (const { clinic } of away === undefined ? clinics : []) {
    if (signal.aborted) return lines;
    lines.push(await writable(join(directory, clinic), 'files'));
  }
  lines.push(await space(directory));
  lines.push(profile(settings));
  if (inbox === undefined || signal.aborted) return lines;

  const unmounted = await shareAway(inbox, memory).catch(() => undefined);
  if (unmounted !== undefined && unmounted !== away)
    return [...lines, fail(stated('share_away', { connector, place: unmounted }))];
  const ledger = createLedger(memory);
  if (await isAway(inbox, ledger).catch(() => false))
    return [...lines, fail(stated('inbox_away', { place: inbox }))];
  const at = { now: clock.now(), timezone: clinics[0]?.timezone ?? 'UTC' };
  lines.push(...(await inboxLines(inbox, ledger, at)));
  if (clinics.length > 1 && settings.inbox_clinic === undefined)
    lines.push(warn(stated('check_inbox_clinic', {})));
  return lines;
}

async function inboxLines(inbox: string, ledger: Ledger, at: WhenShown): Promise<CheckLine[]> {
  const folders = foldersOf(inbox);
  const line = await writable(inbox, 'inbox');
  // The folders in it would fail for the same reason.
  if (line.level !== 'ok' || (await existing(inbox)) !== inbox) return [line];
  const lines = [line];
  for (const folder of [folders.processing, folders.done, folders.failed, folders.results]) {
    const inside = await writable(folder, 'inbox');
    if (inside.level !== 'ok') lines.push(inside);
  }
  const others = await otherFiles(folders, ledger, at.now).catch(() => undefined);
  const notes = others === undefined ? [] : otherNotesOf(others, inbox, at);
  return [...lines, ...notes.map(({ sentence, said }) => warn({ message: sentence, said }))];
}

/** The nearest existing ancestor, where a missing folder would be created. */
async function existing(path: string): Promise<string> {
  const parent = dirname(path);
  return (await statOf(path).catch(() => undefined)) || parent === path ? path : existing(parent);
}

async function writable(folder: string, purpose: 'files' | 'inbox'): Promise<CheckLine> {
  const there = await existing(folder);
  try {
    // First, because a file in its place lacks permissions of a directory, too.
    const stat = await statOf(`${there}/`);
    if (!stat?.isDirectory()) return fail(stated('folder_is_file', { place: there }));
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
    const code = `check_${purpose}${there === folder ? '' : '_later'}` as const;
    return ok(stated(code, { place: folder }));
  } catch (error) {
    return fail(fileFailure(error, there));
  }
}

async function space(directory: string): Promise<CheckLine> {
  try {
    const { bavail, bsize } = await statfs(await existing(directory));
    const free = bavail * bsize;
    const values = { size: formatBytes(free), place: directory };
    if (free >= LITTLE_BYTES) return ok(stated('check_free', values));
    const little = stated('check_free_little', values);
    return free < TOO_LITTLE_BYTES ? fail(little) : warn(little);
  } catch (error) {
    return warn(fileFailure(error, directory));
  }
}

function profile({ format, profile: chosen }: CsvSettings): CheckLine {
  if (format === 'xlsx') return ok(stated('check_xlsx', {}));
  if (chosen === 'data') return ok(stated('check_data', {}));
  return ok(stated('check_excel', {}));
}
