import { type Demo, startDemo } from '../../demo/demo.ts';
import { changeSentenceOf } from '../../demo/narrator.ts';
import { roundTrip } from '../../demo/round-trip.ts';
import { type Instant, instant, systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { command, flagArgument, portArgument } from '../command.ts';
import { counted, Exit, exit, type Io, painter, print } from '../io.ts';
import { packageVersion } from '../package.ts';

const DEFAULT_PORT = 8080;
const LOOK_EVERY_MS = 500;
/** Visits days ahead are normally read every few hours; the demo should show something sooner. */
const READ_ALL_EVERY_MS = 8000;

export const demo = command({
  name: 'demo',
  describe: 'Run everything with a built-in clinic: no credentials, nothing outside its folder',
  hasNoJson: true,
  args: {
    once: flagArgument('One whole round trip, then exit'),
    port: portArgument(`Port of the status page; default ${DEFAULT_PORT}, or a free one`),
    dir: { type: 'string', default: './demo-data', describe: 'Folder for everything it writes' },
  },
  examples: { 'demo --once': 'proves the main job in under a minute' },
  async run(io, given) {
    const startedAt = instant(systemClock.now());
    const started = await startOnFreePort(io, given);
    try {
      if (given.once) return await proveOnce(io, started);
      printPlaces(io, started);
      await narrate(io, started, startedAt);
    } finally {
      await started.stop();
    }
  },
});

function printPlaces(io: Io, { url, secrets, sheetUrl, folder, configFile }: Demo): void {
  const running = painter(io)('bold', 'clinic-sync is running against its own clinic.');
  const lines = [
    `${running} Ctrl-C stops it.\n`,
    `  status page   ${url}   (sign in with ${secrets.admin_token})`,
    `  web form      ${url}/in/website/form   book something: it really books`,
    `  spreadsheet   ${sheetUrl}   type a booking into Bookings and tick Send`,
    `  CSV files     ${folder}/csv/main`,
    `  database      ${folder}/clinic-sync.db`,
    `  configuration ${configFile}\n`,
  ];
  print(io, lines.join('\n'));
}

async function proveOnce(io: Io, started: Demo): Promise<void> {
  const paint = painter(io);
  try {
    await roundTrip({
      demo: started,
      clock: systemClock,
      say: (line) => print(io, `${paint('green', '✓')} ${line}`),
      signal: io.signal,
    });
  } catch (error) {
    print(io, `${paint('red', '✗')} ${error instanceof Error ? error.message : String(error)}`);
    throw new Exit(exit.needsPerson);
  }
  print(io, 'The whole round trip works.');
}

/** The given port; otherwise the default port, or a free one when that is in use. */
async function startOnFreePort(
  io: Io,
  { port, dir, once }: { port: number | undefined; dir: string; once: boolean },
): Promise<Demo> {
  const start = (on: number) =>
    startDemo({
      folder: dir,
      port: on,
      clock: systemClock,
      log: silentLog,
      version: packageVersion(),
      life: !once,
    });
  if (port !== undefined) return start(port);
  return start(DEFAULT_PORT).catch((error: unknown) => {
    const taken =
      error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    if (!taken) throw error;
    io.err(`Port ${DEFAULT_PORT} is taken; using another.\n`);
    return start(0);
  });
}

/** Prints each change on a line until stopped. */
async function narrate(io: Io, { daemon, receiver }: Demo, startedAt: Instant): Promise<void> {
  const paint = painter(io);
  const { store } = daemon.parts;
  const before = async (sequence: number): Promise<number> => {
    const [last] = sequence > 0 ? await store.changes.after('main', sequence - 1, 1) : [];
    return last === undefined || last.at < startedAt ? sequence : before(sequence - 1);
  };
  let last = await before(await store.changes.latest('main'));
  const [organization] = await store.mirror.rows('organization', 'main');
  const currency = String(organization?.currency_symbol ?? '');
  if (last > 0) print(io, paint('dim', `(${counted(last, 'change')} in the log from before)`));

  let readAllAt = systemClock.monotonic();
  while (!io.signal.aborted) {
    if (systemClock.monotonic() - readAllAt >= READ_ALL_EVERY_MS) {
      readAllAt = systemClock.monotonic();
      await daemon.syncNow('main', 'appointments');
    }
    for (const change of await store.changes.after('main', last, 100)) {
      last = change.sequence;
      print(io, `${paint('dim', change.at.slice(11, 19))}  ${changeSentenceOf(change, currency)}`);
    }
    await systemClock.sleep(LOOK_EVERY_MS, io.signal).catch(() => {});
  }
  const verified = receiver.events.filter((event) => event.verified).length;
  print(
    io,
    '\nThe webhook receiver got ' +
      `${counted(receiver.events.length, 'event')}; ` +
      `${counted(verified, 'signature')} verified.`,
  );
}
