import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { booking } from '../../../../test/conformance/store/samples.ts';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { runCommand } from '../../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { judgeWithin } from '../../../bookings/duplicates/judge-lead.ts';
import { instant } from '../../../platform/clock.ts';
import { MINUTE } from '../../../platform/duration.ts';
import { silentLog } from '../../../platform/log.ts';
import { openFileStore } from '../../../store/sqlite.ts';

/** November 2020 by the clocks of each zone: far from UTC, off by a quarter of an hour, and with midnight twice. */
const novembers = [
  { zone: 'Pacific/Kiritimati', begins: '2020-10-31T10:00:00.000Z' },
  { zone: 'Pacific/Pago_Pago', begins: '2020-11-01T11:00:00.000Z' },
  { zone: 'Asia/Kathmandu', begins: '2020-10-31T18:15:00.000Z' },
  // On 1 November at one o'clock the clocks went back to midnight.
  { zone: 'America/Havana', begins: '2020-11-01T04:00:00.000Z' },
];

/** A fee that changes, and a lead that comes, a minute before and half an hour after November begins; and an hour later. */
async function around({ zone, begins }: (typeof novembers)[number], others: readonly string[] = []) {
  const folder = await temporaryFolder();
  const [config, file] = [join(folder, 'clinic-sync.yaml'), join(folder, 'clinic.db')];
  const clinic = (timezone: string) =>
    `{ base_url: "https://c.example", app_key: a, secret_key: b, timezone: ${timezone} }`;
  const keys = [['main', zone] as const, ...others.map((one, at) => [`other${at}`, one] as const)];
  writeFileSync(
    config,
    `version: 1\nclinics:\n${keys.map(([key, of]) => `  ${key}: ${clinic(of)}\n`).join('')}store: { sqlite: ${file} }\n`,
  );
  const clock = fakeClock(begins);
  const store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  const fee = async (minutes: number, base_fee: string, former: string | null) => {
    const fields = { treatment_id: 1, treatment_name: 'Scaling', base_fee };
    const at = instant(Date.parse(begins) + minutes * MINUTE);
    const type = former === null ? 'treatment.created' : 'treatment.updated';
    const previous = former === null ? null : { base_fee: former };
    await store.mirror.record({
      ...{ clinic: 'main', poll: 'treatments', at, removals: [] },
      upserts: [{ id: '1', fields, raw: fields, hash: at }],
      changes: [{ type, resource: 'treatment', id: '1', data: fields, previous }],
    });
  };
  await fee(-90, '70.00', null);
  await fee(-1, '75.00', '70.00');
  await fee(30, '80.00', '75.00');
  await fee(90, '85.00', '80.00');
  for (const minutes of [-1, 30]) {
    const received_at = instant(Date.parse(begins) + minutes * MINUTE);
    await store.bookings.accept(
      booking({ received_at, appointment_time: `1${minutes % 7}:00` }),
      judgeWithin(1),
    );
  }
  await store.close();
  return (...argv: string[]) => runCommand(['report', ...argv, '--config', config]);
}

const clockOf = (zone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone }).format(ms);

it.each(novembers)(
  'closes October in $zone at midnight there, and tells every time by that clock',
  async (month) => {
    const report = await around(month);
    const begins = Date.parse(month.begins);

    const october = JSON.parse((await report('month', '2020-10', '--json')).out).clinics[0];
    const november = JSON.parse((await report('month', '2020-11', '--json')).out).clinics[0];
    const { out: table } = await report('month', '2020-10');
    const { out: page } = await report('month', '2020-10', '--html');
    const { out: prices, err } = await report('fees', '--on', '2020-10-31');
    const { out: changes } = await report('fees', '--changes', '--from', '2020-10-31', '--to', '2020-10-31');

    expect([october.to, november.from]).toEqual([month.begins, month.begins]);
    expect([october.fees[0].fee, november.fees[0].fee]).toEqual(['75.00', '85.00']);
    expect([october.leads_total.leads, november.leads_total.leads]).toEqual([1, 1]);
    expect([october.changes.length, november.changes.length]).toEqual([2, 2]);
    const lastMinute = clockOf(month.zone, begins - MINUTE);
    expect(lastMinute).toMatch(/^2020-10-31 23:59/);
    for (const shown of [table, page, prices, changes]) {
      expect(shown).toContain(lastMinute);
      expect(shown).not.toMatch(/:\d\d(\.\d+)?Z|UTC/);
    }
    expect(err).toContain(month.zone);
  },
);

it('says which of two equal times it was when the clocks went back over midnight', async () => {
  const report = await around(novembers[3] as (typeof novembers)[number]);

  const { out } = await report('fees', '--changes', '--from', '2020-11-01', '--to', '2020-11-01');

  expect(out).toMatch(/2020-11-01 00:30 -04:00 .*75\.00 +80\.00/);
  expect(out).toMatch(/2020-11-01 00:30 -05:00 .*80\.00 +85\.00/);
});

it('takes the same month for every clinic, whichever calendar is ahead', async () => {
  const [first, second] = novembers as [(typeof novembers)[number], (typeof novembers)[number]];
  const report = await around(first, [second.zone]);
  // 1 November, 14:00 in one; 31 October, 13:00 in the other.
  vi.useFakeTimers({ now: Date.parse('2020-11-01T00:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());

  const { clinics } = JSON.parse((await report('month', '--json')).out);
  const leads = JSON.parse((await report('leads', '--json')).out);

  expect(clinics.map((one: { month: string }) => one.month)).toEqual(['2020-09', '2020-09']);
  expect(leads).toMatchObject([{ clinic: 'main', leads: 1 }]);
});
