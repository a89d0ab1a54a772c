import { hostname } from 'node:os';
import { kindNames } from '../../connectors/registry.ts';
import type { Config } from '../config/config.ts';
import type { ConnectorKind, Lead } from '../connector.ts';
import { comparablePhone, countryFor, dialled } from '../domain/phone.ts';
import type { Mention } from '../store/ports/removal.ts';
import type { Store } from '../store/store.ts';
import { usableKinds } from './configuration.ts';

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
        'The number, or one with the same last digits, also occurs in these ' +
          'bookings. Look at each (clinic-sync bookings show REF);',
        'if it is the same person, repeat the command with --also REF:',
        ...mentions.map(({ ref, fields }) => `  ${ref}: ${fields.join(', ')}`),
      ];

/** The kinds of configured connectors; of isolated ones only our own, because no other code is loaded here. */
export const kindsOf = (connectors: Config['connectors']): Promise<Map<string, ConnectorKind>> =>
  usableKinds(connectors.flatMap(({ use, isolate }) => (isolate && !kindNames.includes(use) ? [] : [use])));

const settingsOf = ({ settings }: Config['connectors'][number]) => Object(settings) as Record<string, never>;

/**
 * Places of connectors' files, such as `/inbox/done/leads.csv, line 3`, that contain the number and were not booked.
 */
export async function inboxMentions({ connectors }: Config, phones: readonly string[]): Promise<string[]> {
  const kinds = await kindsOf(connectors);
  return connectors.flatMap((one) => kinds.get(one.use)?.mentions?.(settingsOf(one), phones) ?? []);
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

/** Places outside this program that may hold a person's data. `isErased`: only what the connectors cannot remove. */
export async function givenTo(
  { connectors, store: { postgres } }: Pick<Config, 'connectors' | 'store'>,
  leads: readonly Lead[],
  {
    isErased = false,
    isNamed = () => false,
  }: {
    isErased?: boolean;
    /** Whether each conversion in this connector's files is named elsewhere. */
    isNamed?(connector: string): boolean;
  } = {},
): Promise<string[]> {
  const kinds = await kindsOf(connectors);
  return connectors.flatMap((connector) => {
    const { name, use, clinics, includePatient, includeHashed = false, on } = connector;
    const host = postgres === undefined || on === hostname() ? undefined : on;
    const given = { name, clinics, includePatient, includeHashed, host, leads, isErased };
    const otherwise = includePatient ? [`what ${name} (${use}) was given`] : [];
    const settings = settingsOf(connector);
    return kinds.get(use)?.beyondReach?.({ ...given, settings, isNamed: isNamed(name) }) ?? otherwise;
  });
}
