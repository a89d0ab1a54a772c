import type { CommandModule } from 'yargs';
import { type DeliveryState, deliveryStates } from '../../domain/delivery.ts';
import { instant, systemClock } from '../../platform/clock.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, print, printJson, table } from '../io.ts';
import { withParts } from '../with-parts.ts';
import { knownConnector, oneClinic, withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  connector?: string;
  state?: DeliveryState;
  limit: number;
  clinic?: string;
  name: string;
  id?: string;
  from: number;
}

/** `clinic-sync deliveries list | retry | skip | replay` */
export const deliveriesCommand = (io: Io): CommandModule => ({
  command: 'deliveries',
  describe: 'Events on their way to a connector',
  builder: (yargs) =>
    yargs
      .command(
        'list',
        'Newest first',
        (sub) =>
          sub
            .option('connector', { type: 'string', describe: 'One connector only' })
            .option('state', { choices: deliveryStates, describe: 'One state only' })
            .option('limit', { type: 'number', default: 50, describe: 'At most so many' })
            .example('$0 deliveries list --connector crm --state dead', 'what was given up'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'retry <name> [id]',
        'Send dead deliveries of a connector again (all, or one)',
        (sub) => sub.example('$0 deliveries retry crm', 'after the receiver was mended'),
        (argv) => decide(io, argv as unknown as Arguments, 'retry'),
      )
      .command(
        'skip <name> [id]',
        'Give up dead deliveries of a connector (all, or one)',
        (sub) =>
          sub.example(
            '$0 deliveries skip crm evt_Zk2vQ0m5b1rXh8tYwA3nJ7eLcPs',
            'the receiver will never take this one',
          ),
        (argv) => decide(io, argv as unknown as Arguments, 'skip'),
      )
      .command(
        'replay <name>',
        'Deliver changes again, from a sequence on, with new ids',
        (sub) =>
          sub
            .option('from', {
              type: 'number',
              demandOption: true,
              describe: 'The first sequence to deliver again',
            })
            .option('clinic', { type: 'string', describe: 'The clinic, when several are configured' })
            .example('$0 deliveries replay crm --from 120', 'the receiver lost what came after'),
        (argv) => replay(io, argv as unknown as Arguments),
      )
      .example('$0 deliveries retry crm', 'after the receiver was mended')
      .demandCommand(1, 'Say which: list, retry, skip or replay.'),
  handler: () => {},
});

async function list(io: Io, { connector, state, limit, ...given }: Arguments): Promise<void> {
  await withStore(io, given, async ({ store }) => {
    const found = await store.deliveries.list({
      ...(connector && { connector }),
      ...(state && { state }),
      limit,
    });
    // Bodies may carry patients; they are for the receiver.
    const shown = found.map(({ body, ...rest }) => ({ ...rest, bytes: Buffer.byteLength(body) }));
    if (given.json) return printJson(io, shown);
    if (shown.length === 0) return print(io, 'No deliveries.');
    const rows = shown.map((one) => [
      one.id,
      one.connector,
      String(one.sequence),
      one.type,
      one.state,
      String(one.attempts),
      one.state === 'pending' ? one.next_attempt_at : (one.delivered_at ?? ''),
      one.last_error ?? '',
    ]);
    print(
      io,
      table([['ID', 'CONNECTOR', 'SEQ', 'EVENT', 'STATE', 'TRIES', 'NEXT/DONE', 'LAST ERROR'], ...rows]),
    );
  });
}

async function decide(io: Io, given: Arguments, decision: 'retry' | 'skip'): Promise<void> {
  await withStore(io, given, async ({ config, store }) => {
    knownConnector(config.connectors, given.name);
    const count = await store.deliveries.decide(given.name, decision, instant(systemClock.now()), given.id);
    if (given.json) return printJson(io, { connector: given.name, decision, count });
    print(
      io,
      count === 0
        ? 'There was no dead delivery to decide about.'
        : `${decision === 'retry' ? 'Sending again' : 'Skipped'}: ${count}.`,
    );
  });
}

async function replay(io: Io, given: Arguments): Promise<void> {
  if (!Number.isSafeInteger(given.from) || given.from < 1)
    throw new Exit(exit.usage, '--from is a sequence: a whole number from 1.');
  await withParts(io, given, async ({ config, deliveries }) => {
    knownConnector(config.connectors, given.name);
    const clinic = oneClinic(config, given.clinic);
    await deliveries.replay(given.name, clinic, given.from);
    if (given.json) return printJson(io, { connector: given.name, clinic, from: given.from });
    print(
      io,
      `${given.name} receives the changes of ${clinic} from sequence ${given.from} on again, with new ids.`,
    );
  });
}
