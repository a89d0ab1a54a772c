import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { describeConnector } from '../../test/conformance/connector/describe-connector.ts';
import { googleSheets } from './google-sheets.ts';

describeConnector({
  kind: googleSheets,
  abilities: ['state'],
  async setUp() {
    const sandbox = await startSheetsSandbox();
    return {
      settings: {
        spreadsheet: sandbox.spreadsheetId,
        credentials: JSON.stringify(sandbox.credentials),
        api_url: `${sandbox.url}/`,
        tabs: [
          'treatments',
          'dentists',
          'clinic',
          'fee_history',
          'statistics',
          'appointments',
          'bookings',
          'sync',
        ],
      },
      contents: async () =>
        JSON.stringify(
          sandbox.control.book.grids.map(({ title, rows, metadata }) => [title, rows, metadata]),
        ),
      tearDown: () => sandbox.close(),
    };
  },
});
