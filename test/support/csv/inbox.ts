import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { MINUTE } from '../../../src/platform/duration.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Rig, rig } from './kit.ts';

export const header = 'Patient Name,Phone,Date,Time,Treatment';
export const ann = 'Ann Lee,01711000001,2026-04-01,10:30,Scaling';
export const bob = 'Bob Roy,01711000002,2026-04-01,11:00,Scaling';
export const file = (...lines: string[]) => `${lines.join('\n')}\n`;

export interface Inbox extends Rig {
  clock: FakeClock;
  drop(name: string, content: string | Buffer): Promise<void>;
  /** Drops, waits until it has settled, and lets the connector take it. */
  take(name: string, content: string | Buffer): Promise<void>;
  /** Waits until any file in the folder has settled, whether or not its last line ends, and takes it. */
  settle(): Promise<void>;
  read(path: string): Promise<string>;
  results(stem: string): Promise<Record<string, string>[]>;
  names(folder: string): Promise<string[]>;
}

/** A connector with an inbox that has been looked into once. */
export async function openInbox(options: Partial<Parameters<typeof rig>[0]> = {}): Promise<Inbox> {
  const clock = fakeClock();
  const root = await temporaryFolder();
  const settings = { inbox: join(root, 'inbox'), ...options.settings };
  const made = await rig({ clock, root, ...options, settings });
  await made.converge();
  const settle = async () => {
    await made.converge();
    await clock.advance(MINUTE);
    await made.converge();
  };
  const drop = (name: string, content: string | Buffer) => writeFile(join(made.inbox, name), content);
  return {
    ...made,
    clock,
    drop,
    settle,
    async take(name, content) {
      await drop(name, content);
      await settle();
    },
    read: (path) => readFile(join(made.inbox, path), 'utf8'),
    results: async (stem) =>
      parse(await readFile(join(made.inbox, 'results', `${stem}.results.csv`), 'utf8'), {
        columns: true,
        bom: true,
        skip_empty_lines: true,
        delimiter: [',', ';', '\t'],
      }),
    names: async (folder) => (await readdir(join(made.inbox, folder))).sort(),
  };
}
