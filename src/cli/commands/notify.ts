import type { Config } from '../../config/config.ts';
import { deliveriesTo, HEARTBEAT, type NotifyTarget } from '../../config/notify.ts';
import { type CheckLine, fail, ok, warn } from '../../connector.ts';
import { ping } from '../../notify/heartbeat.ts';
import { hardestMessage, type Message, testMessage } from '../../notify/message.ts';
import { noteTest } from '../../notify/outbox.ts';
import { type Sent, send } from '../../notify/targets/send.ts';
import { unencrypted } from '../../notify/targets/target.ts';
import { type Instant, instant, systemClock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { command, group, optionalWord } from '../command.ts';
import { Exit, exit, painter, print, printJson } from '../io.ts';
import { openStore, requireConfig } from '../with-app.ts';
import { checkText } from './connectors.ts';

const examples = { 'notify test desk': 'does a message reach the front desk?' };

const test = command({
  name: 'test [name]',
  describe:
    'Send the longest and a plain message to a target, or to all, ping the heartbeat, and say what came back',
  args: { name: optionalWord },
  examples,
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
      ...targets.map((target) => {
        const id = `${deliveriesTo(target.name)}-test-${at.replace(/\D/g, '')}`;
        // The plain one is sent in any case: it says whether the target works at all.
        const tried = (message: Message, n: number): Promise<CheckLine[]> =>
          send(target, { id: `${id}-${n}`, body: JSON.stringify(message) }, tools).then(
            (sent) => taken(target, sent, n),
            (error: unknown) => [fail(asFailure(error, 'Sending'))],
          );
        return {
          target: target.name,
          attempt: async () =>
            together(await tried(hardestMessage(at, url), 1), await tried(testMessage(at, url), 2)),
        };
      }),
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

const what = ['', 'the longest message, with everything that messages have', 'a plain message'] as const;

function taken({ settings }: NotifyTarget, { refused, plain, isOpen }: Sent, n: number): CheckLine[] {
  const lacks = [...refused.map(({ failure }) => failure), ...(plain === undefined ? [] : [plain])];
  return [
    ...lacks.map(({ message, hint }) => warn(message, hint)),
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
