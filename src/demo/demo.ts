import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { type SheetsSandbox, startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { type Daemon, startDaemon } from '../app/app.ts';
import { fromText } from '../config/load.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type DemoSecrets, demoConfig, demoSecrets } from './demo-config.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startSpreadsheetPage } from './spreadsheet-page.ts';

export interface Demo {
  folder: string;
  configFile: string;
  /** URL of the status page; the form is at `/in/website/form`. */
  url: string;
  secrets: DemoSecrets;
  sandbox: Sandbox;
  daemon: Daemon;
  receiver: Receiver;
  sheets: SheetsSandbox;
  /** URL of the spreadsheet page. */
  sheetUrl: string;
  stop(): Promise<void>;
}

const LIFE_EVERY_MS = 2500;

interface DemoOptions {
  folder: string;
  /** 0 lets the system choose. */
  port: number;
  clock: Clock;
  log: Log;
  version: string;
  /** Whether statuses and fees at the clinic change over time. */
  life: boolean;
}

/**
 * A whole clinic in one process: the sandbox, a webhook receiver that verifies signatures, and the real daemon with a
 * CSV folder, a web form, a webhook and a spreadsheet. Everything is kept in `folder`; nothing leaves the machine.
 */
export async function startDemo({ folder, port, clock, log, version, life }: DemoOptions): Promise<Demo> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secrets = demoSecrets(folder);
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };

  try {
    const { app_key, secret_key } = secrets;
    const sandbox = await startSandbox({
      data: join(folder, 'sandbox.db'),
      credentials: { app_key, secret_key },
      ...(life && { life: { everyMs: LIFE_EVERY_MS } }),
      clock,
    });
    undo.push(() => sandbox.close());
    const receiver = await startReceiver(secrets.webhook_secret);
    undo.push(() => receiver.close());

    const sheets = await startSheetsSandbox({ title: 'Shapla Dental Care' });
    undo.push(() => sheets.close());
    const sheetPage = await startSpreadsheetPage(sheets.control);
    undo.push(() => sheetPage.close());
    const keyFile = join(folder, 'service-account.json');
    writeFileSync(keyFile, JSON.stringify(sheets.credentials, null, 2), { mode: 0o600 });
    const sheet = { apiUrl: sheets.url, spreadsheetId: sheets.spreadsheetId, keyFile };

    const configFile = join(folder, 'clinic-sync.yaml');
    const text = demoConfig({ folder, baseUrl: sandbox.url, hookUrl: receiver.url, sheet, port, secrets });
    writeFileSync(configFile, text, { mode: 0o600 });
    const loaded = await fromText(text, configFile, { environment: {}, findKind, knownKinds: kindNames });
    if (!loaded.ok) {
      const [fault] = loaded.faults;
      throw new Failure({ kind: 'refused', message: `${configFile}: ${fault?.path} ${fault?.message}` });
    }
    const daemon = await startDaemon({ config: loaded.config, clock, log, version });
    undo.push(() => daemon.stop());
    // Also tracks the clinic's own appointments, so that there is something to see before the first booking.
    const { appointments } = daemon.parts.store;
    const desk = sandbox.control.appointments().map(({ id }) => id);
    if ((await appointments.page('main', 100)).length === 0)
      await appointments.track('main', desk, instant(clock.now()));
    const { url } = daemon;
    const sheetUrl = sheetPage.url;
    return { folder, configFile, url, secrets, sandbox, daemon, receiver, sheets, sheetUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
