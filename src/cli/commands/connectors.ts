import { findKind, kindNames } from '../../../connectors/registry.ts';
import { checkConnector } from '../../app/check-connector.ts';
import { isDatabaseNew } from '../../app/choose-database.ts';
import type { Config } from '../../config/config.ts';
import type { CheckedLine, CheckLine } from '../../connector.ts';
import { fewAtOnce } from '../../platform/few-at-once.ts';
import type { ConnectorState } from '../../store/ports/deliveries.ts';
import { auditing } from '../audited.ts';
import { type CommonArguments, command, group, portArgument, word } from '../command.ts';
import { knownConnector, requireConfig } from '../configuration.ts';
import { answer, Exit, exit, failureText, type Io, type Paint, painter, print, printJson } from '../io.ts';
import { answerList, textTable } from '../list.ts';
import { operationCommands } from '../operation-commands.ts';
import { openStore, withParts } from '../with-app.ts';

const list = command({
  name: 'list',
  describe: 'The configured connectors and their state',
  examples: { 'connectors list': 'who is behind, and why' },
  open: withParts,
  async run(io, given, { connectors, store }) {
    const rows = await Promise.all(
      connectors.map(async ({ settings: { name, use, clinics }, quarantined = null }) => ({
        ...{ name, use, clinics, quarantined },
        ...(await store.deliveries.connector(name)),
        ...(await store.deliveries.counts(name)),
      })),
    );
    await answerList(io, given, {
      rows,
      none: 'No connectors are configured.',
      columns: {
        NAME: 'name',
        KIND: 'use',
        STATE: stateOf,
        WAITING: 'pending',
        DEAD: 'dead',
        'LAST SUCCESS': (one) => one.last_success_at ?? '–',
        PROBLEM: (one) =>
          one.quarantined ??
          one.paused_reason ??
          one.last_error ??
          one.asks.map(({ sentence }) => sentence).join(' '),
      },
    });
  },
});

function stateOf(
  one: Pick<ConnectorState, 'paused' | 'failures' | 'asks'> & { quarantined: string | null },
): string {
  if (one.quarantined !== null) return 'quarantined';
  if (one.paused) return 'paused';
  return one.failures > 0 || one.asks.some(({ weight }) => weight === 'trouble') ? 'failing' : 'ok';
}

const kinds = command({
  name: 'kinds',
  describe: 'What can be written after `use:`',
  examples: { 'connectors kinds': 'what comes with clinic-sync' },
  async run(io, given) {
    const found = (await Promise.all(kindNames.map((name) => findKind(name)))).flatMap((kind) =>
      kind ? [{ name: kind.name, summary: kind.summary }] : [],
    );
    answer(io, given, found, textTable(found.map(({ name, summary }) => [name, summary])));
  },
});

const CHECKED_AT_ONCE = 8;
const checked = { 'connectors check accounts': 'is the spreadsheet shared with us?' };

const check = command({
  name: 'check [names..]',
  describe: 'Check that each could work now; changes nothing',
  args: { names: { coerce: (names: unknown[]) => names.map(String) } },
  examples: checked,
  needsSecrets: true,
  open: withParts,
  async run(io, { names = [], ...given }, { config, connectors, store }) {
    for (const name of names) knownConnector(config, name);
    const wanted = connectors.filter(({ settings: { name } }) => names.length === 0 || names.includes(name));
    const found = await fewAtOnce(wanted, CHECKED_AT_ONCE, async (one) => ({
      connector: one.settings.name,
      lines: await checkConnector(one, { store, signal: io.signal }),
    }));
    if (given.json) printJson(io, found);
    else
      for (const { connector, lines } of found) print(io, `${connector}\n${checkText(lines, painter(io))}`);
    if (found.some(({ lines }) => hasFailed(lines))) throw new Exit(exit.needsPerson);
  },
});

export const hasFailed = (lines: readonly CheckLine[]): boolean =>
  lines.some(({ level }) => level === 'fail');

/**
 * One line per check: ok, warn or FAIL, and the remedy. What the last run left undone follows, under its own heading.
 */
