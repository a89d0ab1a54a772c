import type { Config } from '../config/config.ts';
import { comparablePhone, countryFor, dialled } from '../domain/phone.ts';
import type { Mention } from '../store/ports/erasure.ts';
import type { Store } from '../store/store.ts';
import { type Io, print } from './io.ts';

/**
 * Every way the number may have been stored: as typed, its digits, in E.164 for the country of each clinic, and in the
 * digits it is dialled with at home, from before the country was known.
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

/** Bookings that may be about the same person: only a person can tell. */
export function printMentions(io: Io, mentions: readonly Mention[]): void {
  if (mentions.length === 0) return;
  print(
    io,
    'The number also occurs in texts of these bookings. Look at each (clinic-sync bookings show REF);',
  );
  print(io, 'if it is the same person, repeat the command with --also REF:');
  for (const { ref, fields } of mentions) print(io, `  ${ref}: ${fields.join(', ')}`);
}

/** Where one of their bookings came from. */
interface Lead {
  ref: string;
  source: string;
}

/**
 * Where a person's data may be that this program gave it to or got it from, by name; rows of a sheet by their Ref.
 * `isErased`: what is left of it once every connector has forgotten them.
 */
export function givenTo({ connectors }: Config, leads: readonly Lead[], { isErased = false } = {}): string[] {
  return connectors.flatMap(({ name, use, includePatient, settings }) => {
    const { spreadsheet, inbox, directory, archive } = Object(settings) as Record<string, string | undefined>;
    if (use === 'google-sheets') {
      if (isErased)
        return [
          `rows of the spreadsheet of ${name} (${spreadsheet}) that were changed after they were sent (its Sync tab names them), copies of its tabs, and its version history at Google`,
        ];
      const refs = leads.filter(({ source }) => source === name).map(({ ref }) => ref);
      const rows = refs.length === 0 ? 'rows' : `the rows ${refs.join(', ')}`;
      return [
        `${rows} that people typed into the spreadsheet of ${name} (${spreadsheet}), and its version history at Google`,
      ];
    }
    if (use === 'web-form')
      return [`what the website or form tool behind ${name} keeps, and its proxy’s logs`];
    if (use === 'csv')
      return [
        ...(inbox ? [`files that could not be read, in ${inbox}/failed: look into them`] : []),
        ...(includePatient ? [`copies that people made of the files of ${name} (csv)`] : []),
        ...(includePatient && archive === 'monthly'
          ? [`months in ${directory}/CLINIC/archive that version 0.1.0 made: it kept patients in them`]
          : []),
      ];
    if (!includePatient) return [];
    if (use === 'webhook') return [`what was sent to the receiver of ${name} (webhook)`];
    return [`what ${name} (${use}) was given`];
  });
}
