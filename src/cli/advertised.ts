import type { Config } from '../config/config.ts';
import type { Row } from '../domain/clinics/tables.ts';
import { type Instant, instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';
import { kindsOf } from './person-traces.ts';

const platforms: Record<string, string> = {
  ...{ gclid: 'Google Ads', gbraid: 'Google Ads', wbraid: 'Google Ads' },
  ...{ msclkid: 'Microsoft Advertising', fbclid: 'Meta' },
};

/**
 * A conversion in the files of a connector that its platform may have imported; known only until the person is erased.
 */
export interface Advertised {
  platform: string;
  connector: string;
  clinic: string;
  ref: string;
  order_id: string;
  conversion_name: string;
  click_id_kind: string;
  click_id: string;
  /** Since when it was in the files; seconds, as the files have it. */
  converted_at: Instant;
  /** Null while the files do not take it back. */
  retracted_at: Instant | null;
  /** Whether a hash of the phone number was in the files. */
  with_hash: boolean;
}

/** What the files for advertising platforms contained about these bookings. */
export async function advertisedOf(
  { connectors }: Config,
  { bookings, mirror }: Pick<Store, 'bookings' | 'mirror'>,
  refs: readonly string[],
): Promise<Advertised[]> {
  const found: Advertised[] = [];
  const kinds = await kindsOf(connectors);
  for (const ref of refs) {
    const booking = await bookings.get(ref);
    const { click_id = null, click_id_kind = null, clinic = '' } = booking ?? {};
    const platform = platforms[click_id_kind ?? ''];
    if (platform === undefined || click_id === null || click_id_kind === null) continue;
    const told = [
      ...(await mirror.rowsById('retractions', clinic, [ref])),
      ...(await mirror.rowsById('conversions', clinic, [ref])),
    ];
    for (const { name: connector, use, clinics, includeHashed, settings } of connectors) {
      const conversion_name = kinds.get(use)?.conversionName?.(Object(settings));
      if (conversion_name === undefined || !clinics.includes(clinic)) continue;
      const with_hash = includeHashed === true && booking?.phone_e164 != null && !isUntracked(click_id_kind);
      const about = { platform, connector, clinic, ref, conversion_name, click_id_kind, click_id, with_hash };
      found.push(...told.map((row) => ({ ...about, ...momentsOf(row), order_id: String(row.order_id) })));
    }
  }
  return found;
}

/** No contact goes with these: they stand for visitors who asked not to be followed. */
const isUntracked = (kind: string): boolean => kind === 'gbraid' || kind === 'wbraid';

const toSecond = (at: unknown): Instant => instant(Math.floor(Date.parse(String(at)) / 1_000) * 1_000);

const momentsOf = ({ converted_at, retracted_at = null }: Row) => ({
  converted_at: toSecond(converted_at),
  retracted_at: retracted_at === null ? null : toSecond(retracted_at),
});

/** One line per platform, connector and conversion, with what the platform knows it by. */
export const advertisedLines = (all: readonly Advertised[]): string[] =>
  all.map((one) => {
    const { platform, connector, order_id, click_id_kind, click_id, conversion_name, converted_at } = one;
    const known = `order id ${order_id}, ${click_id_kind} ${click_id}`;
    const hash = one.with_hash ? ', with a hash of the phone number' : '';
    return (
      `what ${platform} imported from the files of ${connector} (csv): ` +
      `“${conversion_name}” of ${converted_at}, ${known}${hash}; ${remedyFor(one)}`
    );
  });

function remedyFor({ platform, click_id_kind, retracted_at, order_id }: Advertised): string {
  if (retracted_at !== null) return `the files took it back at ${retracted_at}`;
  if (click_id_kind === 'wbraid' || platform === 'Meta')
    return `${platform} takes back nothing of this kind: ask there for its deletion`;
  return platform === 'Google Ads'
    ? `to take it back, upload an adjustment RETRACT of the order id ${order_id}`
    : 'to take it back, upload a Retract of this click id, name and time';
}
