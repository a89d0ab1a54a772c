import { expect, it } from 'vitest';
import { type LeadsRow, leadGroups } from '../../src/domain/clinics/report-columns.ts';
import { booking, judge, minute } from '../conformance/store/samples.ts';
import { startedReports } from '../support/http/report-story.ts';
import { tables, textOf } from '../support/http/report-tables.ts';

const monthOrName = (group: string, by: string) =>
  by === 'month'
    ? new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(new Date(`${group}-15`))
    : group;

it.each(leadGroups)('shows the figures of `report leads --by %s`, for each clinic', async (by) => {
  const { load, leads } = await startedReports();
  const period = by === 'month' ? ['--from', '2025-04-01', '--to', '2026-03-31'] : ['--month', '2026-03'];

  const rows = await leads('--by', by, ...period);
  const { page } = await load(`/reports?by=${by}&month=2026-03`);

  const shown = tables(page, ': Leads');
  expect(shown).toHaveLength(2);
  expect(shown.flat().map((cells) => cells.slice(0, 11))).toEqual(
    rows.map((row) => [
      row.group === null ? 'none' : monthOrName(row.group, by),
      ...(['leads', 'booked'] as const).map((name) => `${row[name]} (${row[`${name}_before`]})`),
      String(row.to_come),
      `${row.completed} (${row.completed_before})`,
      ...[row.cancelled, row.no_show, row.unknown, row.open, row.lost].map(String),
      row.value || row.value_before ? `${amount(row.value, row)} ( ${amount(row.value_before, row)} )` : '–',
    ]),
  );
  for (const row of rows)
    expect(
      row.to_come + row.completed + row.cancelled + row.no_show + row.unknown + row.open + row.lost,
    ).toBe(row.leads);
});

const amount = (value: number | null, { currency }: LeadsRow): string =>
  value ? `${currency === 'BDT' ? value.toFixed(2) : value.toLocaleString('en')} ${currency}` : '–';

it('puts clinics side by side and sums them, each value in its own currency', async () => {
  const { load } = await startedReports();

  const { page } = await load('/reports?month=2026-03');

  const [beside] = tables(page, '2 clinics together');
  const [bySource = []] = tables(page, '2 clinics together · Source');
  const total = textOf(/<tr[^>]*><th[^>]*>(?:<bdi>)?Total[\s\S]*?<\/tr>/.exec(page)?.[0] ?? '');
  expect(beside?.map(([name, leads]) => [name, leads])).toEqual([
    ['Bright Dental', '8 (2)'],
    ['tokyo', '8 (2)'],
  ]);
  expect(bySource.map(([name]) => name).sort()).toEqual(['sheet', 'website']);
  expect(total).toMatch(/^Total 16 \(4\) /);
  expect(page).toMatch(/201\.00 BDT<\/bdi> *<bdi class="amount">30,000 JPY/);
  expect(page.match(/These statuses have no meaning configured: Rätselhaft/g)).toHaveLength(2);
});

it('tells clinics of one name apart', async () => {
  const { load } = await startedReports({ main: 'Smile', tokyo: 'Smile' });

  const { page } = await load('/reports?month=2026-03');

  const [beside] = tables(page, '2 clinics together');
  expect(beside?.map(([name]) => name)).toEqual(['Smile (main)', 'Smile (tokyo)']);
  expect(page).toContain('<option value="tokyo">Smile (tokyo)</option>');
  expect(page).toMatch(/<h2 id="clinic-tokyo">Smile \(tokyo\)<\/h2>/);
});

it('is whole without a script, and leaves nothing that a visitor typed as markup', async () => {
  const { load } = await startedReports();

  const { page } = await load('/reports?by=campaign&month=2026-03');
  const { answer } = await load('/reports?clinic=nobody');

  expect(page).not.toContain('<script');
  expect(page).toContain('=spring&lt;b&gt;');
  expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(3);
  expect(answer.status).toBe(404);
});

it('has the month of one clinic as a file to print', async () => {
  const { load } = await startedReports();

  const { answer, page } = await load('/reports/month.html?clinic=tokyo&month=2026-03');
  const future = await load('/reports/month.html?clinic=tokyo&month=2999-01');

  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="month-2026-03.html"');
  expect(page).toContain('Fees at the end of the month');
  expect(page).toContain('15,000');
  expect(future.answer.status).toBe(404);
});

it.each(['2026-03-01', '2026-03-02'])('lists the prices of %s as `report fees --on` does', async (day) => {
  const { load, prices } = await startedReports();
  const said = (at: string | null) =>
    at === null
      ? ''
      : new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Dhaka' }).format(new Date(at));

  const listed = (await prices(day)).filter(({ clinic }) => clinic === 'main');
  const { page } = await load(`/fees?clinic=main&on=${day}`);

  expect(listed).toHaveLength(1);
  expect(tables(page, 'Treatments').flat()).toEqual(
    listed.map(({ name, fee, since, until }) => [
      name,
      `${Number(fee).toLocaleString('en', { minimumFractionDigits: 2 })} BDT`,
      said(since),
      said(until),
    ]),
  );
});

it('shows what one item has cost, and says that a future day has today’s prices', async () => {
  const { load } = await startedReports();

  const { page } = await load('/fees/tokyo/treatment/3');
  const future = await load('/fees?clinic=tokyo&on=2999-01-01');

  expect(textOf(page)).toContain(
    'Fee of Treatment 3: 15,000 JPY → 915,000 JPY since 2 March 2026 Fee of Treatment 3: 15,000 JPY since 1 March 2026',
  );
  expect(future.page).toContain('value="2026-03-02"');
  expect(future.page).toContain('1 January 2999 has not come yet: these are today’s prices.');
});

it('adds a clinic up once, until its log moves, a person is erased or minutes have passed', async () => {
  const { load, store, clock, asked } = await startedReports();
  const path = '/reports?by=campaign&month=2026-03';
  const again = async () => {
    asked.length = 0;
    const { page } = await load(path);
    return { page, asked: [...asked].sort() };
  };

  const both = await Promise.all([load(path), load(path)]);
  const first = [...asked].sort();
  const quiet = await again();
  await store.bookings.accept(
    booking({ clinic: 'tokyo', received_at: minute(90), appointment_time: '19:00' }),
    judge,
  );
  const afterLead = await again();
  const [row] = (await store.mirror.rows('leads', 'main')).filter(({ campaign }) => campaign !== null);
  await store.erase({ refs: [String(row?.ref)] }, minute(91), 'Rima');
  const afterErasing = await again();
  await clock.advance(5 * 60_000);
  const later = await again();

  // The month, and the one before.
  expect(first).toEqual(['main', 'main', 'tokyo', 'tokyo']);
  expect(both[0]?.page).toBe(both[1]?.page);
  expect(quiet.asked).toEqual([]);
  expect(afterLead.asked).toEqual(['tokyo', 'tokyo']);
  expect(afterErasing.asked).toEqual(first);
  expect(afterErasing.page).not.toBe(afterLead.page);
  expect(later.asked).toEqual(first);
});
