import type { CommandModule } from 'yargs';
import { type Demo, startDemo } from '../../demo/demo.ts';
import { sentenceOf } from '../../demo/narrator.ts';
import { roundTrip } from '../../demo/round-trip.ts';
import { type Instant, instant, systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { counted, Exit, exit, type Io, painter, print } from '../io.ts';
import { packageVersion } from '../package.ts';
import { portOption } from '../port.ts';

interface Arguments {
  once: boolean;
  port?: number;
  dir: string;
}

const DEFAULT_PORT = 8080;
const LOOK_EVERY_MS = 500;
/** Visits days ahead are read every few hours; here something should be seen to happen, within the limit of calls. */
const READ_ALL_EVERY_MS = 8000;

/** `clinic-sync demo [--once] [--port N] [--dir DIR]` */
export const demoCommand = (io: Io): CommandModule => ({
  command: 'demo',
  describe: 'The whole thing with a clinic of its own; no credentials, nothing outside its folder',
  builder: (yargs) =>
    yargs
      .option('once', { type: 'boolean', default: false, describe: 'One whole round trip, then exit' })
      .option('port', portOption(`Port of the status page; default ${DEFAULT_PORT}, or a free one`))
      .option('dir', { type: 'string', default: './demo-data', describe: 'Folder for everything it writes' })
      .example('$0 demo --once', 'proves the main job in under a minute'),
  handler: (argv) => demo(io, argv as unknown as Arguments),
});

async function demo(io: Io, given: Arguments): Promise<void> {
  const paint = painter(io);
  const startedAt = instant(systemClock.now());
  const started = await startOnFreePort(io, given);
  try {
    if (given.once) await proveOnce(io, started);
    else {
      print(io, `${paint('bold', 'clinic-sync is running against its own clinic.')} Ctrl-C stops it.\n`);
      print(io, `  status page   ${started.url}   (sign in with ${started.secrets.admin_token})`);
      print(io, `  web form      ${started.url}/in/website/form   book something: it really books`);
      print(io, `  spreadsheet   ${started.sheets.pageUrl}   type a booking into Bookings and tick Send`);
      print(io, `  CSV files     ${started.folder}/csv/main`);
      print(io, `  database      ${started.folder}/clinic-sync.db`);
      print(io, `  configuration ${started.configFile}\n`);
      await narrate(io, started, startedAt);
    }
  } finally {
    await started.stop();
  }
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

/** The asked port; without one the usual port, or any other when that is taken. */
async function startOnFreePort(io: Io, { port, dir, once }: Arguments): Promise<Demo> {
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

/** Every change as a line, with what the webhook receiver got beside it. */
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
      print(io, `${paint('dim', change.at.slice(11, 19))}  ${sentenceOf(change, currency)}`);
    }
    await systemClock.sleep(LOOK_EVERY_MS, io.signal).catch(() => {});
  }
  const verified = receiver.events.filter((event) => event.verified).length;
  print(
    io,
    `\nThe webhook receiver got ${counted(receiver.events.length, 'event')}; ${counted(verified, 'signature')} verified.`,
  );
}
