import { isObject, type Json } from '../platform/json.ts';

/** The texts and numbers of an object, by their names in lower case with letters and digits only. */
export function partsOf(value: Json): ReadonlyMap<string, string> | undefined {
  if (!isObject(value)) return undefined;
  return new Map(
    Object.entries(value).flatMap(([name, part]): [string, string][] => {
      const text = typeof part === 'string' || typeof part === 'number' ? String(part).trim() : '';
      return text === '' ? [] : [[name.toLowerCase().replace(/[^a-z0-9]/g, ''), text]];
    }),
  );
}

/** The first of these parts that is there. */
export const partNamed = (
  parts: ReadonlyMap<string, string>,
  ...names: readonly string[]
): string | undefined => names.map((name) => parts.get(name)).find((text) => text !== undefined);

const twoDigits = (text: string): string => text.padStart(2, '0');

/**
 * A date, a time or both in the parts of an object, as text for `readSlot`: `{ year, month, day }`, `{ hour, minute,
 * ampm }`, `{ date, timezone }`. Undefined for anything else.
 */
export function whenInParts(value: Json): string | undefined {
  const parts = partsOf(value);
  if (parts === undefined) return undefined;
  const part = (...names: readonly string[]) => partNamed(parts, ...names);
  const zone = part('timezone', 'tz');
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const written =
    year && month && day
      ? `${year}-${twoDigits(month)}-${twoDigits(day)}`
      : part('full', 'datetime', 'date', 'iso');
  const hour = part('hour', 'hours', 'hourselect');
  const minute = part('minute', 'minutes', 'min', 'minuteselect') ?? '00';
  const clock = hour === undefined ? part('timeinput', 'time') : `${twoDigits(hour)}:${twoDigits(minute)}`;
  const time = clock === undefined ? [] : [clock, part('ampm', 'meridiem') ?? []].flat();
  const found = [written ?? [], time].flat();
  return found.length === 0 ? undefined : [...found, zone ?? []].flat().join(' ');
}
