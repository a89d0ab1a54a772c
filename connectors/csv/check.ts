import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CheckLine, type ConnectorContext, fail, ok, stated, warn } from '../../src/connector.ts';
import { formatBytes } from '../../src/platform/bytes.ts';
import { fileFailure, statOf } from './files.ts';
import { csvFiles, foldersOf } from './inbox/folders.ts';
import type { CsvSettings } from './settings.ts';

const LITTLE_BYTES = 500e6;
const TOO_LITTLE_BYTES = 50e6;

/** Checks write access, free space and the profile. Changes nothing. */
export async function checkFolders(
  { settings, clinics }: Pick<ConnectorContext<CsvSettings>, 'settings' | 'clinics'>,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const { directory, inbox } = settings;
  const lines: CheckLine[] = [];
  for (const { clinic } of clinics) {
    if (signal.aborted) return lines;
    lines.push(await writable(join(directory, clinic), 'files are written to'));
  }
  lines.push(await space(directory));
  lines.push(profile(settings));
  if (inbox === undefined || signal.aborted) return lines;

  const folders = foldersOf(inbox);
  lines.push(await writable(inbox, 'inbox'));
  if ((await existing(inbox)) === inbox) {
    for (const folder of [folders.processing, folders.done, folders.failed, folders.results]) {
      const line = await writable(folder, 'inbox');
      if (line.level !== 'ok') lines.push(line);
    }
    const failed = await csvFiles(folders.failed).catch(() => []);
    if (failed.length > 0)
      lines.push(warn(stated('files_failed', { place: folders.failed, count: failed.length })));
  }
  if (clinics.length > 1 && settings.inbox_clinic === undefined)
    lines.push(
      warn(
        'inbox: several clinics are served and inbox_clinic is not set',
        'Set inbox_clinic, or give every file a column clinic.',
      ),
    );
  return lines;
}

/** The nearest existing ancestor, where a missing folder would be created. */
async function existing(path: string): Promise<string> {
  const parent = dirname(path);
  return (await statOf(path).catch(() => undefined)) || parent === path ? path : existing(parent);
}

async function writable(folder: string, purpose: string): Promise<CheckLine> {
  const there = await existing(folder);
  try {
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
    const stat = await statOf(`${there}/`);
    if (!stat?.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    const what = there === folder ? 'can be written' : 'does not exist yet and will be created';
    return ok(`${purpose}: ${folder} ${what}`);
  } catch (error) {
    const { message, hint } = fileFailure(error, there);
    return fail({ message: `${purpose}: ${message}`, hint });
  }
}

async function space(directory: string): Promise<CheckLine> {
  try {
    const { bavail, bsize } = await statfs(await existing(directory));
    const free = bavail * bsize;
    const what = `${formatBytes(free)} free for ${directory}`;
    if (free >= LITTLE_BYTES) return ok(what);
    return { level: free < TOO_LITTLE_BYTES ? 'fail' : 'warn', what, hint: 'Free some space on that disk.' };
  } catch (error) {
    const { message, hint = '' } = fileFailure(error, directory);
    return warn(message, hint);
  }
}

function profile({ format, profile: chosen }: CsvSettings): CheckLine {
  if (format === 'xlsx') return ok('XLSX: numbers, dates and leading zeros arrive as they are');
  if (chosen === 'data') return ok('profile data: exact values, for programs');
  return ok(
    'profile excel: safe to open, but a spreadsheet program drops leading zeros (017…); `format: xlsx` keeps them',
  );
}
