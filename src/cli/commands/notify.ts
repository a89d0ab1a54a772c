import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { deliveriesTo, HEARTBEAT, type NotifyTarget } from '../../config/notify.ts';
import { type CheckLine, fail, ok, warn } from '../../connector.ts';
import { ping } from '../../notify/heartbeat.ts';
import { hardestMessage, type Message, testMessage } from '../../notify/message.ts';
import { noteTest } from '../../notify/outbox.ts';
import { type SentNotification, sendNotification } from '../../notify/targets/send-notification.ts';
import { unencrypted } from '../../notify/targets/target.ts';
import { type Instant, instant, systemClock } from '../../platform/clock.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { command, group, optionalWord } from '../command.ts';
import { requireConfig } from '../configuration.ts';
import { Exit, exit, painter, print, printJson } from '../io.ts';
import { openStore } from '../with-app.ts';
import { checkText } from './connectors.ts';

const examples = { 'notify test desk': 'does a message reach the front desk?' };

const test = command({
  name: 'test [name]',
  describe:
    'Send the longest and a plain message to a target, or to all, ping the heartbeat, and say what came back',
  args: { name: optionalWord },
  examples,
  needsSecrets: true,
  async run(io, { name, ...given }) {
    const config = await requireConfig(io, given);
    const { http, clinics } = config;
    const { targets, heartbeat } = config.notify;
    const names = [...targets.map((target) => target.name), ...(heartbeat ? [HEARTBEAT] : [])];
    if (names.length === 0 || (name !== undefined && !names.includes(name)))
      throw new Exit(
        exit.usage,
        names.length === 0
          ? 'Nobody is notified yet: write targets under `notify:` in the configuration (docs/notifications.md).'
          : `There is no target ${name}; configured: ${names.join(', ')}.`,
      );
    const at = instant(systemClock.now());
    const url = http.publicUrl?.href ?? null;
    const tools = {
      ...{ clinics, clock: systemClock, log: silentLog, signal: io.signal },
      patientOf: async () => undefined,
      linksOf: async () =>
        url === null ? [] : (['approve', 'booked', 'drop'] as const).map((action) => ({ action, url })),
    };
    const tries = [
      ...targets.map((target) => ({
        target: target.name,
        attempt: () => triedAt(target, { at, url, tools }),
      })),
      ...(heartbeat === undefined
        ? []
        : [{ target: HEARTBEAT, attempt: async () => [await pinged(heartbeat, io.signal)] }]),
    ];
    const results: { target: string; lines: CheckLine[] }[] = [];
    for (const { target, attempt } of tries.filter((one) => name === undefined || one.target === name)) {
      const lines = await attempt().catch((error: unknown) => [fail(asFailure(error, 'Sending'))]);
      results.push({ target, lines });
    }
    await note(config, results, at).catch((error: unknown) =>
      io.err(`The try could not be stored: ${asFailure(error, 'Storing it').message}\n`),
    );
    if (given.json) printJson(io, results);
    else for (const { target, lines } of results) print(io, `${target}\n${checkText(lines, painter(io))}`);
    if (results.some(({ lines }) => lines.some(({ level }) => level !== 'ok')))
      throw new Exit(exit.needsPerson);
  },
});

/** So that the page and `doctor` show when each target was last tried. */
async function note(
  config: Config,
  results: readonly { target: string; lines: readonly CheckLine[] }[],
  at: Instant,
): Promise<void> {
  const { sqlite, postgres } = config.store;
  // It may be tried before the first start.
  if (postgres === undefined && !existsSync(sqlite)) return;
  const store = await openStore(config);
  try {
    for (const { target, lines } of results)
      await noteTest(target, { at, arrived: lines.some(({ level }) => level === 'ok') }, store);
  } finally {
    await store.close();
  }
}

async function pinged(...heartbeat: Parameters<typeof ping>): Promise<CheckLine> {
  await ping(...heartbeat);
  return ok('It accepted the ping. Its monitor now counts this as a sign of life.');
}

type Tools = Omit<Parameters<typeof sendNotification>[2], 'standing'>;

/** The longest message and the plain one, which says whether the target works at all. */
async function triedAt(
  target: NotifyTarget,
  { at, url, tools }: { at: Instant; url: string | null; tools: Tools },
): Promise<CheckLine[]> {
  const id = `${deliveriesTo(target.name)}-test-${at.replace(/\D/g, '')}`;
  let isLasting = false;
  const tried = async (message: Message, n: 1 | 2): Promise<CheckLine[]> => {
    const notes: Failure[] = [];
    const standing = {
      ...{ refused: async () => {}, worked: async () => {} },
      note: async (_subject: string, note: Failure | undefined) => void (note && notes.push(note)),
    };
    try {
      const sent = await sendNotification(
        target,
        { id: `${id}-${n}`, body: JSON.stringify(message) },
        { ...tools, standing },
      );
      return taken(target, { ...sent, notes }, n);
    } catch (error) {
      const failure = asFailure(error, 'Sending');
      isLasting = failure.lasting;
      return [fail(failure)];
    }
  };
  const longest = await tried(hardestMessage(at, url), 1);
  // A second sign-in may lock the account.
  return isLasting ? longest : together(longest, await tried(testMessage(at, url), 2));
}

const what = ['', 'the longest message, with everything that messages have', 'a plain message'] as const;

function taken(
  { settings }: NotifyTarget,
  { notes, plain, isOpen }: SentNotification & { notes: readonly Failure[] },
  n: 1 | 2,
): CheckLine[] {
  return [
    ...notes.map(({ message, hint }) => warn(message, hint)),
    ...(isOpen ? [unencrypted(settings.mail.host)] : []),
    ...(plain === undefined ? [ok(`It accepted ${what[n]}; check that it arrived.`)] : []),
  ];
}

/** What both messages met is said once, a failure of one of them by its name. */
function together(longest: readonly CheckLine[], plain: readonly CheckLine[]): CheckLine[] {
  const isSame = (one: CheckLine) => (other: CheckLine) => one.what === other.what;
  const named = (lines: readonly CheckLine[], others: readonly CheckLine[], n: 1 | 2) =>
    lines.map((line) =>
      line.level === 'fail' && !others.some(isSame(line))
        ? { ...line, what: `It did not get ${what[n]}: ${line.what}` }
        : line,
    );
  const rest = plain.filter((line) => !longest.some(isSame(line)));
  return [...named(longest, plain, 1), ...named(rest, longest, 2)];
}

export const notify = group({
  name: 'notify',
  describe: 'Notifications that a person is needed',
  commands: [test],
  examples,
});
