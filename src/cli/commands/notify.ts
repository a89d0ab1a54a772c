import { deliveriesTo } from '../../config/notify.ts';
import { type CheckLine, fail, ok, warn } from '../../connector.ts';
import { ping } from '../../notify/heartbeat.ts';
import { testMessage } from '../../notify/message.ts';
import { send } from '../../notify/targets/send.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { command, group, optionalWord } from '../command.ts';
import { Exit, exit, painter, print, printJson } from '../io.ts';
import { requireConfig } from '../with-app.ts';
import { checkText } from './connectors.ts';

const examples = { 'notify test desk': 'does a message reach the front desk?' };

const test = command({
  name: 'test [name]',
  describe: 'Send one marked message to a target, or to all, ping the heartbeat, and say what came back',
  args: { name: optionalWord },
  examples,
  async run(io, { name, ...given }) {
    const { notify, http, clinics } = await requireConfig(io, given);
    const { targets, heartbeat } = notify;
    const names = [...targets.map((target) => target.name), ...(heartbeat ? [HEARTBEAT] : [])];
    if (names.length === 0 || (name !== undefined && !names.includes(name)))
      throw new Exit(
        exit.usage,
        names.length === 0
          ? 'Nobody is notified yet: write targets under `notify:` in the configuration (docs/notifications.md).'
          : `There is no target ${name}; configured: ${names.join(', ')}.`,
      );
    const at = instant(systemClock.now());
    const body = JSON.stringify(testMessage(at, http.publicUrl?.href ?? null));
    const tools = {
      ...{ clinics, clock: systemClock, log: silentLog, signal: io.signal },
      ...{ patientOf: async () => undefined, linksOf: async () => [] },
    };
    const tries = [
      ...targets.map((target) => {
        const id = `${deliveriesTo(target.name)}-test-${at.replace(/\D/g, '')}`;
        return { target: target.name, attempt: async () => taken(await send(target, { id, body }, tools)) };
      }),
      ...(heartbeat === undefined
        ? []
        : [{ target: HEARTBEAT, attempt: () => pinged(heartbeat, io.signal) }]),
    ];
    const results: { target: string; lines: CheckLine[] }[] = [];
    for (const { target, attempt } of tries.filter((one) => name === undefined || one.target === name)) {
      const line = await attempt().catch((error: unknown) => fail(asFailure(error, 'Sending')));
      results.push({ target, lines: [line] });
    }
    if (given.json) printJson(io, results);
    else for (const { target, lines } of results) print(io, `${target}\n${checkText(lines, painter(io))}`);
    if (results.some(({ lines }) => lines.some(({ level }) => level !== 'ok')))
      throw new Exit(exit.needsPerson);
  },
});

const HEARTBEAT = 'heartbeat';

async function pinged(...heartbeat: Parameters<typeof ping>): Promise<CheckLine> {
  await ping(...heartbeat);
  return ok('It accepted the ping. Its monitor now counts this as a sign of life.');
}

const taken = ({ refused: [first] }: { refused: readonly { failure: Failure }[] }): CheckLine =>
  first === undefined
    ? ok('It accepted the message; check that it arrived.')
    : warn(first.failure.message, first.failure.hint);

export const notify = group({
  name: 'notify',
  describe: 'Notifications that a person is needed',
  commands: [test],
  examples,
});
