import { canonical, type Json } from '../../platform/json.ts';
import { withStableAddresses } from '../../platform/network/stable-url.ts';
import { decodeEntities } from '../../platform/text/html.ts';
import { withoutFinalZeros } from './money.ts';
import type { ClinicRecord } from './resource.ts';

/** Some servers vary how they write the same value. Only a different value is a change. */
export const isSameValue = (field: string, before: Json, after: Json): boolean =>
  written(field, before) === written(field, after);

/** Earlier versions stored entities as they came. */
export const written = (field: string, value: Json): string =>
  decodeEntities(withStableAddresses(canonical(plain(field, value))));

function plain(field: string, value: Json): Json {
  if (typeof value !== 'string') return value;
  // 850.00, 850.0 and 850
  if (field.endsWith('_fee'))
    return value.includes('.') ? withoutFinalZeros(value).replace(/\.$/, '') : value;
  // 10:30:00 and 10:30
  return field === 'time' ? value.replace(/^(\d{2}:\d{2}):00$/, '$1') : value;
}

/** A decimal sent as a number keeps its former text if equal: numbers lose trailing zeros. */
export function withFormerSpelling(record: ClinicRecord, before: ClinicRecord | undefined): ClinicRecord {
  const kept = Object.keys(record.fields).filter((field) => {
    const former = before?.fields[field] ?? null;
    return former !== null && typeof record.raw[field] === 'number' && record.fields[field] !== former
      ? isSameValue(field, former, record.fields[field] ?? null)
      : false;
  });
  if (kept.length === 0) return record;
  const former = Object.fromEntries(kept.map((field) => [field, before?.fields[field] ?? null]));
  return { ...record, fields: { ...record.fields, ...former } };
}
