import type { ValueKind } from '../../domain/fields.ts';

const looks: Record<Exclude<ValueKind, 'text'>, RegExp> = {
  number: /^-?\d+(\.\d+)?$/,
  decimal: /^-?\d+(\.\d+)?$/,
  money: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  instant: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

/** The actual kind of a value: the date column of a booking held for its date may hold any text. */
export const valueKindOf = (value: string, kind: ValueKind): ValueKind =>
  kind !== 'text' && looks[kind].test(value) ? kind : 'text';
