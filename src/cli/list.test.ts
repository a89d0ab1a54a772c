import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/support/run-cli.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { type Io, screenLength } from './io.ts';
import { answerList, fitTable } from './list.ts';

const ROWS = 5_000;
const AT = '2026-03-02T09:00:00.000Z';

/** SQL of a database with many rows of everything that a command lists; `i` counts from 1. */
const filled = [
  `INSERT INTO changes SELECT 'main', i, '${AT}', 'treatment.updated', 'treatment', i / 4,
     '{"base_fee":"' || i || '.00"}', '{}' FROM n`,
  `INSERT INTO appointments (clinic, appointment_id, status, name, done, first_seen_at, changed_at)
     SELECT 'main', i, 'Pending', 'Ann Lee', 0, '${AT}', '${AT}' FROM n`,
  `INSERT INTO deliveries (id, connector, clinic, sequence, type, thing, body, state, attempts, created_at, next_attempt_at)
     SELECT 'evt_' || i, 'crm', 'main', i, 'treatment.updated', 'treatment:' || i, '{}', 'dead', 1, '${AT}', '${AT}' FROM n`,
  `INSERT INTO audit (at, actor, role, action, result) SELECT '${AT}', 'Rima', 'desk', 'booking.approve', 'ok' FROM n`,
  `INSERT INTO bookings (ref, clinic, source, state, attempt, merged, received_at, changed_at)
     SELECT printf('CS-%06d', i), 'main', 'website', 'dropped', 1, 0, '${AT}', '${AT}' FROM n`,
];

let large: Awaited<ReturnType<typeof largeDatabase>>;
beforeAll(async () => {
  large = await largeDatabase();
});
afterAll(async () => {
  large.database.close();
  await rm(large.folder, { recursive: true });
});

async function largeDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'lists-'));
  const config = join(folder, 'clinic-sync.yaml');
  const file = join(folder, 'clinic.db');
  const clinic = 'base_url: "https://c.example", app_key: a, secret_key: b, timezone: Asia/Dhaka';
  writeFileSync(config, `version: 1\nclinics: { main: { ${clinic} } }\nstore: { sqlite: ${file} }\n`);
  await (await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' })).close();
  const database = new Database(file);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
  database.exec('PRAGMA synchronous = off');
  for (const insert of filled) database.exec(insert.replace(/SELECT/, `${numbers} SELECT`));
  return { folder, config, database };
}

describe.each([
  ['history treatment', 'changes'],
  ['appointments list', 'appointments'],
  [`deliveries list --limit ${ROWS}`, 'deliveries'],
  [`audit --limit ${ROWS}`, 'audit'],
  [`bookings list --limit ${ROWS}`, 'bookings'],
])('%s of a large database', (line, table) => {
  const run = (json: string[], onOut?: (text: string) => void) =>
    runCommand([...line.split(' '), ...json, '--config', large.config], onOut);

  it('is one JSON document, written in pieces', async () => {
    let longest = 0;

    const { out, code } = await run(['--json'], ({ length }) => {
      longest = Math.max(longest, length);
    });

    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveLength(ROWS);
    expect(longest).toBeLessThan(out.length / 5);
  });

  it('is a table under one heading', async () => {
    const { out } = await run([]);

    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(1 + ROWS);
  });

  it('reads a page only when the one before it is printed', async () => {
    let isEmptied = false;

    const { out } = await run(['--json'], () => {
      // Reading the audit is in it, and nothing recent can be deleted there.
      if (!isEmptied)
        large.database.exec(`DELETE FROM ${table} ${table === 'audit' ? `WHERE at = '${AT}'` : ''}`);
      isEmptied = true;
    });

    expect(JSON.parse(out).length).toBeLessThan(ROWS / 2);
  });
});

