import type { Config } from '../../config/config.ts';
import { type Delivery, deliveryStates, notified } from '../../domain/delivery.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import type { Store } from '../../store/store.ts';
import { clinicArgument, command, group, optionalWord, word } from '../command.ts';
import { knownConnector, oneClinic } from '../configuration.ts';
import { answer, Exit, exit } from '../io.ts';
import { answerList, inPages, limitArgument } from '../list.ts';
import { sinceArgument, untilBefore } from '../since.ts';
import { withParts, withStore } from '../with-app.ts';

const list = command({
  name: 'list',
  describe: 'Newest first',
  args: {
    connector: { type: 'string', describe: 'One connector only' },
    state: { choices: deliveryStates, describe: 'One state only' },
    since: sinceArgument,
    limit: limitArgument('At most this many', 50),
  },
  examples: { 'deliveries list --connector crm --state dead': 'what was given up' },
  open: withStore,
  async run(io, { connector, state, since, limit, ...given }, { store }) {
    const filter = { ...(connector && { connector }), ...(state && { state }) };
    const page = (count: number, last?: { n: number }) =>
      store.deliveries.list({ ...filter, limit: count, ...(last && { before: last.n }) });
    await answerList(io, given, {
      rows: untilBefore(inPages(page, { limit }), since, ({ created_at }) => created_at),
      // Bodies may hold patient data meant only for the receiver.
      data: ({ n: _n, ...one }) => dataOf(one),
      none: 'No deliveries.',
      columns: {
        ID: 'id',
        CONNECTOR: 'connector',
        SEQ: 'sequence',
        EVENT: 'type',
        ABOUT: aboutOf,
        STATE: 'state',
        TRIES: 'attempts',
        'NEXT/DONE': (one) => (one.state === 'pending' ? one.next_attempt_at : one.delivered_at),
        'LAST ERROR': 'last_error',
      },
    });
  },
});

function dataOf({ body, ...rest }: Delivery) {
  const about = notified({ ...rest, body })?.items.map(({ kind, subject, url }) => ({ kind, subject, url }));
  return { ...rest, ...(about && { about }), bytes: Buffer.byteLength(body) };
}

/** `treatment:7`; of a message to people the first thing that it is about. */
function aboutOf(one: Delivery): string {
  const { items: [first] = [], count = 0 } = notified(one) ?? {};
  if (first === undefined) return one.thing;
  return count === 1 ? first.subject : `${first.subject} + ${count - 1}`;
}

const decisions = { retry: 'Sending again', skip: 'Skipped' } as const;

const decision = (decide: keyof typeof decisions, describe: string, examples: Record<string, string>) =>
  command({
    name: `${decide} <name> [id]`,
    describe,
    args: { name: word, id: optionalWord },
    examples,
    audit: { action: `connector.deliveries.${decide}`, subject: 'name' },
    open: withStore,
    async run(io, { name, id, ...given }, { config, store }) {
      const removed = decide === 'skip' && (await isLeftBehind(config, store, name));
      const connector = removed ? name : knownConnector(config, name);
      const verb = removed ? 'abandon' : decide;
      const count = await store.deliveries.decide(connector, verb, instant(systemClock.now()), id);
      const done = `${decisions[decide]}: ${count}.`;
      const data = { connector, decision: decide, count };
      answer(io, given, data, count === 0 ? 'There was no dead delivery to decide about.' : done);
    },
  });

/** A connector removed from the configuration while deliveries were waiting: even pending ones will never be sent. */
async function isLeftBehind(
  { connectors }: Config,
  store: Pick<Store, 'deliveries'>,
  name: string,
): Promise<boolean> {
  const left = await store.deliveries.leftBehind(connectors.map((connector) => connector.name));
  return left.some(({ connector }) => connector === name);
}

const replay = command({
  name: 'replay <name>',
  describe: 'Deliver changes again, from a sequence on, with new ids',
  args: {
    name: word,
    from: {
      type: 'number',
      demandOption: true,
      describe: 'The first sequence to deliver again',
      coerce: wholeNumber,
    },
    clinic: clinicArgument,
  },
  examples: { 'deliveries replay crm --from 120': 'the receiver lost what came after' },
  audit: { action: 'connector.deliveries.replay', subject: 'name' },
  open: withParts,
  async run(io, { name, from, ...given }, { config, deliveries }) {
    const connector = knownConnector(config, name);
    const clinic = oneClinic(config, given.clinic);
    await deliveries.replay(connector, clinic, from);
    const sentence = `${name} receives the changes of ${clinic} from sequence ${from} on again, with new ids.`;
    answer(io, given, { connector, clinic, from }, sentence);
  },
});

function wholeNumber(sequence: number): number {
  if (Number.isSafeInteger(sequence) && sequence > 0) return sequence;
  throw new Exit(exit.usage, '--from is a sequence: a whole number from 1.');
}

const retried = { 'deliveries retry crm': 'after the receiver was fixed' };

export const deliveries = group({
  name: 'deliveries',
  describe: 'Events on their way to a connector',
  commands: [
    list,
    decision('retry', 'Send dead deliveries of a connector again (all, or one)', retried),
    decision(
      'skip',
      'Give up dead deliveries of a connector (all, or one); of one no longer configured, pending ones too',
      {
        'deliveries skip crm evt_Zk2vQ0m5b1rXh8tYwA3nJ7eLcPs': 'the receiver will never take this one',
      },
    ),
    replay,
  ],
  examples: retried,
});
