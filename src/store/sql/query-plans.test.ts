import { expect, it, onTestFinished } from 'vitest';
import { fillYears } from '../../../bench/kit/years-of-data.ts';
import { booking, claimNext, delivery, minute } from '../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { useAll } from '../../../test/support/store/hot-path.ts';
import { tier } from '../../../test/support/tiers.ts';
import { judgeWithin } from '../../bookings/duplicates/judge-lead.ts';
import type { BookingFilter } from '../ports/bookings.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { openFile } from '../sqlite/open-database.ts';
import { isFileBusy, isFileStorage } from '../sqlite/storage-failure.ts';
import { sqlStore } from './sql.ts';

/** Keys asked for at once. */
const KEYS = / in \(\?(?:, \?)*\)/;

/** SQLite may enter an index at a few keys, but prefer another one for many. */
function withManyKeys({ text, values }: { text: string; values: unknown[] }) {
  const more = Array.from({ length: 99 }, () => '?');
  const given = [...values];
  const parts = text.split(/( in \(\?(?:, \?)*\)|\?)/).map((part) => {
    if (part === '?') return { part, used: given.splice(0, 1) };
    if (!KEYS.test(part)) return { part, used: [] };
    const used = given.splice(0, part.split('?').length - 1);
    return { part: part.replace('(', `(${more.join(', ')}, `), used: [...more.map(() => used[0]), ...used] };
  });
  return { text: parts.map(({ part }) => part).join(''), values: parts.flatMap(({ used }) => used) };
}

type Contents = 'nothing' | 'years' | 'years, with statistics';

/** A store that keeps the statements it ran, with their values. */
async function recordingStore(contents: Contents = 'nothing') {
  const database = openFile(':memory:', { create: true });
  const ran: { text: string; values: unknown[] }[] = [];
  const recording = new Proxy(database, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (key !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (text: string) => {
        const statement = target.prepare(text);
        const noting =
          <T>(run: (values: unknown[]) => T) =>
          (values: unknown[]) => {
            ran.push({ text, values });
            return run.call(statement, values);
          };
        return { reader: statement.reader, all: noting(statement.all), run: noting(statement.run) };
      };
    },
  });
  const sql = sqlStore({
    place: 'test.db',
    dialect: sqliteDialect(recording, ':memory:'),
    clock: fakeClock(),
    isBusy: isFileBusy,
    isStorage: isFileStorage,
  });
  await sql.migrate(await sql.schema());
  await sql.begin({ instance: '', epoch: 0 }, 'instance');
  if (contents !== 'nothing') fillYears(database, { bookings: 4_000, changes: 20_000, deliveries: 10_000 });
  // The daemon gathers none; whoever looks after the file may.
  if (contents === 'years, with statistics') database.exec('ANALYZE');
  onTestFinished(() => sql.close());
  ran.length = 0;

  const plans = () =>
    ran
      .filter(({ text }) => /^\s*(with|select|update|delete|insert)/.test(text))
      .flatMap((statement) =>
        KEYS.test(statement.text) ? [statement, withManyKeys(statement)] : [statement],
      )
      .map(({ text, values }) => ({
        text,
        plan: (database.prepare(`explain query plan ${text}`).all(values) as { detail: string }[])
          .map(({ detail }) => detail)
          .join('; '),
      }));
  const oldest = () => {
    const [row] = database
      .prepare(`select strftime('%Y-%m-%dT%H:%M:%fZ', min(received_at), '10 days') as at from bookings`)
      .all() as { at: string }[];
    return row?.at ?? minute(0);
  };
  return { ...sql.verbs, erase: sql.erase, plans, oldest };
}

/** In the first tier, a database of years stands for the others. */
function inEach(title: string, test: (contents: Contents) => Promise<void>): void {
  for (const contents of ['nothing', 'years', 'years, with statistics'] as const)
    it(`${title} (${contents})`, tier(contents === 'years'), () => test(contents));
}

