import type { Row } from '../../../src/connector.ts';
import type { Column, Kind } from './tables.ts';

/** Conversions as an advertising platform imports them. */
export interface Importer {
  /** Of the file, without its ending. */
  name: string;
  columns: readonly Column[];
  /** The platform's row; undefined: its ads have nothing to do with this conversion. */
  rowOf(conversion: Row, conversionName: string): Row | undefined;
}

const column = (name: string, kind: Kind = 'text'): Column => ({ name, kind, patient: false });

/** Without milliseconds, which importers do not read. */
const seconds = (at: Row[string]): string => String(at).replace(/\.\d+Z$/, 'Z');

/** Google: support.google.com/google-ads/answer/7014069 */
const google: Importer = {
  name: 'conversions-google',
  columns: [
    column('Google Click ID'),
    column('Conversion Name'),
    column('Conversion Time'),
    column('Conversion Value', 'decimal'),
    column('Conversion Currency'),
  ],
  rowOf: ({ click_id, click_id_kind, converted_at, value, currency }, name) =>
    click_id_kind !== 'gclid'
      ? undefined
      : {
          'Google Click ID': click_id ?? null,
          'Conversion Name': name,
          'Conversion Time': seconds(converted_at ?? '')
            .replace('T', ' ')
            .replace('Z', '+0000'),
          'Conversion Value': value ?? null,
          'Conversion Currency': currency ?? null,
        },
};

/** Microsoft: learn.microsoft.com/advertising/bulk-service/offline-conversion */
const microsoft: Importer = {
  name: 'conversions-microsoft',
  columns: [
    column('Microsoft Click ID'),
    column('Conversion Name'),
    column('Conversion Time'),
    column('Conversion Value', 'decimal'),
    column('Conversion Currency'),
  ],
  rowOf: ({ click_id, click_id_kind, converted_at, value, currency }, name) =>
    click_id_kind !== 'msclkid'
      ? undefined
      : {
          'Microsoft Click ID': click_id ?? null,
          'Conversion Name': name,
          'Conversion Time': seconds(converted_at ?? ''),
          'Conversion Value': value ?? null,
          'Conversion Currency': currency ?? null,
        },
};

/** Meta, by the parameters of its Conversions API: developers.facebook.com/docs/marketing-api/conversions-api */
const meta: Importer = {
  name: 'conversions-meta',
  columns: [
    column('event_name'),
    column('event_time'),
    column('fbc'),
    column('value', 'decimal'),
    column('currency'),
    column('order_id'),
  ],
  rowOf: ({ ref, click_id, click_id_kind, received_at, converted_at, value, currency }, name) =>
    click_id_kind !== 'fbclid'
      ? undefined
      : {
          event_name: name,
          event_time: seconds(converted_at ?? ''),
          fbc: `fb.1.${Date.parse(String(received_at))}.${click_id}`,
          value: value ?? null,
          currency: currency ?? null,
          order_id: ref ?? null,
        },
};

export const importers: readonly Importer[] = [google, microsoft, meta];