describe('on a terminal', () => {
  const rows = [
    { ref: 'CS-7K3Q9F', name: 'Zerlina Plantagenet of a very long house', why: 'mapping' },
    { ref: 'CS-AAAAAA', name: 'Bo', why: 'approval' },
  ];
  const shown = async (width: number) => {
    let out = '';
    const io = {
      out: (text: string) => (out += text),
      err: () => {},
      width,
      signal: new AbortController().signal,
    } as unknown as Io;
    await answerList(io, {}, { rows, none: '', columns: { REF: 'ref', NAME: 'name', WHY: 'why' } });
    return out.trimEnd().split('\n');
  };

  it.each([80, 50, 40, 30, 22])(
    'no line is longer than %i characters, and every reference is whole',
    async (width) => {
      const lines = await shown(width);

      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.filter((line) => /CS-7K3Q9F|CS-AAAAAA/.test(line))).toHaveLength(2);
    },
  );

  it.each([100, 60, 50])('an amount is whole beside long names, %i characters wide', (width) => {
    const amounts = ['1,234,567.50 BDT', '160,000 JPY', ''];
    const names = ['implants-autumn-'.repeat(12), '種植牙春季'.repeat(40), 'زراعة الأسنان '.repeat(14)];
    const lines = fitTable(
      [['CLINIC', 'CAMPAIGN', 'VALUE'], ...names.map((name, at) => ['main', name, amounts[at] ?? ''])],
      width,
    ).split('\n');

    expect(lines.slice(1, 3).map((line) => line.split(/ {2,}/).at(-1))).toEqual(amounts.slice(0, 2));
    expect(lines.filter((line) => line.includes('…'))).toHaveLength(3);
    // As a terminal shows it: each of these takes two columns.
    const [latin = '', chinese = ''] = lines.slice(1, 3).map((line) => line.slice(0, line.indexOf('…')));
    const doubled = chinese.replaceAll(/[種植牙春季]/g, 'WW');
    expect(latin.length - doubled.length).toBeLessThanOrEqual(1);
    expect(doubled.length).toBeLessThanOrEqual(latin.length);
    expect(Math.max(...lines.map(screenLength))).toBeLessThanOrEqual(width);
  });

  it.each([100, 80, 60])('the time of a visit is whole, %i characters wide', (width) => {
    const rows = ['CS-7K3Q9F', 'CS-CEET97'].map((ref) => [
      ...[ref, 'held', '2026-12-02 10:00', 'website', '5201', '16 min', 'duplicate_suspect'],
    ]);
    const headings = ['REF', 'STATE', 'SLOT', 'SOURCE', 'APPOINTMENT', 'AGE', 'WHY'];
    const undated = ['CS-9RFBW8', 'held', '(no date) half past ten', 'website', '', '2 h', 'invalid_field'];

    const [, ...lines] = fitTable([headings, ...rows, undated], width).split('\n');

    for (const line of lines.slice(0, 2)) expect(line).toContain('2026-12-02 10:00');
  });

  it('says with … that something was left out', async () => {
    expect((await shown(40)).join('\n')).toContain('…');
    expect((await shown(80)).join('\n')).not.toContain('…');
  });
});

it('takes an age, a day or a moment for --since, and for changes a sequence, too', async () => {
  const { config, database } = await largeDatabase();
  database.close();
  const count = async (...args: string[]) => {
    const { code, out } = await runCommand([...args, '--config', config]);
    expect(code).toBe(0);
    return out.split('\n').filter((line) => line.includes(AT) || line.startsWith('CS-')).length;
  };

  expect(await count('changes', '--since', '2026-03-02')).toBe(1000);
  expect(await count('changes', '--since', '2026-03-02T09:00:01Z')).toBe(0);
  expect(await count('changes', '--since', '4990')).toBe(10);
  expect(await count('bookings', 'list', '--since', '2026-03-02T08:00Z', '--limit', '7')).toBe(7);
  expect(await count('bookings', 'list', '--since', '1s')).toBe(0);
  expect(await count('deliveries', 'list', '--since', '2026-03-03')).toBe(0);
});
