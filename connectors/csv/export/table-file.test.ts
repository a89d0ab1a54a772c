import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MirrorView, Row } from '../../../src/connector.ts';
import { notesIn } from '../../../test/support/bookings/fake-booking.ts';
import { change } from '../../../test/support/csv/kit.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { pagedRows } from '../../../test/support/paged-rows.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type CsvDialect, plainDialect, renderHeader, renderRows } from '../render-csv.ts';
import { createTableFile } from './table-file.ts';
import { tableColumns } from './tables.ts';

const runs = 20 * Number(process.env.VERIFY_RUNS ?? 1);
const signal = new AbortController().signal;
const dialect = plainDialect;
const columns = tableColumns.bookings;

const booking = (n: number, fields: Row = {}): Row => ({
  clinic: 'main',
  ref: `CS-${String(n).padStart(6, '0')}`,
  state: 'booked',
  received_at: `2026-02-10T00:00:${String(n % 60).padStart(2, '0')}.${String(n).padStart(6, '0')}Z`,
  changed_at: '2026-02-11T00:00:00.000Z',
  ...fields,
});

async function setUp(count: number, written: { dialect: CsvDialect | undefined } = { dialect }) {
  const clock = fakeClock();
  const path = join(await temporaryFolder(), 'bookings.csv');
  const mirror = { rows: { bookings: [] as Row[] }, changes: [] as ReturnType<typeof change>[] };
  for (let n = 0; n < count; n += 1) mirror.rows.bookings.push(booking(n));
  const memory = notesIn({}, () => {});
  const counted = { pages: 0, most: 0, costMs: 0 };
  const view = (): MirrorView => {
    const paged = pagedRows(mirror);
    const read: Partial<MirrorView> = {
      ...paged,
      async page(...asked) {
        counted.pages += 1;
        counted.most = Math.max(counted.most, asked[2]);
        if (counted.costMs > 0) await clock.advance(counted.costMs);
        return paged.page(...asked);
      },
      clinics: [],
      freshness: async () => [],
    };
    return read as MirrorView;
  };
  const open = () =>
    createTableFile({
      table: 'bookings',
      clinic: 'main',
      timezone: 'UTC',
      directory: dirname(path),
      columns,
      mode: 0o600,
      clock,
      ...written,
      memory,
    });
  const put = (row: Row) => {
    const { rows, changes } = mirror;
    rows.bookings = [...rows.bookings.filter(({ ref }) => ref !== row.ref), row];
    changes.push(change(changes.length + 1, { resource: 'booking', id: String(row.ref) }));
  };
  const update = (file: ReturnType<typeof open>) =>
    file.update(view(), { through: mirror.changes.length, moved: false }, signal);
  const whole = async () => {
    const rows = await pagedRows(mirror).page('bookings', 'main', 1_000_000);
    return renderHeader(columns, dialect) + renderRows(columns, rows, dialect);
  };
  return { clock, path, mirror, counted, open, put, update, whole, read: () => readFile(path, 'utf8') };
}

it('is always the whole table, whatever was added or changed, and wherever', {
  timeout: 600_000,
}, async () => {
  const edits = fc.array(fc.array(fc.tuple(fc.nat(900), fc.string({ maxLength: 5 })), { maxLength: 4 }), {
    maxLength: 6,
  });

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1, 99, 100, 101, 650), edits, async (count, rounds) => {
      const { open, put, update, read, whole } = await setUp(count);
      const file = open();
      await update(file);
      for (const round of rounds) {
        for (const [n, note] of round) put(booking(n, { note }));

        await update(file);

        expect(await read()).toBe(await whole());
        expect(file.facts().bytes).toBe(Buffer.byteLength(await read()));
      }
    }),
    { numRuns: runs },
  );
});

it('reads a few rows for a change, however many there are', async () => {
  const { open, put, update, counted, read, whole } = await setUp(5_000);
  const file = open();
  await update(file);
  counted.pages = 0;

  put(booking(5_001));
  put(booking(700, { note: 'moved' }));
  const { written } = await update(file);

  expect(written).toBe(true);
  expect(counted.pages).toBeLessThanOrEqual(4);
  expect(await read()).toBe(await whole());
});

it('has all of very many changes, not only the first that it read', async () => {
  const { open, put, update, read, whole } = await setUp(700);
  const file = open();
  await update(file);

  for (let n = 0; n < 600; n += 1) put(booking(0, { note: `moved ${n}` }));
  put(booking(59, { note: 'the last in the file' }));
  await update(file);

  expect(await read()).toBe(await whole());
});

