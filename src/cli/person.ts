import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { comparablePhone, countryFor, dialled, mentionsPhone } from '../domain/phone.ts';
import { codeOf } from '../platform/failure.ts';
import type { Mention } from '../store/ports/removal.ts';
import type { Store } from '../store/store.ts';

/**
 * Every form in which the number may be stored: as typed, as digits, in E.164 for each clinic's country, and in the
 * national form that was stored while the country was unknown.
 */
export async function phoneForms(store: Store, config: Config, phone: string): Promise<string[]> {
  const found = new Set([phone]);
  const digits = comparablePhone(phone, undefined);
  if (digits !== null) found.add(digits);
  for (const { key, country } of config.clinics) {
    const [organization] = await store.mirror.rows('organization', key);
    const number = comparablePhone(phone, countryFor(country, organization));
    if (number !== null) for (const form of [number, ...dialled(number)]) found.add(form);
  }
  return [...found];
}

/** Lists bookings that may be about the same person, for the user to decide. */
export const mentionLines = (mentions: readonly Mention[]): string[] =>
  mentions.length === 0
    ? []
    : [
        'The number, or one with the same last digits, also occurs in these bookings. Look at each (clinic-sync bookings show REF);',
        'if it is the same person, repeat the command with --also REF:',
        ...mentions.map(({ ref, fields }) => `  ${ref}: ${fields.join(', ')}`),
      ];

/**
 * Lines of inbox files that contain the number in a column or row that was not booked, such as `/inbox/done/leads.csv,
 * line 3`.
 */
export const inboxMentions = ({ connectors }: Config, phones: readonly string[]): string[] =>
  connectors
    .flatMap(({ use, settings }) => (use === 'csv' ? ((settings as { inbox?: string }).inbox ?? []) : []))
    .flatMap((inbox) => ['', 'processing', 'done', 'results', 'failed'].map((name) => join(inbox, name)))
    .flatMap(plainFilesIn)
    .flatMap((file) =>
      // In UTF-16, digits are followed by zero bytes.
      readFileSync(file, 'utf8')
        .replaceAll('\0', '')
        .split(/\r\n|\r|\n/)
        .flatMap((text, at) => (mentionsPhone(text, phones) ? [`${file}, line ${at + 1}`] : [])),
    );

function plainFilesIn(folder: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.filter((path) => lstatSync(path).isFile()).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A booking and one connector that brought it. */
export interface Lead {
  ref: string;
  source: string;
  clinic: string;
  /** Whether it came with a campaign or a click. */
  isTracked: boolean;
}

/** Each booking with every connector that brought it: the first, and those whose submissions merged into it. */
export async function leadsOf(
  { connectors }: Config,
  store: Store,
  refs: readonly string[],
): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (const ref of refs) {
    const booking = await store.bookings.get(ref);
    if (booking === undefined) continue;
    const { clinic, click_id, channel, campaign } = booking;
    const isTracked = [click_id, channel, campaign].some((one) => one !== null);
    leads.push({ ref, source: booking.source, clinic, isTracked });
    for (const { name: source } of connectors)
      if (source !== booking.source && (await store.bookings.cameFrom(ref, source)))
        leads.push({ ref, source, clinic, isTracked });
  }
  return leads;
}

interface Given {
  connector: Config['connectors'][number];
  /** The only host that has its folders, if that is another one. */
  host: string | undefined;
  leads: readonly Lead[];
  isErased: boolean;
  /** Whether each conversion in this connector's files is named elsewhere. */
  isNamed(connector: string): boolean;
}

/**
 * Places outside this program that may hold a person's data; rows of a sheet by ref. `isErased`: only what remains
 * after every connector has removed the person.
 */
export const givenTo = (
  { connectors, store: { postgres } }: Pick<Config, 'connectors' | 'store'>,
  leads: readonly Lead[],
  {
    isErased = false,
    isNamed = () => false,
  }: { isErased?: boolean; isNamed?(connector: string): boolean } = {},
): string[] =>
  connectors.flatMap((connector) => {
    const { name, use, includePatient, on } = connector;
    const places = placesOf[use];
    const host = postgres === undefined || on === hostname() ? undefined : on;
    if (places) return places({ connector, host, leads, isErased, isNamed });
    return includePatient ? [`what ${name} (${use}) was given`] : [];
  });

const settingsOf = ({ settings }: Given['connector']) =>
  Object(settings) as Record<string, string | undefined>;

const placesOf: Record<string, (given: Given) => string[]> = {
  'google-sheets'({ connector, leads, isErased }) {
    const { name } = connector;
    const sheet = `the spreadsheet of ${name} (${settingsOf(connector).spreadsheet})`;
    if (isErased)
      return [
        `rows of ${sheet} that were changed after they were sent (its Sync tab names them), what people pasted elsewhere in it, and its version history at Google`,
      ];
    const refs = leads.filter(({ source }) => source === name).map(({ ref }) => ref);
    const rows = refs.length === 0 ? 'rows' : `the rows ${refs.join(', ')}`;
    return [`${rows} that people typed into ${sheet}, and its version history at Google`];
  },
  'web-form': ({ connector: { name }, leads }) =>
    leads.some(({ source }) => source === name)
      ? [`what the website or form tool behind ${name} keeps, and its proxy’s logs`]
      : [],
  csv({ connector, host, isNamed }) {
    const { name, includePatient, includeHashed } = connector;
    const { inbox, directory, archive } = settingsOf(connector);
    const failed = `${inbox}/failed`;
    const files: string[] = [];
    if (inbox && host !== undefined)
      files.push(
        `lines that are not booked in the inbox of ${name} (${inbox}), which is on ${host}: repeat the command there with --phone`,
      );
    else if (inbox && mayHoldFiles(failed))
      files.push(`files that could not be read, in ${failed}: look into them`);
    if (includeHashed && !isNamed(name))
      files.push(
        `what advertising platforms imported of the files of ${name} (csv): hashes of phone numbers`,
      );
    if (includePatient) files.push(`copies that people made of the files of ${name} (csv)`);
    const months = (clinic: string) => mayHoldFiles(`${directory}/${clinic}/archive`);
    const mayHaveMonths = host !== undefined || connector.clinics.some(months);
    if (includePatient && archive === 'monthly' && mayHaveMonths)
      files.push(`months in ${directory}/CLINIC/archive that version 0.1.0 made: it kept patients in them`);
    return files;
  },
  webhook({ connector, leads }) {
    const { name, includePatient, clinics } = connector;
    if (includePatient) return [`what was sent to the receiver of ${name} (webhook)`];
    const { events = [] } = Object(connector.settings) as { events?: readonly string[] };
    if (!events.some((pattern) => /^(booking|lead|\*)/.test(pattern))) return [];
    const told = leads.filter(({ clinic, isTracked }) => isTracked && clinics.includes(clinic));
    const refs = [...new Set(told.map(({ ref }) => ref))];
    return refs.length === 0
      ? []
      : [`campaigns and clicks that the receiver of ${name} (webhook) received about ${refs.join(', ')}`];
  },
};

/** True also when the folder cannot be read. */
function mayHoldFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}
