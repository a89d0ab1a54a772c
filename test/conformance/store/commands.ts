import { describe, expect, it } from 'vitest';
import { fleetTimes } from '../../../src/store/ports/fleet.ts';
import type { PostgresOptions } from '../../../src/store/postgres.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { patientTimes } from '../../support/store/empty-postgres.ts';
import { accept } from '../../support/store/store-file.ts';

type Open = (more?: Partial<PostgresOptions>) => Promise<Store>;

/** What a server promises to a command while no daemon runs. `open`, `run`: of the same database. */
export function describeCommands(
  openEmpty: Open,
  open: Open,
  run: (statement: string) => Promise<unknown>,
): void {
  describe('a command that does the work of a daemon', () => {
    const times = fleetTimes(500);
    const about = { version: '0.0.0', config_hash: 'x' };

    it('is refused while a daemon lives, and given its place when it has left', async () => {
      const daemon = await openEmpty({ times });
      await daemon.fleet?.join({ id: 'first', ...about });
      const beating = setInterval(() => void daemon.fleet?.beat('first'), 50);

      const refused = await open({ mode: 'alone', times }).catch((error) => error.message);
      clearInterval(beating);
      await daemon.fleet?.leave('first');
      const second = await open({ mode: 'alone', times });

      expect(refused).toMatch(/^A daemon on .* is using the database/);
      expect((await second.health()).ok).toBe(true);
    });

    it('replaces one that crashed as soon as its lease is over', async () => {
      const daemon = await openEmpty({ times: fleetTimes(300) });
      await daemon.fleet?.join({ id: 'first', ...about });
      // The server's clock was an hour ahead until now.
      await run("update members set (beat_at, expires_at) = (beat_at + '1 h', expires_at + '1 h')");

      // Its own lease outlasts a busy machine.
      const next = await open({ mode: 'alone', times: patientTimes });

      expect((await accept(next)).result).toBe('new');
    });

    it('writes nothing more once its lease is over, also after its next heartbeat', async () => {
      const clock = fakeClock();
      const command = await openEmpty({ mode: 'alone', times: patientTimes, clock });
      await run('update members set expires_at = clock_timestamp()');
      await clock.advance(patientTimes.beatMs);

      await expect(command.keyValue.set('notes', { one: 'x' })).rejects.toThrow(/was suspended for too long/);
      expect(await command.keyValue.get('notes', 'one')).toBeUndefined();
    });

    it('writes nothing more once it has lost the place that it took between other work', async () => {
      await openEmpty();
      const command = await open({ mode: 'tool', clock: fakeClock() });
      await command.keyValue.set('notes', { one: 'before' });

      const place = await command.takeDaemonsPlace();
      await command.keyValue.set('notes', { one: 'in it' });
      await run('update members set expires_at = clock_timestamp()');
      const late = command.keyValue.set('notes', { one: 'too late' });

      await expect(late).rejects.toThrow(/was suspended for too long/);
      expect(await command.keyValue.get('notes', 'one')).toBe('in it');
      await place?.release();
      await command.keyValue.set('notes', { one: 'beside a daemon' });
    });

    it('keeps daemons from taking anything up meanwhile', async () => {
      const command = await openEmpty({ mode: 'alone', times });
      const { fleet } = await open({ times });
      await fleet?.register([{ unit: 'clinic/main', kind: 'clinic' }]);
      await fleet?.join({ id: 'first', ...about });

      const meanwhile = await fleet?.take('first', ['clinic/main'], [], 1);
      await command.close();
      const afterwards = await fleet?.take('first', ['clinic/main'], [], 1);

      expect([meanwhile?.length, afterwards?.length]).toEqual([0, 1]);
    });
  });
}
