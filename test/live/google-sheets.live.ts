import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../connectors/google-sheets/api/client.ts';
import { readCredentials } from '../../connectors/google-sheets/api/credentials.ts';
import { createGoogleSheets } from '../../connectors/google-sheets/google-sheets.ts';
import { GoogleSheetsSettings, tabKeys } from '../../connectors/google-sheets/settings.ts';
import { sentenceOf } from '../../src/connector.ts';
import { systemClock as clock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { desk } from '../support/csv/kit.ts';
import {
  appointmentRow,
  dentistRow,
  feeChange,
  mirrorView,
  type SheetsMirror,
  treatmentRow,
} from '../support/sheets/kit.ts';
import { askSheets, report } from '../support/sheets/questions.ts';

/**
 * The same connector against the real Google Sheets. Not part of `npm test`. It needs an empty spreadsheet that is
 * shared with the service account as Editor, and that may be overwritten:
 *
 *   SHEETS_LIVE_SPREADSHEET=1Bx… SHEETS_LIVE_CREDENTIALS_FILE=key.json npx vitest run --config test/live/vitest.config.ts
 *
 * What it finds out of the real Google, and the list of what is left for people's hands, is written to
 * test/live/google-sheets.result.md.
 *
 * Running it again with the same SHEETS_LIVE_OWNER (default: live) continues with the same spreadsheet.
 */
const spreadsheet = process.env.SHEETS_LIVE_SPREADSHEET ?? '';
const file = process.env.SHEETS_LIVE_CREDENTIALS_FILE ?? '';
/** Another server than Google's, to try this file itself. */
const other = process.env.SHEETS_LIVE_API_URL;
const api = other === undefined ? {} : { api_url: other };
/** What the connector said of its own runs. */
const said: string[] = [];
const signal = () => AbortSignal.timeout(120_000);

describe('the real Google Sheets', () => {
  it('takes every tab, is quiet afterwards, and follows a change', async () => {
    const mirror: SheetsMirror = {
      rows: {
        treatments: [1, 2, 3].map((id) => treatmentRow(id)),
        dentists: [dentistRow(7)],
        appointments: [appointmentRow(5101)],
        organization_statistics: [
          { clinic: 'main', at: '2026-02-05T00:00:00.000Z', total_patients: 120, total_appointments: 950 },
        ],
      },
      changes: [feeChange(1)],
      leads: {
        received: [{ source: 'website', at: new Date().toISOString(), count: 2 }],
        states: { booked: 2 },
      },
      asOf: new Date().toISOString(),
    };
    const office = desk(clock);
    const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
    const connector = await createGoogleSheets({
      name: 'live',
      settings: GoogleSheetsSettings.parse({
        spreadsheet,
        credentials: await readFile(file, 'utf8'),
        tabs: [...tabKeys],
        ...api,
      }),
      clinics,
      includePatient: false,
      instance: process.env.SHEETS_LIVE_OWNER ?? 'live',
      bookings: office.port,
      memory: office.memory,
      clock,
      log: silentLog,
      wake() {},
    });
    const converge = () => connector.state.converge(mirrorView(mirror, office, clinics), signal());

    const lines = await connector.check(signal());
    const first = await converge();
    // What is made in one run is given its age and its charts in the next.
    const second = await converge();
    const quiet = await converge();
    said.push(...[first, second, quiet].flatMap(({ problems }) => problems.map(sentenceOf)));
    const fee = `${new Date().getMinutes() + 100}.50`;
    mirror.rows.treatments = [treatmentRow(1, { base_fee: fee }), treatmentRow(2), treatmentRow(3)];
    const changed = await converge();
    const settled = await converge();

    expect(lines.filter(({ level }) => level === 'fail')).toEqual([]);
    expect([quiet.written, said]).toEqual([{}, []]);
    expect(changed.written).toMatchObject({ Treatments: 1 });
    expect(settled.written).toEqual({});
  }, 300_000);

  it('is asked what its documentation leaves open', async () => {
    const settings = GoogleSheetsSettings.parse({ spreadsheet, credentials_file: file, ...api });
    const credentials = await readCredentials(settings, 'accounts');
    const client = await createClient({
      connector: 'accounts',
      ...{ credentials, spreadsheetId: settings.spreadsheet, clock },
      apiUrl: settings.api_url,
      random: Math.random,
    });

    const findings = await askSheets(client, Math.floor(Math.random() * 2 ** 31), signal());

    const result = report(findings, [...new Set(said)], {
      server: other ?? 'the real Google Sheets',
      date: new Date().toISOString().slice(0, 10),
    });
    await writeFile(new URL('google-sheets.result.md', import.meta.url), result);
    expect(Object.keys(findings)).not.toEqual([]);
  }, 120_000);
});
