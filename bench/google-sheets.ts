/**
 * What a spreadsheet costs: calls and bytes per idle run, per changed row and for the first fill, against the sheets
 * sandbox. Run: node bench/google-sheets.ts
 */

import { startSheetsSandbox } from '../sandbox/google-sheets/google-sheets.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { sheetsRig, treatmentRow } from '../test/support/sheets/kit.ts';

const MB = 2 ** 20;
const tabs = ['treatments', 'bookings', 'sync'];

const rssBefore = process.memoryUsage.rss();
const importStart = performance.now();
await import('googleapis/build/src/apis/sheets/index.js');
console.log(
  `importing the client: ${Math.round(performance.now() - importStart)} ms, ${Math.round((process.memoryUsage.rss() - rssBefore) / MB)} MB RSS`,
);

for (const rows of [100, 1_000, 10_000]) {
  const sandbox = await startSheetsSandbox();
  const { calls } = sandbox.control;
  sandbox.control.setQuota({ read: 1e6, write: 1e6 });
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs } });
  rig.mirror.rows.treatments = Array.from({ length: rows }, (_, index) => treatmentRow(index + 1));

  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const measure = async (what: string, work: () => Promise<void>) => {
    calls.length = 0;
    const start = performance.now();
    await work();
    const of = (kind: string) => calls.filter(({ call }) => call === kind);
    const up = calls.reduce((sum, { bytesIn }) => sum + bytesIn, 0);
    const down = calls.reduce((sum, { bytesOut }) => sum + bytesOut, 0);
    console.log(
      `${rows} rows, ${what}: ${of('read').length} reads, ${of('write').length} writes, ${up} bytes up, ${down} bytes down, ${Math.round(performance.now() - start)} ms`,
    );
  };
  await measure('first fill', async () => {
    while ((await rig.converge()).nextInMs !== undefined);
  });
  await measure('idle run', async () => void (await rig.converge()));
  await measure('one fee changed', async () => {
    const [, ...others] = rig.mirror.rows.treatments ?? [];
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '7.25' }), ...others];
    await rig.converge();
  });
  clearInterval(watch);
  console.log(`${rows} rows: peak RSS ${Math.round(peak / MB)} MB, sandbox included`);
  await sandbox.close();
}