/** Read in order and only from one end, or few by nature, or never begun: archived leads have no ref. */
const bounded =
  /from "leads" where ref in|order by .* limit|max\("sequence"\)|INDEX (bookings_(sendable|not_before|one_sending)) |INDEX bookings_differing|SCAN appointments USING COVERING INDEX appointments_followed|select min\(clinic\) from "changes"|with recursive statuses /;

inEach(
  'reads no whole table, nor all that a clinic ever had, in what runs with every poll, booking or delivery',
  async (contents) => {
    const store = await recordingStore(contents);

    await useAll(store, store.oldest());

    const scans = store
      .plans()
      // Of guards, cursors and what can be taken back there are few, however long it runs; counts are of days, and names of clinics.
      .filter(({ plan }) =>
        /SCAN (?!CONSTANT|guards|undos|c;|cursors;|\d+[- ](ROW|CONSTANT)|named|found|all_of_them|waiting|chosen|clinic|\(subquery|wanted|those|(booking_)?counts|intake_counts$)/.test(
          plan,
        ),
      )
      .filter(({ plan }) => !/SCAN \w+ USING (COVERING )?INDEX/.test(plan));
    expect(scans.filter(({ text }) => !bounded.test(text))).toEqual([]);
    const whole =
      /(SEARCH|SCAN) (bookings|booking_events|appointments|changes|observations|deliveries)( USING (COVERING )?INDEX \w+)?( \(clinic=\?( AND appointment_id>\?)?\))?(;|$)/;
    const reads = store.plans().filter(({ plan }) => whole.test(plan));
    expect(reads.filter(({ text, plan }) => !bounded.test(`${text} ${plan}`))).toEqual([]);
  },
);

inEach(
  'looks for the next booking and for those in a state among them, not among all of the clinic',
  async (contents) => {
    const store = await recordingStore(contents);

    await store.bookings.nextSendable('main', minute(1), 20);
    await store.bookings.nextDue('main', minute(1));
    await claimNext(store, 'main', minute(1));
    await store.bookings.unverified('main');
    await store.bookings.list({ clinic: 'main', states: ['queued', 'unknown'] });
    await store.bookings.list({ states: ['queued', 'unknown'] });
    await store.bookings.statesAmong('main', ['received', 'held', 'queued', 'unknown']);
    await store.bookings.changedSince(['rejected', 'expired', 'held', 'queued'], minute(1));
    await store.bookings.waitingUntil('main', '2026-04-02');

    const plans = store.plans().filter(({ text }) => text.includes('"bookings"'));
    expect(plans.length).toBeGreaterThan(3);
    for (const { text, plan } of plans)
      expect(plan, text).toMatch(
        /SEARCH bookings (EXISTS )?USING (COVERING )?INDEX (bookings_(state|state_in_time|changed|one_sending|appointment|sendable|not_before|unverified|waiting)|sqlite_autoindex_bookings_1) /,
      );
  },
);

inEach('a poll that changed nothing reads an index of its records, not the records', async (contents) => {
  const store = await recordingStore(contents);
  const polls = ['organization', 'website', 'treatments', 'dentists'] as const;

  for (const poll of polls) {
    await store.mirror.hashes('main', poll);
    await store.mirror.record({
      ...{ clinic: 'main', poll, at: minute(1) },
      ...{ upserts: [], removals: [], changes: [] },
    });
  }

  const plans = store.plans().filter(({ text }) => text.startsWith('select') && text.includes('_things'));
  expect(plans).toHaveLength(3 * polls.length);
  for (const { text, plan } of plans)
    expect(plan, text).toMatch(/^SEARCH \w+ USING COVERING INDEX \w+_(present|unseen) \(clinic=\?\)$/);
});

inEach('reads the visits of a day by its date, not those of all time', async (contents) => {
  const store = await recordingStore(contents);

  await store.bookings.ofVisitDays({ clinics: ['main'], from: '2026-03-02', to: '2026-03-02' }, 100);

  for (const { text, plan } of store.plans())
    expect(plan, text).toMatch(
      /SEARCH \w+ USING (COVERING )?INDEX (bookings_slot|appointments_at_time) \(clinic=\? AND \w+>\? AND/,
    );
});

inEach(
  'pages through the bookings of all clinics in the order of an index, whatever narrows them',
  async (contents) => {
    const store = await recordingStore(contents);
    const behind = { received_at: minute(0), ref: 'CS-1' };
    const narrowed = [
      {},
      { states: ['booked'] },
      { source: 'website' },
      { since: minute(0), until: minute(9) },
    ];

    for (const filter of narrowed as BookingFilter[]) {
      await store.bookings.list({ ...filter, limit: 50 });
      await store.bookings.list({ ...filter, behind, limit: 50 });
    }
    await store.bookings.withTerms(['nann'], 10);
    await store.bookings.withTerms(['nann', 'nlee'], 10);

    // Those of the last second, in the order of their own key.
    const plans = store.plans().filter(({ text }) => !text.includes('terms_due'));
    expect(plans).toHaveLength(2 * narrowed.length + 4);
    for (const { text, plan } of plans) {
      // Only those of one millisecond are put in order again.
      expect(plan.replace('TEMP B-TREE FOR LAST TERM OF ORDER BY', ''), text).not.toContain('TEMP B-TREE');
      expect(plan, text).toMatch(/USING (COVERING )?INDEX bookings_|USING PRIMARY KEY/);
    }
  },
);

inEach('finds what changed lately without reading what has waited for long', async (contents) => {
  const store = await recordingStore(contents);

  await store.bookings.changedSince(
    ['rejected', 'expired', 'held', 'unknown', 'received', 'queued'],
    minute(1),
  );

  for (const { plan } of store.plans())
    expect(plan).toMatch(/^SEARCH bookings USING INDEX bookings_changed \(state=\? AND changed_at>\?\)$/);
});

inEach(
  'compares a lead with the visits at its time and the tasks of its phone number, and no others',
  async (contents) => {
    const store = await recordingStore(contents);

    const { booking: stored } = await store.bookings.accept(booking(), judgeWithin(900_000));
    await store.bookings.resembling(stored);
    await store.bookings.accept({ ...booking(), phone_e164: stored.phone_e164 }, judgeWithin(900_000));

    const plans = store.plans().filter(({ text }) => text.includes('visits.time in'));
    expect(plans).toHaveLength(3);
    for (const { plan } of plans) {
      expect(plan).toMatch(
        /SEARCH visits USING INDEX appointments_at_time \(clinic=\? AND date=\? AND time=\?\)/,
      );
      expect(plan).toContain(
        'SEARCH bookings USING INDEX bookings_appointment (clinic=? AND appointment_id=?)',
      );
    }
    const tasks = store.plans().filter(({ text }) => text.includes('as tasks'));
    expect(tasks.map(({ plan }) => plan)).toEqual([
      expect.stringMatching(
        /SEARCH tasks (EXISTS )?USING INDEX bookings_tasks \(clinic=\? AND <expr>=\? AND received_at>\?\)/,
      ),
    ]);
  },
);

inEach('finds the merged leads of a status that gets a meaning from its visits alone', async (contents) => {
  const store = await recordingStore(contents);
  const { booking: stored } = await store.bookings.accept(
    booking({ content_hash: 'h' }),
    judgeWithin(900_000),
  );
  await store.bookings.accept(booking({ content_hash: 'h', received_at: minute(2) }), judgeWithin(900_000));
  await store.bookings.claim('main', minute(1), { ref: stored.ref, evidence: {} });
  const sent = { ref: stored.ref, attempt: 1, from: ['sending' as const], to: 'booked' as const };
  await store.bookings.move({
    ...sent,
    actor: 'daemon',
    by: 'daemon',
    at: minute(1),
    appointment_id: 990_000,
  });
  const seen = { status: 'Odd', name: null, date: '2026-04-01', time: '10:30', raw: {} };
  await store.appointments.observe({
    ...{
      clinic: 'main',
      appointment_id: 990_000,
      at: minute(3),
      next_due_at: null,
      done: true,
      changes: [],
    },
    seen: { ...seen, outcome: 'unknown' },
  });
  const before = store.plans().length;

  await store.appointments.applyOutcomes({
    ...{ clinic: 'main', at: minute(4), visitAt: () => undefined },
    outcomeOf: (status) => (status === 'Odd' ? 'cancelled' : 'unknown'),
  });

  const asked = store.plans().slice(before);
  const planOf = (text: string) => asked.find((one) => one.text.includes(text))?.plan;
  expect(planOf('"bookings"."merged" >')).toBe(
    'SEARCH visits USING INDEX appointments_by_status (clinic=? AND status=?); SEARCH bookings USING INDEX sqlite_autoindex_bookings_1 (ref=?)',
  );
  expect(planOf('from "observations"')).toContain(
    'SEARCH observations USING INDEX observations_of_appointment (clinic=? AND appointment_id=?)',
  );
});

it('reads open guards by their own index, and the others from the newest on', async () => {
  const store = await recordingStore();

  await store.guards.list();

  expect(store.plans().map(({ plan }) => plan)).toEqual([
    'SCAN guards USING INDEX guards_current',
    'SCAN guards',
  ]);
});

it('finds differing bookings in an index of only those', async () => {
  const store = await recordingStore();

  await store.bookings.differing();

  expect(store.plans().map(({ plan }) => plan)).toEqual(['SCAN bookings USING INDEX bookings_differing']);
});

inEach('reads indexes alone to find a person', async (contents) => {
  const store = await recordingStore(contents);

  await store.findPerson({ phones: ['+8801700000007'], refs: ['CS-000009'] });

  for (const { plan } of store.plans())
    expect(plan).toMatch(
      /USING COVERING INDEX bookings_(phone|submission)$|INDEX (bookings_numbers|appointments_unbooked|sqlite_autoindex_bookings_1 \(ref=\?\))$/,
    );
});

it('finds pages, figures and changes by an index, and sorts nothing', async () => {
  const store = await recordingStore();
  const last = {
    ...{ received_at: minute(0), converted_at: minute(0), retracted_at: minute(0), n: 1 },
    ref: 'CS-1',
    appointment_id: 1,
    at: minute(0),
  };

  for (const table of [
    'bookings',
    'appointments',
    'organization_statistics',
    'conversions',
    'retractions',
  ] as const) {
    await store.mirror.page(table, 'main', 10);
    await store.mirror.page(table, 'main', 10, last);
  }
  for (const table of ['treatments', 'dentists'] as const) {
    await store.mirror.page(table, 'main', 10);
    await store.mirror.page(table, 'main', 10, { treatment_id: 7, doctor_id: 7 });
  }
  for (const kind of ['treatment', 'dentist'] as const) {
    await store.reports.feesAt('main', kind, { end: minute(1), limit: 10 });
    await store.reports.feesAt('main', kind, { end: minute(1), limit: 10, after: '7' });
  }
  await store.changes.after('main', 0, 10);
  await store.changes.page({ clinic: 'main', limit: 10 });
  await store.changes.page({ clinic: 'main', resource: 'booking', limit: 10 });
  await store.changes.page({ clinic: 'main', resource: 'treatment', limit: 10 });
  await store.changes.history('main', 'treatment', '1');
  await store.changes.historyPage('main', 'treatment', 10);
  await store.changes.historyPage('main', 'treatment', 10, { id: '1', sequence: 1 });
  await store.appointments.page('main', 10);
  await store.appointments.page('main', 10, 7);
  await store.deliveries.list({ state: 'dead', limit: 10 });

  for (const { text, plan } of store.plans()) expect(plan, text).not.toContain('TEMP B-TREE');
  const ofResource = store.plans().filter(({ text }) => /resource.*order by "sequence" desc/.test(text));
  expect(ofResource.map(({ plan }) => plan)).toEqual([
    ...['booking', 'treatment'].map(
      () => 'SEARCH changes USING INDEX changes_of_resource (clinic=? AND resource=?)',
    ),
  ]);
  const priced = store.plans().filter(({ text }) => text.includes('fee_periods'));
  expect(priced.map(({ plan }) => plan)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining('USING INDEX fee_periods_listed')),
  );
});

inEach('enters the conversions at a place in their order, or by their leads', async (contents) => {
  const store = await recordingStore(contents);

  await store.mirror.page('conversions', 'main', 10, { converted_at: minute(0), ref: 'CS-1' });
  await store.mirror.rowsById('conversions', 'main', ['CS-1', 'CS-2']);

  expect(store.plans().map(({ plan }) => plan)).toEqual([
    expect.stringMatching(
      /^SEARCH bookings USING INDEX bookings_converted \(clinic=\? AND \(completed_at,ref\)>\(\?,\?\)\)/,
    ),
    ...['few', 'many'].map(() =>
      expect.stringMatching(/^SEARCH bookings USING INDEX sqlite_autoindex_bookings_1 \(ref=\?\)/),
    ),
  ]);
});

inEach('enters every page, and the fees of a period, at the row they follow', async (contents) => {
  const store = await recordingStore(contents);
  const last = { received_at: minute(0), ref: 'CS-1', retracted_at: minute(0), n: 1, at: minute(0) };
  const number = { appointment_id: 1, treatment_id: 7, doctor_id: 7 };

  for (const table of ['bookings', 'leads', 'retractions', 'organization_statistics'] as const)
    await store.mirror.page(table, 'main', 10, last);
  for (const table of ['appointments', 'treatments', 'dentists'] as const)
    await store.mirror.page(table, 'main', 10, number);
  await store.reports.feesAt('main', 'treatment', { end: minute(1), limit: 10, after: '7' });

  const pages = store.plans().filter(({ text }) => text.includes('limit'));
  expect(pages).toHaveLength(8);
  for (const { text, plan } of pages) expect(plan, text).toMatch(/^SEARCH \S+ USING [^;]*>\(?\?/);
});

it('lists the newest deliveries of one connector through an index', async () => {
  const store = await recordingStore();

  await store.deliveries.list({ connector: 'crm', limit: 10 });
  await store.deliveries.list({ connector: 'crm', limit: 10, before: 7 });

  expect(store.plans().map(({ plan }) => plan)).toEqual([
    'SEARCH deliveries USING INDEX deliveries_of_connector (connector=?)',
    'SEARCH deliveries USING INDEX deliveries_of_connector (connector=? AND n<?)',
  ]);
});

it('finds a connector’s due deliveries clinic by clinic, using only indexes', async () => {
  const store = await recordingStore();
  const waiting = [delivery(1, 'a'), delivery(2, 'b')];
  await store.deliveries.enqueue('crm', 'main', 2, waiting, minute(0));
  const before = store.plans().length;

  const due = await store.deliveries.due('crm', minute(1), 10);
  await store.deliveries.nextDue('crm');

  expect(due).toHaveLength(2);
  const plans = store.plans().slice(before);
  expect(plans.map(({ plan }) => plan)).toEqual([
    expect.stringMatching(
      /SEARCH deliveries USING COVERING INDEX deliveries_pending \(connector=\?\).*SEARCH deliveries USING COVERING INDEX deliveries_pending \(connector=\? AND clinic>\?\)/,
    ),
    expect.stringMatching(
      /SEARCH found USING INTEGER PRIMARY KEY \(rowid=\?\).*SEARCH d USING INDEX deliveries_pending \(connector=\? AND clinic=\?\).*SEARCH front USING (COVERING )?INDEX deliveries_in_front/,
    ),
    expect.stringMatching(
      /^SEARCH d USING INDEX deliveries_next \(connector=\?\).*SEARCH front USING (COVERING )?INDEX deliveries_in_front/,
    ),
  ]);
  for (const { plan } of plans) expect(plan).not.toContain('TEMP B-TREE');
});