export function checkText(lines: readonly CheckedLine[], paint: Paint): string {
  const green = paint('green', 'ok  ');
  const now = { ok: green, warn: paint('yellow', 'warn'), fail: paint('red', 'FAIL') };
  const then = { ok: green, warn: paint('yellow', 'left'), fail: paint('red', 'LEFT') };
  const left = lines.findIndex(({ ran }) => ran !== undefined);
  return lines
    .flatMap(({ level, what, hint, ran }, at) => [
      ...(at === left
        ? [
            `  The last run${ran ? ` (${ran})` : ''} left this undone; the next one shows whether it still is:`,
          ]
        : []),
      `  ${(ran === undefined ? now : then)[level]}  ${what}${hint ? `\n        → ${hint}` : ''}`,
    ])
    .join('\n');
}

const repair = command({
  name: 'repair <name>',
  describe: 'Restore what people removed there, such as a column',
  args: { name: word },
  examples: { 'connectors repair accounts': 'puts back a deleted column' },
  needsSecrets: true,
  audit: { action: 'connector.repair', subject: 'name' },
  open: withParts,
  async run(io, { name, ...given }, { config, connectors }) {
    knownConnector(config, name);
    const { connector } = connectors.find(({ settings }) => settings.name === name) ?? {};
    if (connector?.repair === undefined)
      throw new Exit(exit.usage, `The connector ${name} has nothing that could be repaired.`);
    const { written, problems } = await connector.repair(io.signal);
    const what = Object.entries(written).map(([part, count]) => `${part} ${count}`);
    answer(
      io,
      given,
      { connector: name, written, problems },
      what.length > 0 ? `Brought back: ${what.join(', ')}.` : 'Nothing was missing.',
      ...problems.map((problem) => `  ${problem}`),
    );
  },
});

/** Needs only the configuration. Audited when a database exists. */
async function auditedWhereThereIsOne(
  io: Io,
  given: CommonArguments,
  use: (config: Config) => Promise<void>,
): Promise<void> {
  const config = await requireConfig(io, given);
  const store = await openStore(config).catch((error: unknown) => {
    if (!isDatabaseNew(config.store)) io.err(`Not in the audit: ${failureText(error)}\n`);
  });
  try {
    await (store ? auditing(io, store, () => use(config)) : use(config));
  } finally {
    await store?.close();
  }
}

const login = command({
  name: 'login <name>',
  describe: 'Sign in as a person, with a browser, where a connector needs it',
  args: {
    name: word,
    port: {
      ...portArgument(
        'Port of this machine the browser comes back to; give it when you forward it by ssh -L',
      ),
      default: 0,
    },
  },
  examples: { 'connectors login accounts': 'lets the spreadsheet be kept in your name' },
  audit: { action: 'connector.login', subject: 'name' },
  open: auditedWhereThereIsOne,
  async run(io, { name, port, ...given }, config) {
    knownConnector(config, name);
    const { use, settings, isolate } = config.connectors.find((one) => one.name === name) ?? {};
    const kind = use === undefined || isolate ? undefined : await findKind(use);
    // Settings stay incomplete until sign-in has written its file.
    const complete = kind?.settings.safeParse(settings);
    if (kind?.login === undefined || complete === undefined)
      throw new Exit(exit.usage, `The connector ${name} does not use a sign-in; google-sheets does.`);
    if (!complete.success)
      throw new Exit(exit.config, `The settings of ${name} are not complete: clinic-sync config check`);
    const show = (address: string) =>
      print(
        io,
        `Open this address in a browser:\n\n${address}\n\nWhere the browser runs on another ` +
          'machine it ends at a page that does not open: paste its address here.\n',
      );
    await kind.login(complete.data, { port, show, typed: io.typed() }, io.signal);
    answer(
      io,
      given,
      { connector: name, signedIn: true },
      `Signed in. See: clinic-sync connectors check ${name}`,
    );
  },
});

export const connectors = group({
  name: 'connectors',
  describe: 'What clinic-sync synchronizes, and where bookings come from',
  commands: [list, kinds, check, login, repair, ...operationCommands('connectors')],
  examples: checked,
});
