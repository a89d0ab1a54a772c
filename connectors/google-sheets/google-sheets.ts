import {
  type ConnectorContext,
  defineConnector,
  type ErasedPeople,
  type MirrorView,
} from '../../src/connector.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import { languages, loadTexts } from '../../src/texts/texts.ts';
import { createClient } from './api/client.ts';
import { readCredentials } from './api/credentials.ts';
import { isSignedOut } from './api/failures.ts';
import { signInWithBrowser } from './api/login.ts';
import { createBookingsTab } from './bookings/bookings-tab.ts';
import { createClaims } from './bookings/claims.ts';
import { checkSpreadsheet } from './check.ts';
import { createReader } from './reader.ts';
import { repairColumns } from './repair.ts';
import { GoogleSheetsSettings } from './settings.ts';
import { createSpreadsheet, type Spreadsheet } from './spreadsheet.ts';
import { createWriteJournal } from './write-journal.ts';
import { createWriteTraces } from './write-traces.ts';
import { createWriteVerification } from './write-verification.ts';

const WITH_BOOKINGS_MS = 30_000;
const ALONE_MS = 5 * MINUTE;

/** Reads the key and creates Google's client. Throws `Failure` when the key is unreadable. */
export async function openSpreadsheet(
  context: ConnectorContext<GoogleSheetsSettings>,
  {
    random = Math.random,
    connect = createClient,
  }: { random?: () => number; connect?: typeof createClient } = {},
) {
  const { name, settings, memory, bookings, clock, log } = context;
  // A header is known in whatever language it was written.
  await Promise.all(languages.map(loadTexts));
  const credentials = await readCredentials(settings, name);
  const client = await connect({
    connector: name,
    credentials,
    spreadsheetId: settings.spreadsheet,
    apiUrl: settings.api_url,
    clock,
    random,
  });
  const reader = createReader({ client, memory, clock, spreadsheetId: settings.spreadsheet });
  const traces = createWriteTraces();
  return {
    context,
    credentials,
    client,
    reader,
    traces,
    bookingsTab: createBookingsTab({
      ...{ source: name, bookings, claims: createClaims(memory), clock, random },
      language: settings.language,
    }),
    verification: createWriteVerification({
      client,
      reader,
      journal: createWriteJournal(memory, clock),
      traces,
      log,
      connector: name,
    }),
    random,
  };
}
export type OpenSpreadsheet = Awaited<ReturnType<typeof openSpreadsheet>>;

/** Builds the connector. The spreadsheet is opened on first use, so the start needs no network. */
export async function createGoogleSheets(
  context: ConnectorContext<GoogleSheetsSettings>,
  open: () => Promise<OpenSpreadsheet> = () => openSpreadsheet(context),
) {
  const { name, settings } = context;
  if (settings.tabs.includes('appointments') && !context.includePatient)
    context.log.info('appointments are shown without names', { connector: name });
  let opening: Promise<OpenSpreadsheet & { spreadsheet: Spreadsheet }> | undefined;
  const opened = () => {
    opening ??= open()
      .then((parts) => ({ ...parts, spreadsheet: createSpreadsheet(parts) }))
      .catch((error: unknown) => {
        // The key file may be corrected while the daemon runs.
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
        const { spreadsheet } = await opened();
        try {
          return await spreadsheet.converge(mirror, signal);
        } catch (error) {
          // The rejected key or sign-in may be replaced with another.
          if (isSignedOut(error)) opening = undefined;
          throw error;
        }
      },
    },
    check: (signal: AbortSignal) => checkSpreadsheet({ context, opened }, signal),
    async repair(signal: AbortSignal) {
      signal.throwIfAborted();
      const { spreadsheet, ...parts } = await opened();
      const repaired = await repairColumns(parts, signal);
      spreadsheet.invalidate();
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
  summary: 'Keeps a Google spreadsheet up to date with the clinic, and books the rows people tick in it.',
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
  async login({ oauth_client_file: client, credentials_file: credentials }, options, signal) {
    if (client === undefined || credentials === undefined)
      throw new Failure({
        kind: 'refused',
        message: 'A sign-in needs oauth_client_file, and credentials_file to keep it in.',
        hint: 'A key of a service account in credentials_file needs no sign-in.',
      });
    await signInWithBrowser({ client, credentials }, options, signal);
  },
  beyondReach({ name, settings: { spreadsheet }, leads, isErased }) {
    const sheet = `the spreadsheet of ${name} (${spreadsheet})`;
    if (isErased)
      return [
        `rows of ${sheet} that were changed after they were sent (its Sync tab names them), what ` +
          'people pasted elsewhere in it, and its version history at Google',
      ];
    const refs = leads.filter(({ source }) => source === name).map(({ ref }) => ref);
    const rows = refs.length === 0 ? 'rows' : `the rows ${refs.join(', ')}`;
    return [`${rows} that people typed into ${sheet}, and its version history at Google`];
  },
});
