import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MirrorView } from '../../../src/connector.ts';
import type { Change } from '../../../src/domain/clinics/change.ts';
import { notesIn } from '../../../test/support/bookings/fake-booking.ts';
import { change } from '../../../test/support/csv/kit.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { plainDialect } from '../render-csv.ts';
import { createChangeFile } from './change-file.ts';

const dialect = plainDialect;
const signal = new AbortController().signal;

async function setUp(given: Partial<Parameters<typeof createChangeFile>[0]> = {}) {
  const folder = await temporaryFolder();
  const path = join(folder, 'changes.csv');
  const log: Change[] = [];
  const asked: number[] = [];
  const limits: number[] = [];
  const view = {
    async changes(_clinic: string, after: number, limit: number) {
      asked.push(after);
      limits.push(limit);
      return log.filter((one) => one.sequence > after).slice(0, limit);
    },
  } as MirrorView;
  const clock = fakeClock();
  const memory = notesIn({}, () => {});
  const options = {
    clinic: 'main',
    path,
    dialect,
    includePatient: false,
    clock,
    mode: 0o600,
    memory,
    ...given,
  };
  const open = () => createChangeFile(options);
  const add = (count: number) => {
    for (let i = 0; i < count; i += 1) log.push(change(log.length + 1));
  };
  const sequences = async () =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[1]));
  return { folder, path, view, log, asked, limits, options, open, add, sequences, clock };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  ['a small log, replaced by a longer copy', undefined],
  ['a large log, grown in place', 0],
])('%s', (_, copyUpTo) => {
  const options = copyUpTo === undefined ? {} : { copyUpTo };

  it('grows by what is new, and the manifest’s hash with it', async () => {
    const { view, open, add, sequences, path, folder } = await setUp(options);
    const file = open();
    add(1_200);
    await file.update(view, signal);

    add(3);
    const { written } = await file.update(view, signal);

    const bytes = await readFile(path);
    expect(written).toBe(true);
    expect(await sequences()).toEqual(upTo(1_203));
    expect(file.facts()).toMatchObject({
      rows: 1_203,
      sequence: 1_203,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(await readdir(folder)).toEqual(['changes.csv']);
  });

  it('is complete although reading the log failed while it grew', async () => {
    const { view, open, add, sequences } = await setUp(options);
    const file = open();
    add(10);
    await file.update(view, signal);
    add(120);
    const broken = {
      changes: async (clinic: string, after: number, limit: number) => {
        if (after > 100) throw new Error('database is locked');
        return view.changes(clinic, after, limit);
      },
    } as MirrorView;

    await expect(file.update(broken, signal)).rejects.toThrow('locked');
    await file.update(view, signal);

    expect(await sequences()).toEqual(upTo(130));
  });

  it('completes a row that a crash cut in two, and what came after it', async () => {
    const { view, open, add, sequences, path } = await setUp(options);
    add(700);
    await open().update(view, signal);
    await truncate(path, (await stat(path)).size - 20);
    add(10);

    const file = open();
    await file.update(view, signal);

    expect(await sequences()).toEqual(upTo(710));
    expect(file.facts().sha256).toBe(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  });
});

it('reads only what is new while the file is untouched', async () => {
  const { view, open, add, asked } = await setUp();
  const file = open();
  add(1_200);
  await file.update(view, signal);
  asked.length = 0;

  const { written } = await file.update(view, signal);

  expect(written).toBe(false);
  expect(asked).toEqual([1_200]);
});

it.each([
  ['a value was edited', (text: string) => text.replace('700.00', '999.00')],
  ['rows were added by hand', (text: string) => `${text}"main",9999\n`],
  ['it was emptied', () => ''],
])('is rewritten when %s', async (_, spoil) => {
  const { view, open, add, sequences, path } = await setUp();
  const file = open();
  add(720);
  await file.update(view, signal);
  const right = await readFile(path, 'utf8');

  await writeFile(path, spoil(right));
  await file.update(view, signal);

  expect(await sequences()).toEqual(upTo(720));
  expect(await readFile(path, 'utf8')).toBe(right);
});

it('is rewritten when the database is older than the file', async () => {
  const { view, open, add, sequences, log } = await setUp();
  add(30);
  await open().update(view, signal);

  log.splice(20);
  await open().update(view, signal);

  expect(await sequences()).toEqual(upTo(20));
});

it('reads only what is new after a restart, when the file is as it was left', async () => {
  const { view, open, add, sequences, asked, path } = await setUp();
  add(5_000);
  await open().update(view, signal);
  add(3);
  asked.length = 0;

  const file = open();
  await file.update(view, signal);

  expect(Math.min(...asked)).toBe(5_000);
  expect(await sequences()).toEqual(upTo(5_003));
  expect(file.facts().sha256).toBe(
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  );
});

it('reads only the last rows after a restart if rows were added since its progress was last stored', async () => {
  const { view, open, add, sequences, asked } = await setUp();
  const former = open();
  add(5_000);
  await former.update(view, signal);
  add(900);
  await former.update(view, signal);
  asked.length = 0;

  const { written } = await open().update(view, signal);

  expect(written).toBe(false);
  expect(Math.min(...asked)).toBe(5_000);
  expect(await sequences()).toEqual(upTo(5_900));
});

it.each([
  [
    'the file was edited while the daemon was down',
    async (path: string) => {
      await writeFile(path, (await readFile(path, 'utf8')).replace('700.00', '999.00'));
    },
  ],
  ['the file was removed while the daemon was down', (path: string) => rm(path)],
])('is repaired after a restart when %s', async (_, spoil) => {
  const { view, open, add, path } = await setUp();
  add(2_000);
  await open().update(view, signal);
  const right = await readFile(path, 'utf8');

  await spoil(path);
  await open().update(view, signal);

  expect(await readFile(path, 'utf8')).toBe(right);
});

it('is compared whole after a restart when its day is over, or in doubt', async () => {
  const { view, open, add, asked, clock } = await setUp();
  add(2_000);
  await open().update(view, signal);

  asked.length = 0;
  const doubting = open();
  doubting.invalidate();
  await doubting.update(view, signal);
  expect(Math.min(...asked)).toBe(0);

  asked.length = 0;
  await clock.advance(24 * 3_600_000);
  await open().update(view, signal);
  expect(Math.min(...asked)).toBe(0);
});

const ofPerson = (id: string, name: string): Partial<Change> => ({
  ...{ type: 'booking.received', resource: 'booking', id },
  ...{ data: { ref: id, patient_name: name }, previous: null },
});

describe('the changes of an erased person', () => {
  async function withPeople(options: Partial<Parameters<typeof createChangeFile>[0]> = {}) {
    const kit = await setUp({ includePatient: true, ...options });
    kit.add(6_000);
    // Also at both ends of the file.
    for (let at = 0; at < 6_000; at += 250) kit.log[at] = change(at + 1, ofPerson('CS-1', 'Rahim'));
    kit.log[5_999] = change(6_000, ofPerson('CS-1', 'Rahim'));
    kit.log[4] = change(5, ofPerson('CS-11', 'Karim, "CS-1"'));
    await kit.open().update(kit.view, signal);
    const erase = () => {
      for (const [at, one] of kit.log.entries())
        if (one.id === 'CS-1') kit.log[at] = { ...one, data: { ref: 'CS-1' } };
    };
    const whole = async () => {
      const folder = await temporaryFolder();
      const fresh = { ...kit.options, memory: notesIn({}, () => {}), path: join(folder, 'changes.csv') };
      await createChangeFile(fresh).update(kit.view, signal);
      return readFile(fresh.path, 'utf8');
    };
    return { ...kit, erase, whole, read: () => readFile(kit.path, 'utf8') };
  }
  const asked = [{ resource: 'booking', id: 'CS-1' }] as const;

  it.each([
    ['for programs', dialect],
    ['for Excel', { ...dialect, forExcel: true, delimiter: ';', newline: '\r\n', decimal: ',' as const }],
    ['with every cell quoted', { ...dialect, quote: 'all' as const }],
    ['with as few quotation marks as possible', { ...dialect, quote: 'minimal' as const }],
    ['in an old encoding', { ...dialect, encoding: 'windows-1252' as const }],
  ])('are rewritten alone, in a file %s', async (_, written) => {
    const { view, limits, open, erase, read, whole } = await withPeople({ dialect: written });
    const file = open();
    await file.update(view, signal);
    erase();
    limits.length = 0;

    file.rewrite(asked);
    const { written: isWritten } = await file.update(view, signal);
    const pages = limits.filter((limit) => limit > 1).length;

    expect([isWritten, pages]).toEqual([true, 1]);
    expect(await read()).toBe(await whole());
    expect(await read()).not.toContain('Rahim');
    const sha256 = createHash('sha256')
      .update(await read())
      .digest('hex');
    expect(file.facts()).toMatchObject({ rows: 6_000, bytes: Buffer.byteLength(await read()), sha256 });
  });

  it('leave the file when the log no longer has them', async () => {
    const { view, log, open, read, sequences } = await withPeople();
    const file = open();
    await file.update(view, signal);
    log.splice(0, log.length, ...log.filter(({ id }) => id !== 'CS-1'));

    file.rewrite(asked);
    await file.update(view, signal);

    expect(await read()).not.toContain('Rahim');
    expect(await sequences()).toEqual(log.map(({ sequence }) => sequence));
    expect(file.facts().rows).toBe(log.length);
  });

  it('are rewritten by the next process, which need not compare the rest afterwards', async () => {
    const { view, asked: from, open, add, erase, read, whole } = await withPeople();
    erase();
    const file = open();
    file.rewrite(asked);
    await file.update(view, signal);
    from.length = 0;

    add(2);
    await open().update(view, signal);

    expect(await read()).toBe(await whole());
    expect(Math.min(...from.slice(0, 2))).toBeGreaterThanOrEqual(6_000);
  });

  it('are still rewritten after the first attempt failed', async () => {
    const { view, open, erase, read, whole } = await withPeople();
    const file = open();
    await file.update(view, signal);
    erase();
    file.rewrite(asked);
    const broken = {
      changes: async (clinic: string, after: number, limit: number) => {
        if (limit === 1) throw new Error('database is locked');
        return view.changes(clinic, after, limit);
      },
    } as MirrorView;

    await expect(file.update(broken, signal)).rejects.toThrow('locked');
    await file.update(view, signal);

    expect(await read()).toBe(await whole());
  });

  it('are found by comparing everything when there are many', async () => {
    const { view, asked: from, open, erase, read, whole } = await withPeople();
    const file = open();
    await file.update(view, signal);
    erase();
    from.length = 0;

    file.rewrite(Array.from({ length: 200 }, (_, n) => ({ resource: 'booking' as const, id: `CS-${n}` })));
    await file.update(view, signal);

    expect(Math.min(...from)).toBe(0);
    expect(await read()).toBe(await whole());
  });
});

it('recovers after reading the log failed halfway', async () => {
  const { view, open, add, sequences, folder } = await setUp();
  const file = open();
  add(1_200);
  const broken = {
    changes: async (clinic: string, after: number, limit: number) => {
      if (after > 600) throw new Error('database is locked');
      return view.changes(clinic, after, limit);
    },
  } as MirrorView;

  await expect(file.update(broken, signal)).rejects.toThrow('locked');
  const left = await readdir(folder);
  await file.update(view, signal);

  expect(left).toEqual([]);
  expect(await sequences()).toEqual(upTo(1_200));
});

it('reads few changes at a time, so that other work gets its turn and the heap stays small', async () => {
  const { view, limits, open, add } = await setUp();
  add(1_200);

  await open().update(view, signal);

  expect(Math.max(...limits)).toBeLessThanOrEqual(50);
});
