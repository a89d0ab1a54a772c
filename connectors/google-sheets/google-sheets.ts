import {
  type ConnectorContext,
  defineConnector,
  type ErasedPeople,
  type MirrorView,
} from '../../src/connector.ts';
import { Failure } from '../../src/platform/failure.ts';
import { createClient } from './api/client.ts';
import { readCredentials } from './api/credentials.ts';
import { createBookingsDesk } from './bookings/bookings-tab.ts';
import { createClaims } from './bookings/claims.ts';
import { checkSpreadsheet } from './check.ts';
import { createReader } from './reader.ts';
import { repairColumns } from './repair.ts';
import { type Rules, soundRules } from './rules.ts';
import { GoogleSheetsSettings } from './settings.ts';
import { createSpreadsheet } from './spreadsheet.ts';

const WITH_BOOKINGS_MS = 30_000;
const ALONE_MS = 5 * 60_000;

/** Builds the connector. The client is loaded and the key read with the first call, so a start needs no network. */
export async function createGoogleSheets(
  context: ConnectorContext<GoogleSheetsSettings>,
  rules: Rules = soundRules,
  random: () => number = Math.random,
) {
  const { name, settings, memory, bookings, clock } = context;
  if (settings.tabs.includes('appointments') && !context.includePatient)
    context.log.info('appointments are shown without names', { connector: name });
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const credentials = await readCredentials(settings);
    const client = await createClient({
      credentials,
      spreadsheetId: settings.spreadsheet,
      apiUrl: settings.api_url,
      clock,
      random,
    });
    const reader = createReader({ client, memory });
    const desk = createBookingsDesk({
      source: name,
      bookings,
      claims: createClaims(memory),
      clock,
      rules,
      random,
    });
    const parts = { context, client, reader, desk, rules, random };
    return { credentials, client, reader, parts, spreadsheet: createSpreadsheet(parts) };
  }
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      // The key may be put right while we run.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    state: {
      everyMs: settings.tabs.includes('bookings') ? WITH_BOOKINGS_MS : ALONE_MS,
      converge: async (mirror: MirrorView, signal: AbortSignal) => {
        signal.throwIfAborted();
        return (await opened()).spreadsheet.converge(mirror, signal);
      },
    },
    check: (signal: AbortSignal) => checkSpreadsheet({ context, opened }, signal),
    async repair(signal: AbortSignal) {
      signal.throwIfAborted();
      const { parts, spreadsheet } = await opened();
      const repaired = await repairColumns(parts, signal);
      spreadsheet.doubt();
      context.wake();
      return repaired;
    },
    async forget(erased: ErasedPeople, mirror: MirrorView, signal: AbortSignal) {
      signal.throwIfAborted();
      await (await opened()).spreadsheet.forget(erased, mirror, signal);
    },
    async stop() {},
  };
}

export const googleSheets = defineConnector<GoogleSheetsSettings>({
  name: 'google-sheets',
  summary: 'Keeps a Google spreadsheet in step with the clinic, and books the rows people tick in it.',
  settings: GoogleSheetsSettings,
  secrets: ['credentials'],
  async create(context) {
    const { settings, clinics } = context;
    if (clinics.length === 0)
      throw new Failure({
        kind: 'refused',
        message: 'No clinic is served.',
        hint: 'Name one under `clinics`.',
      });
    if (new Set(settings.tabs).size !== settings.tabs.length)
      throw new Failure({
        kind: 'refused',
        message: 'A tab is named twice under `tabs`.',
        hint: 'Name each once.',
      });
    return createGoogleSheets(context);
  },
});
