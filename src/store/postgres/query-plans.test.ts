/** @module-tag thorough */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillYears } from '../../../bench/kit/years-of-data.ts';
import { useAll, usePages } from '../../../test/support/store/hot-path.ts';
import { openOnServer } from '../../../test/support/store/open-on-server.ts';
import { hasOwnPostgres, type OwnServer, ownServer } from '../../../test/support/store/postgres-server.ts';
import { newStoreFile } from '../../../test/support/store/store-file.ts';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { moveStore } from '../move.ts';
import { openFile } from '../sqlite/open-database.ts';
import { openFileStore } from '../sqlite.ts';

/** A part of a plan that ran. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

interface Ran {
  text: string;
  /** Rows that were looked at in tables and their indexes. */
  read: number;
}

const BOOKINGS = 5_000;
/** Far from what a clinic has after years, and more than a page, a group or what waits for a person. */
const MOST_READ = 1_000;

const rowsOf = (node: Node): number => {
  const {
    'Actual Rows': rows,
    'Actual Loops': loops,
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Index Recheck': rechecked = 0,
  } = node;
  const own =
    node['Node Type'].endsWith('Scan') && node['Relation Name'] ? (rows + filtered + rechecked) * loops : 0;
  return (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), own);
};

/** The server tells in its log how each statement ran. */
const telling = (folder: string) => [
  'shared_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'logging_collector=on',
  'log_destination=jsonlog',
  `log_directory=${folder}`,
  'log_filename=plans.log',
];

describe.skipIf(!hasOwnPostgres)('a server with the bookings of years', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await ownServer();
    await server.restart(telling(server.folder));
  });
  afterAll(() => server?.stop());

  const fill = async (): Promise<string> => {
    await server.run('create database years');
    const url = server.url('years');
    const file = newStoreFile();
    await (await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' })).close();
    const database = openFile(file, { create: false });
    database.pragma('synchronous = OFF');
    fillYears(database, { bookings: BOOKINGS, changes: 2 * BOOKINGS, deliveries: BOOKINGS });
    database.close();
    const signal = new AbortController().signal;
    await moveStore({ file, url, by: 'rita', clock: systemClock, log: silentLog, signal });
    await server.run('analyze', 'years');
    return url;
  };

  /** The statements that ran meanwhile, as the server tells. */
  const ran = async (work: () => Promise<void>): Promise<Ran[]> => {
    const told = () => readFileSync(join(server.folder, 'plans.json'), 'utf8');
    // The server writes its log a moment after the answer.
    const untilTold = async (mark: string) => {
      await server.run(`select '${mark}'`, 'years');
      await expect.poll(told, { timeout: 30_000 }).toContain(mark);
    };
    await untilTold('the work begins');
    const before = told().length;
    await work();
    await untilTold('the work has ended');
    return told()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('  plan:'))
      .flatMap((line) => {
        const { message, dbname } = JSON.parse(line) as { message: string; dbname: string };
        const plan = JSON.parse(message.slice(message.indexOf('{')));
        return dbname === 'years' ? [{ text: plan['Query Text'], read: rowsOf(plan.Plan) }] : [];
      });
  };

  it('reads no more of them than it shows or works on, in lists and in all that runs again and again', {
    timeout: 300_000,
  }, async () => {
    const store = await openOnServer(await fill());
    const [oldest] = await server.run(
      'select to_char(min(received_at)::timestamptz + interval \'1 hour\', \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\') as at from bookings',
      'years',
    );
    const [middle] = await server.run(
      'select received_at, ref from bookings order by ref offset 2500 limit 1',
      'years',
    );

    const all = await ran(async () => {
      await usePages(store, middle as { received_at: string; ref: string });
      await useAll(store, String(oldest?.at));
    });

    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ read }) => read > MOST_READ)).toEqual([]);
  });
});
