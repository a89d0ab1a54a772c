import type { Row } from '../../../src/connector.ts';
import { type Instant, instant, toMs } from '../../../src/platform/clock.ts';
import { DAY, SECOND } from '../../../src/platform/duration.ts';
import { type CsvDialect, plainDialect } from '../render-csv.ts';
import { type CsvColumn, column } from './tables.ts';

/** A file format for conversions or retractions that an advertising platform imports. */
export interface Importer {
  /** The file's name without its extension. */
  name: string;
  table: 'conversions' | 'retractions';
  /** A line before the column names. */
  preamble?: string;
  columns: readonly (CsvColumn & { hashed?: boolean })[];
  /** When the row is left out, because the platform would refuse it from then on or soon after. */
  expires?: (conversion: Row) => number;
  /** The platform's row; undefined when the conversion did not come from its ads, or it cannot take it back. */
  rowOf(conversion: Row, conversionName: string): Row | undefined;
}

const days = (count: number, since: keyof Row) => (row: Row) => toMs(row[since] as Instant) + count * DAY;

/** Only with `include: [hashed_contacts]`. */
const hashed = (name: string) => ({ ...column(name), hashed: true });

/** `2026-03-02 10:01:00`, in UTC, because importers read no milliseconds. */
const seconds = (at: Row[string] | undefined): string => String(at).slice(0, 19).replace('T', ' ');

/** Nulls unless the currency is an ISO 4217 code: importers refuse other codes, and take none for the account's own. */
const amount = ({ value, currency }: Row) =>
  typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? { value: value ?? null, currency }
    : { value: null, currency: null };

/** The dialect of all importers, whatever profile people use: UTF-8 without a byte order mark, commas. */
export const IMPORTED: CsvDialect = plainDialect;

const GOOGLE = { gclid: 'Google Click ID', gbraid: 'GBRAID', wbraid: 'WBRAID' } as const;

/**
 * Google: support.google.com/google-ads/answer/7014069. It takes conversions for 90 days after the click, which was
 * before the lead. A gbraid or wbraid stands for a visitor who is not
 * tracked, so no contact goes with it.
 */
const google: Importer = {
  name: 'conversions-google',
  table: 'conversions',
  columns: [
    ...Object.values(GOOGLE).map((name) => column(name)),
    hashed('Phone Number'),
    ...[column('Conversion Name'), column('Conversion Time'), column('Conversion Value', 'decimal')],
    ...[column('Conversion Currency'), column('Order ID')],
  ],
  expires: days(90, 'received_at'),
  rowOf: ({ order_id, click_id, click_id_kind, converted_at, phone_sha256, ...rest }, name) => {
    const kind = (['gclid', 'gbraid', 'wbraid'] as const).find((one) => one === click_id_kind);
    if (kind === undefined) return undefined;
    return {
      [GOOGLE[kind]]: click_id ?? null,
      'Phone Number': kind === 'gclid' ? (phone_sha256 ?? null) : null,
      'Conversion Name': name,
      'Conversion Time': `${seconds(converted_at)}+0000`,
      'Conversion Value': amount(rest).value,
      'Conversion Currency': amount(rest).currency,
      'Order ID': order_id ?? null,
    };
  },
};

/**
 * Microsoft: learn.microsoft.com/advertising/campaign-management-service/offlineconversion; the first line is its
 * template's and sets the time zone. It takes conversions of the last 90 days.
 */
const microsoft: Importer = {
  name: 'conversions-microsoft',
  table: 'conversions',
  preamble: 'Parameters:TimeZone=+0000',
  columns: [
    ...[column('Microsoft Click ID'), column('Conversion Name'), column('Conversion Time')],
    ...[column('Conversion Value', 'decimal'), column('Conversion Currency'), hashed('Hashed Phone Number')],
  ],
  expires: days(90, 'converted_at'),
  rowOf: ({ click_id, click_id_kind, converted_at, phone_sha256, ...rest }, name) =>
    click_id_kind !== 'msclkid'
      ? undefined
      : {
          'Microsoft Click ID': click_id ?? null,
          'Conversion Name': name,
          'Conversion Time': seconds(converted_at),
          'Conversion Value': amount(rest).value,
          'Conversion Currency': amount(rest).currency,
          'Hashed Phone Number': phone_sha256 ?? null,
        },
};

/**
 * Meta: developers.facebook.com/docs/marketing-api/conversions-api/parameters. Times are in seconds; a click id keeps
 * its case. One visit of more than 62 days ago makes it refuse the whole file, so rows end two days before.
 */
const meta: Importer = {
  name: 'conversions-meta',
  table: 'conversions',
  columns: [
    ...[column('event_name'), column('event_time', 'number'), column('action_source'), column('fbc')],
    column('value', 'decimal'),
    ...[column('currency'), column('order_id'), hashed('ph')],
  ],
  expires: days(60, 'converted_at'),
  rowOf: (row, name) => {
    const { order_id = null, click_id, click_id_kind, received_at, converted_at } = row;
    if (click_id_kind !== 'fbclid') return undefined;
    return {
      event_name: name,
      event_time: Math.floor(Date.parse(String(converted_at)) / 1_000),
      action_source: 'physical_store',
      fbc: `fb.1.${Date.parse(String(received_at))}.${click_id}`,
      ...amount(row),
      order_id,
      ph: row.phone_digits_sha256 ?? null,
    };
  },
};

/** Both refuse an adjustment that is not later than its conversion, by the second that their files have. */
const afterwards = ({ converted_at, retracted_at }: Row): Instant =>
  instant(Math.max(toMs(retracted_at as Instant), toMs(converted_at as Instant) + SECOND));

/**
 * Google: support.google.com/google-ads/answer/7686280, by the order id that the conversion was imported with. Not for
 * a wbraid: developers.google.com/google-ads/api/docs/conversions/upload-adjustments.
 */
const googleRetractions: Importer = {
  name: 'retractions-google',
  table: 'retractions',
  preamble: 'Parameters:TimeZone=+0000',
  columns: [
    ...[column('Order ID'), column('Conversion Name'), column('Adjustment Time'), column('Adjustment Type')],
    ...[column('Adjusted Value', 'decimal'), column('Adjusted Value Currency')],
  ],
  rowOf: (row, name) =>
    row.click_id_kind !== 'gclid' && row.click_id_kind !== 'gbraid'
      ? undefined
      : {
          'Order ID': row.order_id ?? null,
          'Conversion Name': name,
          'Adjustment Time': `${seconds(afterwards(row))}+0000`,
          'Adjustment Type': 'RETRACT',
          'Adjusted Value': null,
          'Adjusted Value Currency': null,
        },
};

/** Microsoft: learn.microsoft.com/advertising/bulk-service/offline-conversion, by click, name and original time. */
const microsoftRetractions: Importer = {
  name: 'retractions-microsoft',
  table: 'retractions',
  preamble: 'Parameters:TimeZone=+0000',
  columns: [
    ...[column('Microsoft Click ID'), column('Conversion Name'), column('Conversion Time')],
    ...[column('Adjustment Time'), column('Adjustment Type')],
  ],
  rowOf: (row, name) =>
    row.click_id_kind !== 'msclkid'
      ? undefined
      : {
          'Microsoft Click ID': row.click_id ?? null,
          'Conversion Name': name,
          'Conversion Time': seconds(row.converted_at),
          'Adjustment Time': seconds(afterwards(row)),
          'Adjustment Type': 'Retract',
        },
};

/** None for Meta: what was sent there cannot be taken back. */
export const importers: readonly Importer[] = [
  ...[google, microsoft, meta],
  ...[googleRetractions, microsoftRetractions],
];
