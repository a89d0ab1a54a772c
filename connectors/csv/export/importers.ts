import type { Row } from '../../../src/connector.ts';
import type { Column, Kind } from './tables.ts';

/** Conversions as an advertising platform imports them. */
export interface Importer {
  /** Of the file, without its ending. */
  name: string;
  columns: readonly (Column & { hashed?: boolean })[];
  /** The platform's row; undefined: its ads have nothing to do with this conversion. */
  rowOf(conversion: Row, conversionName: string): Row | undefined;
}

const column = (name: string, kind: Kind = 'text'): Column => ({ name, kind, patient: false });
/** Only with `include: [hashed_contacts]`. */
const hashed = (name: string) => ({ ...column(name), hashed: true });

/** Without milliseconds, which importers do not read. */
const seconds = (at: Row[string]): string => String(at).replace(/\.\d+Z$/, 'Z');

const GOOGLE = { gclid: 'Google Click ID', gbraid: 'GBRAID', wbraid: 'WBRAID' } as const;

/**
 * Google: support.google.com/google-ads/answer/7014069. A gbraid or wbraid stands for a visitor who is not followed: no
 * contact goes with it.
 */
const google: Importer = {
  name: 'conversions-google',
  columns: [
    ...Object.values(GOOGLE).map((name) => column(name)),
    hashed('Phone Number'),
    ...[column('Conversion Name'), column('Conversion Time'), column('Conversion Value', 'decimal')],
    ...[column('Conversion Currency'), column('Order ID')],
  ],
  rowOf: ({ ref, click_id, click_id_kind, converted_at, value, currency, phone_sha256 }, name) => {
    const kind = (['gclid', 'gbraid', 'wbraid'] as const).find((one) => one === click_id_kind);
    if (kind === undefined) return undefined;
    return {
      [GOOGLE[kind]]: click_id ?? null,
      'Phone Number': kind === 'gclid' ? (phone_sha256 ?? null) : null,
      'Conversion Name': name,
      'Conversion Time': seconds(converted_at ?? '')
        .replace('T', ' ')
        .replace('Z', '+0000'),
      'Conversion Value': value ?? null,
      'Conversion Currency': currency ?? null,
      'Order ID': ref ?? null,
    };
  },
};

/** Microsoft: learn.microsoft.com/advertising/campaign-management-service/offlineconversion */
const microsoft: Importer = {
  name: 'conversions-microsoft',
  columns: [
    ...[column('Microsoft Click ID'), column('Conversion Name'), column('Conversion Time')],
    ...[column('Conversion Value', 'decimal'), column('Conversion Currency'), hashed('Hashed Phone Number')],
  ],
  rowOf: ({ click_id, click_id_kind, converted_at, value, currency, phone_sha256 }, name) =>
    click_id_kind !== 'msclkid'
      ? undefined
      : {
          'Microsoft Click ID': click_id ?? null,
          'Conversion Name': name,
          'Conversion Time': seconds(converted_at ?? ''),
          'Conversion Value': value ?? null,
          'Conversion Currency': currency ?? null,
          'Hashed Phone Number': phone_sha256 ?? null,
        },
};

/** Meta, by the parameters of its Conversions API: developers.facebook.com/docs/marketing-api/conversions-api/parameters */
const meta: Importer = {
  name: 'conversions-meta',
  columns: [
    ...[column('event_name'), column('event_time'), column('fbc'), column('value', 'decimal')],
    ...[column('currency'), column('order_id'), hashed('ph')],
  ],
  rowOf: (row, name) => {
    const { ref, click_id, click_id_kind, received_at, converted_at, value, currency } = row;
    if (click_id_kind !== 'fbclid') return undefined;
    return {
      event_name: name,
      event_time: seconds(converted_at ?? ''),
      fbc: `fb.1.${Date.parse(String(received_at))}.${click_id}`,
      value: value ?? null,
      currency: currency ?? null,
      order_id: ref ?? null,
      ph: row.phone_digits_sha256 ?? null,
    };
  },
};

export const importers: readonly Importer[] = [google, microsoft, meta];
