import { shownDelivery } from '../../app/page-data/shown-delivery.ts';
import { type Delivery, deliveryStates, notified } from '../../domain/delivery.ts';
import { command, group, word } from '../command.ts';
import { answer, Exit, exit } from '../io.ts';
import { answerList, inPages, limitArgument, textTable } from '../list.ts';
import { operationCommands } from '../operation-commands.ts';
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

const show = command({
  name: 'show <id>',
  describe: 'What is or was sent, with its headers, and what became of it',
  args: { id: word },
  examples: { 'deliveries show evt_Zk2vQ0m5b1rXh8tYwA3nJ7eLcPs': 'why does the receiver refuse it?' },
  audit: { action: 'patients.read', subject: 'id' },
  open: withParts,
  async run(io, { id, ...given }, parts) {
    const which = /^\d+$/.test(id) ? { n: Number(id) } : { id };
    const shown = await shownDelivery(parts, which);
    if (shown === undefined)
      throw new Exit(exit.needsPerson, `There is no delivery ${id}; see: clinic-sync deliveries list`);
    const { delivery, request, replay_to } = shown;
    const { n: _n, body, connector, clinic, sequence, ...facts } = delivery;
    const told = Object.entries({ connector, clinic, sequence, ...facts }).filter(
      ([, value]) => value !== null,
    );
    answer(
      io,
      given,
      { ...delivery, request },
      textTable(told.map(([name, value]) => [name, String(value)])),
      ...(request === null
        ? []
        : [
            '',
            `POST … ${request.to}`,
            ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
          ]),
      '',
      body,
      ...(replay_to === null
        ? []
        : [
            '',
            `  → From here on again: clinic-sync deliveries replay ${connector} --from ${sequence} --clinic ${clinic}`,
          ]),
    );
  },
});

export const deliveries = group({
  name: 'deliveries',
  describe: 'Events on their way to a connector',
  commands: [list, show, ...operationCommands('deliveries')],
  examples: { 'deliveries retry crm': 'after the receiver was fixed' },
});
