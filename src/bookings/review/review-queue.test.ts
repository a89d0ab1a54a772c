import { describe, expect, it } from 'vitest';
import { MINUTE, runningBookings } from '../../../test/support/bookings/running-bookings.ts';
import { startBookings } from '../../../test/support/bookings/start-bookings.ts';
import { lead } from '../../../test/support/bookings/world.ts';
import { instant } from '../../platform/clock.ts';
import { type LogFields, silentLog } from '../../platform/log.ts';
import { createBookings } from '../bookings.ts';

describe('a lead that could not be sent', () => {
  const running = runningBookings();

  it('needs a user a quarter of an hour after it came, also if it came again since', async () => {
    const { world } = running;
    await world.pauseSending();
    const { ref } = await world.accept();
    await world.advance(10 * MINUTE);
    const again = await world.accept();

    await world.advance(6 * MINUTE);

    expect(again).toMatchObject({ ref, created: false });
    expect(await world.bookings.reviewItems()).toMatchObject([{ subject: ref }]);
  });
});

describe('the log', () => {
  const running = runningBookings();
  /** Collects the kinds of all reminders in the log. */
  const begin = async (reminders: unknown[]) => {
    const { clock, store, clinic, settings } = running.world;
    const bookings = createBookings({
      ...{ store, clock },
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map([['main-form', { approval: 'required' }]]),
      log: {
        ...silentLog,
        warn: (text, fields) => void (text.includes('waits for a person') && reminders.push(fields?.kind)),
      },
    });
    await startBookings(bookings, clinic);
    return bookings;
  };

  it('reminds of what waits for a user at once, after a quarter of an hour, and daily until it is settled', async () => {
    const { clock } = running.world;
    await running.stop();
    const reminders: unknown[] = [];
    const bookings = await begin(reminders);
    const fields = lead({ appointment_date: '2026-04-01' });
    const { ref } = await bookings.accept({ source: 'main-form', fields });

    for (const minutes of [2, 10, 10, 24 * 60, 24 * 60]) {
      clock.jump((minutes - 1) * MINUTE);
      await clock.advance(MINUTE);
    }
    const said = [...reminders];
    await bookings.drop(ref, 'Mina');
    clock.jump(25 * 60 * MINUTE);
    await clock.advance(MINUTE);
    await bookings.stop();
    await running.world.start();

    expect(said).toEqual(['at_once', 'after_15_minutes', 'daily', 'daily']);
    expect(reminders).toEqual(said);
  });

  it('reminds of a difference that is noted while it runs, until it is acknowledged', async () => {
    const { clock, store } = running.world;
    await running.stop();
    const reminders: unknown[] = [];
    const bookings = await begin(reminders);
    const fields = lead({ appointment_date: '2026-04-01' });
    const { ref } = await bookings.accept({ source: 'website', fields });
    await clock.advance(2 * MINUTE);
    const { attempt = 0, state } = (await store.bookings.get(ref)) ?? {};
    await store.bookings.note({ ref, attempt, evidence: { mismatch: ['It came again.'] } });

    await clock.advance(2 * MINUTE);
    const said = [...reminders];
    await bookings.acknowledge(ref, 'Mina');
    clock.jump(25 * 60 * MINUTE);
    await clock.advance(MINUTE);
    await bookings.stop();
    await running.world.start();

    expect(state).toBe('booked');
    expect(said).toEqual(['at_once']);
    expect(reminders).toEqual(said);
  });

  it('has each reminder once over restarts, and after one what became due while nothing ran', async () => {
    const { clock } = running.world;
    await running.stop();
    const reminders: unknown[] = [];
    const first = await begin(reminders);
    await first.accept({ source: 'main-form', fields: lead({ appointment_date: '2026-04-01' }) });
    await clock.advance(MINUTE);
    await first.stop();

    const second = await begin(reminders);
    await clock.advance(2 * MINUTE);
    await second.stop();
    const afterRestart = [...reminders];
    clock.jump(20 * MINUTE);
    const third = await begin(reminders);
    await clock.advance(2 * MINUTE);
    await third.stop();
    await running.world.start();

    expect(afterRestart).toEqual(['at_once']);
    expect(reminders).toEqual(['at_once', 'after_15_minutes']);
  });

  it('reads no other waiting booking when one more lead joins', async () => {
    const { clock, store, clinic, settings } = running.world;
    await running.stop();
    let looks = 0;
    const list: typeof store.bookings.list = (filter) => {
      if (filter.states?.includes('held') ?? true) looks += 1;
      return store.bookings.list(filter);
    };
    const bookings = createBookings({
      store: { ...store, bookings: { ...store.bookings, list } },
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map([['main-form', { approval: 'required' }]]),
      clock,
      log: silentLog,
    });
    await startBookings(bookings, clinic);
    await clock.advance(1);
    const atStart = looks;

    const accepted = [];
    for (const day of ['01', '02', '03'])
      accepted.push(
        await bookings.accept({
          source: 'main-form',
          fields: lead({ appointment_date: `2026-04-${day}`, patient_phone: `017123456${day}` }),
        }),
      );
    const whileAccepting = looks - atStart;
    await bookings.stop();
    await running.world.start();

    expect(accepted).toMatchObject(Array(3).fill({ state: 'held', created: true }));
    expect(whileAccepting).toBe(0);
  });

  it('rereads only what is due, however many wait', async () => {
    const { clock, store, clinic, settings } = running.world;
    const day = (n: number) => `2026-04-${String(n + 1).padStart(2, '0')}`;
    await running.stop();
    const read: string[] = [];
    const spied: typeof store.bookings = {
      ...store.bookings,
      list: (filter) => {
        if (filter.states?.includes('held') ?? true) read.push('all');
        return store.bookings.list(filter);
      },
      changedSince: async (states, since) => {
        const changed = await store.bookings.changedSince(states, since);
        read.push(...changed.map(() => 'changed'));
        return changed;
      },
      get: (ref) => {
        read.push('due');
        return store.bookings.get(ref);
      },
    };
    const bookings = createBookings({
      store: { ...store, bookings: spied },
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map([['main-form', { approval: 'required' }]]),
      clock,
      log: silentLog,
    });
    for (let n = 0; n < 20; n += 1)
      await bookings.accept({
        source: 'main-form',
        fields: lead({ appointment_date: day(n), patient_phone: `017123456${n + 10}` }),
      });
    clock.jump(2 * MINUTE);
    await startBookings(bookings, clinic);
    await clock.advance(1);
    const atStart = read.splice(0);

    await clock.advance(10 * MINUTE);
    const whileNothingIsDue = read.splice(0);
    await clock.advance(4 * MINUTE);
    const afterAQuarter = read.splice(0);
    await bookings.stop();
    await running.world.start();

    expect(atStart).toEqual(['all']);
    expect(whileNothingIsDue).toEqual([]);
    expect(afterAQuarter).toEqual(Array(20).fill('due'));
  });

  it('reminds within a minute of what another process left waiting', async () => {
    const { clock, store, clinic, settings } = running.world;
    await running.stop();
    const reminders: unknown[] = [];
    const options = {
      store,
      clinics: new Map([['main', { clinic, settings }]]),
      sources: new Map([['main-form', { approval: 'required' as const }]]),
      clock,
    };
    const log = {
      ...silentLog,
      warn: (_text: string, fields?: LogFields) => void reminders.push(fields?.ref),
    };
    const bookings = createBookings({ ...options, log });
    const command = createBookings({ ...options, log: silentLog });
    await startBookings(bookings, clinic);
    await clock.advance(5 * MINUTE);
    clock.jump(-60 * MINUTE);

    const { ref } = await command.accept({ source: 'main-form', fields: lead() });
    await clock.advance(MINUTE);
    await bookings.stop();
    await running.world.start();

    expect(reminders).toEqual([ref]);
  });

  it('keeps reminding of bookings of a clinic that is no longer configured', async () => {
    const { clock, store } = running.world;
    await store.polls.idle('main', 'organization', instant(clock.now()));
    await running.unknown('reset_after');
    await running.stop();
    const reminders: unknown[] = [];
    const bookings = createBookings({
      store,
      clinics: new Map(),
      sources: new Map(),
      clock,
      log: { ...silentLog, warn: (_text, fields) => void reminders.push(fields?.clinic) },
    });
    clock.jump(15 * MINUTE);

    await startBookings(bookings);
    await clock.advance(1);
    await bookings.stop();
    await running.world.start();

    expect(reminders).toEqual(['main']);
  });
});
