import type { CommandModule } from 'yargs';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import type { CheckLine } from '../../connector.ts';
import { actorName } from '../actor.ts';
import type { ConfigArguments } from '../configuration.ts';
import { Exit, exit, type Io, type Paint, painter, print, printJson, table } from '../io.ts';
import { withParts } from '../with-parts.ts';
import { knownConnector } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  name: string;
  names?: string[];
}

/** `clinic-sync connectors list | kinds | check | repair | pause | resume` */
export const connectorsCommand = (io: Io): CommandModule => ({
  command: 'connectors',
  describe: 'What clinic-sync keeps in step, and where bookings come from',
  builder: (yargs) =>
    yargs
      .command(
        'list',
        'The configured connectors and their state',
        (sub) => sub.example('$0 connectors list', 'who is behind, and why'),
        (argv) => list(io, argv as unknown as Arguments),
      )
      .command(
        'kinds',
        'What can be written after `use:`',
        (sub) => sub.example('$0 connectors kinds', 'what comes with clinic-sync'),
        (argv) => kinds(io, argv as unknown as Arguments),
      )
      .command(
        'check [names..]',
        'Prove that each could do its work now; changes nothing',
        (sub) => sub.example('$0 connectors check accounts', 'is the spreadsheet shared with us?'),
        (argv) => check(io, argv as unknown as Arguments),
      )
      .command(
        'repair <name>',
        'Bring back what was taken away there, such as a missing column',
        (sub) => sub.example('$0 connectors repair accounts', 'puts back a deleted column'),
        (argv) => repair(io, argv as unknown as Arguments),
      )
      .command(
        'pause <name>',
        'Hold a connector back; what is for it waits',
        (sub) => sub.example('$0 connectors pause crm', 'while the receiver is being moved'),
        (argv) => pause(io, argv as unknown as Arguments, true),
      )
      .command(
        'resume <name>',
        'Let it go on',
        (sub) => sub.example('$0 connectors resume crm', 'it has been moved'),
        (argv) => pause(io, argv as unknown as Arguments, false),
      )
      .example('$0 connectors check accounts', 'is the spreadsheet shared with us?')
      .demandCommand(1, 'Say which: list, kinds, check, repair, pause or resume.'),
  handler: () => {},
});

async function list(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async ({ connectors, store }) => {
    const found = await Promise.all(
      connectors.map(async ({ settings: { name, use, clinics }, quarantined }) => {
        const [state, counts] = await Promise.all([
          store.deliveries.connector(name),
          store.deliveries.counts(name),
        ]);
        return { name, use, clinics, quarantined: quarantined ?? null, ...state, ...counts };
      }),
    );
    if (given.json) return printJson(io, found);
    if (found.length === 0) return print(io, 'No connectors are configured.');
    const rows = found.map((one) => [
      one.name,
      one.use,
      one.quarantined ? 'quarantined' : one.paused ? 'paused' : one.failures > 0 ? 'failing' : 'ok',
      String(one.pending),
      String(one.dead),
      one.last_success_at ?? 'never',
      one.quarantined ?? one.paused_reason ?? one.last_error ?? '',
    ]);
    print(io, table([['NAME', 'KIND', 'STATE', 'WAITING', 'DEAD', 'LAST SUCCESS', 'PROBLEM'], ...rows]));
  });
}

async function kinds(io: Io, given: Arguments): Promise<void> {
  const found = (await Promise.all(kindNames.map((name) => findKind(name)))).flatMap((kind) =>
    kind ? [{ name: kind.name, summary: kind.summary }] : [],
  );
  if (given.json) return printJson(io, found);
  print(io, table(found.map(({ name, summary }) => [name, summary])));
}

async function check(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async ({ connectors }) => {
    const settings = connectors.map((one) => one.settings);
    const wanted = given.names?.length
      ? given.names.map((name) => knownConnector(settings, name).name)
      : settings.map(({ name }) => name);
    const checked: { connector: string; lines: CheckLine[] }[] = [];
    for (const { settings: own, connector, quarantined } of connectors) {
      if (!wanted.includes(own.name)) continue;
      const lines: CheckLine[] = connector
        ? await connector.check(io.signal)
        : [{ level: 'fail', what: quarantined ?? 'is quarantined' }];
      checked.push({ connector: own.name, lines });
    }
    if (given.json) printJson(io, checked);
    else
      for (const { connector, lines } of checked) print(io, `${connector}\n${checkText(lines, painter(io))}`);
    if (checked.some(({ lines }) => lines.some(({ level }) => level === 'fail')))
      throw new Exit(exit.needsPerson);
  });
}

/** One line per check: ok, warn or FAIL, and what to do. */
export function checkText(lines: readonly CheckLine[], paint: Paint): string {
  const marks = { ok: paint('green', 'ok  '), warn: paint('yellow', 'warn'), fail: paint('red', 'FAIL') };
  return lines
    .map(({ level, what, hint }) => `  ${marks[level]}  ${what}${hint ? `\n        → ${hint}` : ''}`)
    .join('\n');
}

async function repair(io: Io, given: Arguments): Promise<void> {
  await withParts(io, given, async ({ connectors }) => {
    const settings = connectors.map((one) => one.settings);
    const { name } = knownConnector(settings, given.name);
    const { connector } = connectors.find((one) => one.settings.name === name) ?? {};
    if (connector?.repair === undefined)
      throw new Exit(exit.usage, `The connector ${name} has nothing that could be repaired.`);
    const { written, problems } = await connector.repair(io.signal);
    if (given.json) return printJson(io, { connector: name, written, problems });
    const what = Object.entries(written).map(([part, count]) => `${part} ${count}`);
    print(io, what.length > 0 ? `Brought back: ${what.join(', ')}.` : 'Nothing was missing.');
    for (const problem of problems) print(io, `  ${problem}`);
  });
}

async function pause(io: Io, given: Arguments, paused: boolean): Promise<void> {
  await withParts(io, given, async ({ connectors, deliveries }) => {
    const { name } = knownConnector(
      connectors.map((one) => one.settings),
      given.name,
    );
    if (paused) await deliveries.pause(name, actorName());
    else await deliveries.resume(name, actorName());
    if (given.json) return printJson(io, { connector: name, paused });
    print(io, paused ? `${name} is paused; what is for it waits.` : `${name} goes on.`);
  });
}
