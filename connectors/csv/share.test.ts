import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ann, file, header, openInbox } from '../../test/support/csv/inbox.ts';
import { rig, treatment } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

const signal = new AbortController().signal;

/** A folder whose share was mounted at the last run: what it is on now begins further up. */
async function withoutItsShare() {
  const made = await rig({ clock: fakeClock() });
  await made.desk.memory.set({ [`share:${made.directory}`]: made.directory });
  await mkdir(made.directory);
  return made;
}

describe('a share', () => {
  it('that is not mounted gets nothing written in its place, and is named', async () => {
    const { converge, connector, directory } = await withoutItsShare();

    await expect(converge()).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining(directory),
    });

    expect(await readdir(directory)).toEqual([]);
    const [line] = await connector.check(signal);
    expect(line).toMatchObject({ level: 'fail', what: expect.stringContaining(directory) });
  });

  it('is not waited for any longer once a person says so', async () => {
    const { converge, connector, directory } = await withoutItsShare();
    await connector.repair?.(signal);

    await converge();

    expect(await readdir(join(directory, 'main'))).toContain('treatments.csv');
  });

  it('of the inbox is awaited, whatever is dropped in its place meanwhile', async () => {
    const made = await openInbox();
    await made.desk.memory.set({ [`share:${made.inbox}`]: made.inbox });
    await mkdir(made.inbox, { recursive: true });
    await writeFile(join(made.inbox, 'leads.csv'), file(header, ann));

    await expect(made.converge()).rejects.toMatchObject({ message: expect.stringContaining(made.inbox) });

    expect(await readdir(made.inbox)).toContain('leads.csv');
    expect(made.desk.bookings).toEqual([]);
  });

  it('that came back empty is filled by the next run, at most a minute later', async () => {
    const { converge, connector, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1)];
    await converge();
    await rm(join(directory, 'main'), { recursive: true });

    const { written } = await converge();

    expect(written).toMatchObject({ 'treatments.csv': 1 });
    expect(connector.state?.everyMs).toBeLessThanOrEqual(60_000);
  });
});
