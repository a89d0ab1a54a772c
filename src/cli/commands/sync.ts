import { isDatabaseNew } from '../../app/choose-database.ts';
import { applyClocks } from '../../app/clocks.ts';
import type { ClinicParts, Parts } from '../../app/parts.ts';
import { type Poll, polls } from '../../domain/clinics/resource.ts';
import { systemClock } from '../../platform/clock.ts';
import { command, flagArgument } from '../command.ts';
import { requireConfig } from '../configuration.ts';
import {
  answer,
  clearLine,
  counted,
  Exit,
  exit,
  failureText,
  type Io,
  type OutputOptions,
  painter,
  print,
  printJson,
} from '../io.ts';
import { inMemory, openParts } from '../with-app.ts';

export const sync = command({
  name: 'sync [resources..]',
  describe: 'Poll and deliver once, then exit; not while the daemon runs',
  args: {
    resources: { choices: polls, array: true, describe: 'Only these' },
    'dry-run': flagArgument('Print what would be recorded and delivered; change nothing'),
    full: flagArgument('Also read appointments that are not due yet'),
  },
  examples: { 'sync treatments --dry-run': 'what has changed at the clinic?' },
  needsSecrets: true,
  async run(io, { resources = [], dryRun, full, ...given }) {
    const config = await requireConfig(io, given);
    const chosen = resources.length > 0 ? resources : polls;
    // Before the first start, a dry run compares with an empty mirror and leaves nothing behind.
    const isFirst = dryRun && isDatabaseNew(config.store);
    const parts = await openParts(isFirst ? inMemory(config) : config, dryRun && !isFirst ? 'tool' : 'alone');
    try {
      if (dryRun) await preview(io, given, parts, chosen);
      else {
        await applyClocks(parts, systemClock);
        await pollAndDeliver(io, { ...given, full }, parts, chosen);
      }
    } finally {
      await parts.close();
    }
  },
});

type Polled = Awaited<ReturnType<typeof pollOnce>>;

async function pollAndDeliver(
  io: Io,
  { json, full }: OutputOptions & { full: boolean },
  parts: Parts,
  chosen: readonly Poll[],
): Promise<void> {
  const say = sayer(io, json);
  const progress = io.terminal && !json ? io.err : () => {};
  const polled: Polled[] = [];
  for (const clinic of parts.clinics.values())
    for (const poll of chosen) {
      progress(`${clinic.settings.key} ${poll} …`);
      const one = await pollOnce(clinic, poll, full, io.signal);
      progress(clearLine);
      polled.push(one);
      say(one.mark, `${one.clinic} ${poll}: ${one.failed ?? one.guarded ?? one.done}`);
    }

  const delivered = await parts.deliveries.runOnce(io.signal);
  for (const one of delivered) say(one.error ? 'bad' : 'good', deliverySentence(one));
  for (const { name, on } of leftOf(parts, delivered)) say('held', `${name}: left to a daemon on ${on}`);
  const quarantined = quarantinedOf(parts);
  for (const { connector, problem } of quarantined)
    say('bad', `${connector} could not be started: ${problem}`);
  if (json) printJson(io, { polled: polled.map(({ mark, done, ...one }) => one), delivered, quarantined });

  const isTroubled = quarantined.length > 0 || delivered.some(({ error, dead }) => error || dead > 0);
  const codes = polled.map(({ mark }) => marks[mark].code);
  const code = Math.max(isTroubled ? exit.needsPerson : exit.ok, ...codes);
  if (code !== exit.ok) throw new Exit(code);
}

const marks = {
  good: { colour: 'green', sign: '✓', code: exit.ok },
  held: { colour: 'yellow', sign: '!', code: exit.needsPerson },
  bad: { colour: 'red', sign: '✗', code: exit.notSyncing },
} as const;
type Mark = keyof typeof marks;

const sayer = (io: Io, json: boolean | undefined) => (mark: Mark, sentence: string) => {
  const { colour, sign } = marks[mark];
  if (!json) print(io, `${painter(io)(colour, sign)} ${sentence}`);
};

async function pollOnce({ settings, mirror }: ClinicParts, poll: Poll, all: boolean, signal: AbortSignal) {
  const { rows, changes, guarded, failed } = await mirror.poll(poll, signal, { all });
  const mark: Mark = failed ? 'bad' : guarded ? 'held' : 'good';
  return {
    ...{ clinic: settings.key, poll, rows, changes: changes.length },
    guarded: guarded?.sentence ?? null,
    failed: failed ? failureText(failed) : null,
    ...{ mark, done: `${counted(rows, 'row')}, ${changes.length} changed` },
  };
}

const quarantinedOf = ({ connectors }: Parts) =>
  connectors.flatMap(({ settings: { name }, quarantined: problem }) =>
    problem === undefined ? [] : [{ connector: name, problem }],
  );

/** Those that only another host runs. */
const leftOf = ({ connectors }: Parts, delivered: readonly Delivered[]) =>
  connectors
    .filter(({ connector }) => connector !== undefined)
    .map(({ settings }) => settings)
    .filter(({ name }) => !delivered.some(({ connector }) => connector === name));

type Delivered = Awaited<ReturnType<Parts['deliveries']['runOnce']>>[number];

function deliverySentence({ connector, written, delivered, error, pending, dead }: Delivered): string {
  const all = { ...written, ...(delivered > 0 && { events: delivered }) };
  const what = Object.entries(all).map(([name, count]) => `${name} ${count}`);
  const rest = [pending ? `${pending} waiting` : '', dead ? `${dead} given up` : ''].filter(Boolean);
  const done = error ?? (what.join(', ') || 'nothing to do');
  return `${connector}: ${done}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
}

async function preview(io: Io, given: OutputOptions, parts: Parts, chosen: readonly Poll[]): Promise<void> {
  const found = [];
  for (const { settings, mirror } of parts.clinics.values())
    for (const poll of chosen)
      for (const change of await mirror.preview(poll, io.signal)) {
        const logged = { ...change, clinic: settings.key, sequence: 0, at: new Date(0).toISOString() };
        const receivers = [...new Set([...byState(parts), ...(await parts.deliveries.receivers(logged))])];
        found.push({ clinic: settings.key, poll, receivers, ...change });
      }
  const lines = found.map(({ clinic, type, id, previous, receivers }) => {
    const fields = Object.keys(previous ?? {}).join(', ');
    return `${clinic}  ${type}  ${id}${fields ? `  (${fields})` : ''}  → ${receivers.join(', ') || 'no connector'}`;
  });
  answer(io, given, found, ...(lines.length > 0 ? lines : ['Nothing has changed.']));
}

/** Connectors with `state` receive every change; those with `events` choose. */
const byState = ({ connectors }: Parts): string[] =>
  connectors.flatMap(({ settings, connector }) => (connector?.state ? [settings.name] : []));
