import { existsSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { buildParts, type ClinicParts, type Parts } from '../../app/parts.ts';
import type { NewChange } from '../../domain/change.ts';
import { type Poll, polls } from '../../domain/resource.ts';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { type ConfigArguments, requireConfig } from '../configuration.ts';
import { clearLine, counted, Exit, exit, failureText, type Io, painter, print, printJson } from '../io.ts';
import { packageVersion } from '../package.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  resources?: Poll[];
  dryRun: boolean;
  full: boolean;
}

/** How one poll went. */
interface Polled {
  clinic: string;
  poll: Poll;
  rows: number;
  changes: number;
  guarded: string | null;
  failed: string | null;
}

/** `clinic-sync sync [resource…] [--dry-run] [--full]` */
export const syncCommand = (io: Io): CommandModule => ({
  command: 'sync [resources..]',
  describe: 'Poll and deliver once, then exit; not while the daemon runs',
  builder: (yargs) =>
    yargs
      .positional('resources', { choices: polls, array: true, describe: 'Only these' })
      .option('dry-run', {
        type: 'boolean',
        default: false,
        describe: 'Name what would be recorded and delivered; do nothing',
      })
      .option('full', {
        type: 'boolean',
        default: false,
        describe: 'Also read appointments that are not due yet',
      })
      .example('$0 sync treatments --dry-run', 'what has changed at the clinic?'),
  handler: (argv) => sync(io, argv as unknown as Arguments),
});

async function sync(io: Io, given: Arguments): Promise<void> {
  const config = await requireConfig(io, given);
  // A rehearsal before the first start compares with nothing, and leaves nothing behind.
  const isFirst = given.dryRun && !existsSync(config.store.sqlite);
  const parts = await buildParts({
    config: isFirst ? { ...config, store: { ...config.store, sqlite: ':memory:' } } : config,
    clock: systemClock,
    log: silentLog,
    version: packageVersion(),
    mode: given.dryRun && !isFirst ? 'tool' : 'daemon',
    loops: false,
  });
  const chosen = given.resources?.length ? given.resources : polls;
  try {
    if (given.dryRun) await preview(io, given, parts, chosen);
    else await pollAndDeliver(io, given, parts, chosen);
  } finally {
    await parts.close();
  }
}

async function pollAndDeliver(
  io: Io,
  given: Arguments,
  parts: Parts,
  chosen: readonly Poll[],
): Promise<void> {
  const paint = painter(io);
  const polled: Polled[] = [];
  for (const { settings, mirror } of parts.clinics.values()) {
    for (const poll of chosen) {
      if (io.terminal && !given.json) io.err(`${settings.key} ${poll} …`);
      const { rows, changes, guarded, failed } = await mirror.poll(poll, io.signal, { all: given.full });
      if (io.terminal && !given.json) io.err(clearLine);
      const one: Polled = {
        clinic: settings.key,
        poll,
        rows,
        changes: changes.length,
        guarded: guarded?.sentence ?? null,
        failed: failed ? failureText(failed) : null,
      };
      polled.push(one);
      if (given.json) continue;
      const mark = one.failed ? paint('red', '✗') : one.guarded ? paint('yellow', '!') : paint('green', '✓');
      print(
        io,
        `${mark} ${one.clinic} ${poll}: ${one.failed ?? one.guarded ?? `${counted(rows, 'row')}, ${one.changes} changed`}`,
      );
    }
  }

  const delivered = await parts.deliveries.runOnce(io.signal);
  if (given.json) printJson(io, { polled, delivered });
  else {
    for (const { connector, written, delivered: events, error, pending, dead } of delivered) {
      const what = Object.entries({ ...written, ...(events > 0 && { events }) }).map(
        ([name, count]) => `${name} ${count}`,
      );
      const mark = error ? paint('red', '✗') : paint('green', '✓');
      const rest = [pending ? `${pending} waiting` : '', dead ? `${dead} given up` : '']
        .filter(Boolean)
        .join(', ');
      print(
        io,
        `${mark} ${connector}: ${error ?? (what.join(', ') || 'nothing to do')}${rest ? ` (${rest})` : ''}`,
      );
    }
  }
  if (polled.some(({ failed }) => failed)) throw new Exit(exit.notSyncing);
  if (polled.some(({ guarded }) => guarded) || delivered.some(({ error, dead }) => error || dead > 0))
    throw new Exit(exit.needsPerson);
}

async function preview(io: Io, given: Arguments, parts: Parts, chosen: readonly Poll[]): Promise<void> {
  const found: { clinic: string; poll: Poll; change: NewChange; receivers: string[] }[] = [];
  for (const { settings, mirror } of parts.clinics.values()) {
    for (const poll of chosen) {
      for (const change of await mirror.preview(poll, io.signal)) {
        const receivers = await receiversOf(parts, settings, change);
        found.push({ clinic: settings.key, poll, change, receivers });
      }
    }
  }
  if (given.json)
    return printJson(
      io,
      found.map(({ change, ...rest }) => ({ ...rest, ...change })),
    );
  if (found.length === 0) return print(io, 'Nothing has changed.');
  for (const { clinic, change, receivers } of found) {
    const fields = Object.keys(change.previous ?? {}).join(', ');
    print(
      io,
      `${clinic}  ${change.type}  ${change.id}${fields ? `  (${fields})` : ''}  → ${receivers.join(', ') || 'no connector'}`,
    );
  }
}

/** Connectors that keep a state get everything; those that take events say which. */
async function receiversOf(
  { connectors, deliveries }: Parts,
  { key }: ClinicParts['settings'],
  change: NewChange,
): Promise<string[]> {
  const byEvent = await deliveries.receivers({
    ...change,
    clinic: key,
    sequence: 0,
    at: new Date(0).toISOString(),
  });
  const byState = connectors.filter(({ connector }) => connector?.state).map(({ settings }) => settings.name);
  return [...new Set([...byState, ...byEvent])];
}