it('reads nothing and leaves the file alone while nothing changed', async () => {
  const { open, update, counted, path } = await setUp(2_000);
  const file = open();
  await update(file);
  const before = await stat(path);
  counted.pages = 0;

  const { written } = await update(file);

  expect([written, counted.pages]).toEqual([false, 0]);
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
});

it('reads a few rows after a restart, however many there are', async () => {
  const { open, put, update, counted, read, whole } = await setUp(5_000);
  await update(open());
  put(booking(5_001));
  put(booking(700, { note: 'moved' }));
  counted.pages = 0;

  const file = open();
  await update(file);

  expect(counted.pages).toBeLessThanOrEqual(4);
  expect(await read()).toBe(await whole());
  expect(file.facts()).toMatchObject({ rows: 5_001, bytes: Buffer.byteLength(await read()) });
});

it('compares everything after a restart when the file was replaced, a comparison is due, or in doubt', async () => {
  const { clock, open, update, counted, path, read, whole } = await setUp(5_000);
  await update(open());
  const pagesOf = async (prepare: (file: ReturnType<typeof open>) => unknown) => {
    const file = open();
    await prepare(file);
    counted.pages = 0;
    await update(file);
    return counted.pages;
  };

  const untouched = await pagesOf(() => {});
  const edited = await pagesOf(async () => writeFile(path, (await read()).replace('booked', 'BOOKED')));
  const doubted = await pagesOf((file) => file.invalidate());
  const late = await pagesOf(() => clock.advance(60_000));

  expect(untouched).toBe(0);
  expect([edited, doubted, late]).toEqual([101, 101, 101]);
  expect(await read()).toBe(await whole());
});

it('compares everything within a minute, which finds what the log does not name', async () => {
  const { clock, open, update, mirror, read, whole } = await setUp(300);
  const file = open();
  await update(file);
  const [first = {}] = mirror.rows.bookings;
  first.merged = 7;

  await update(file);
  const early = await read();
  await clock.advance(60_000);
  await update(file);

  expect(early).not.toBe(await whole());
  expect(await read()).toBe(await whole());
});

it('rewrites the rows of an erased person alone, and at once although it was just written', async () => {
  const { open, put, update, counted, mirror, read, whole } = await setUp(5_000);
  const file = open();
  await update(file);
  counted.costMs = 100;
  put(booking(5_001));
  await update(file);
  const [, person = {}] = mirror.rows.bookings;
  person.note = 'erased';
  counted.pages = 0;

  file.rewrite([person]);
  await update(file);

  expect(counted.pages).toBeLessThanOrEqual(4);
  expect(await read()).toBe(await whole());
});

it('is corrected at once after someone edits it', async () => {
  const { open, update, path, read, whole } = await setUp(300);
  const file = open();
  await update(file);

  await writeFile(path, `${await read()}x`);
  await update(file);

  expect(await read()).toBe(await whole());
});

it('waits longer between rewrites the longer they take, and then has everything', async () => {
  const { clock, open, put, update, counted, read, whole } = await setUp(600);
  const file = open();
  await update(file);
  counted.costMs = 100;
  put(booking(601));
  await update(file);

  put(booking(602));
  const waiting = await update(file);
  await clock.advance(waiting.waitMs ?? 0);
  const late = await update(file);

  expect(waiting).toMatchObject({ written: false, waitMs: expect.any(Number) });
  expect(waiting.waitMs).toBeGreaterThan(10_000);
  expect(late.written).toBe(true);
  expect(await read()).toBe(await whole());
});

it('keeps the event loop turning while 5,000 rows are rendered', async () => {
  const { open, update } = await setUp(5_000);
  let last = performance.now();
  let longest = 0;
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);

  await update(open());
  clearInterval(ticking);

  expect(longest).toBeLessThan(500);
});

it('reads few rows at a time, so that other work gets its turn and the heap stays small', async () => {
  const { open, update, counted } = await setUp(1_200);

  await update(open());

  expect(counted.most).toBeLessThanOrEqual(50);
});

it('is read only for news and written as a whole when it is a workbook, also after a restart', async () => {
  const { open, put, update, counted, clock } = await setUp(1_200, { dialect: undefined });
  const file = open();
  const first = await update(file);
  const read = counted.pages;
  await clock.advance(30_000);

  const unchanged = await update(file);
  const recalled = await update(open());
  const readAgain = counted.pages - read;
  put(booking(1_201));
  const changed = await update(file);

  expect([first, unchanged, recalled, changed].map(({ written }) => written)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(readAgain).toBe(0);
  expect(counted.pages - read).toBe(read);
  expect(file.facts().rows).toBe(1_201);
});
