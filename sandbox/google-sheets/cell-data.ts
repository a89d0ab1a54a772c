import { type FieldMask, parseMask } from './field-mask.ts';
import { invalid } from './refusal.ts';
import type { CellData } from './schema.ts';
import type { Cell } from './workbook.ts';

const cellFields = ['userEnteredValue', 'userEnteredFormat', 'dataValidation', 'note', '*'];

export function cellMask(fields: string): FieldMask {
  const mask = parseMask(fields);
  const unknown = Object.keys(mask).find((field) => !cellFields.includes(field));
  if (unknown !== undefined) throw invalid(`Invalid field mask: ${unknown}`);
  return mask;
}

/** A cell after a write: what the mask names is as given (absent: cleared), the rest stays. */
export function written(before: Cell | undefined, given: CellData, mask: FieldMask): Cell {
  const all = '*' in mask;
  const { value, format, validation } = before ?? {};
  const formatMask = mask.userEnteredFormat;
  const whole = all || (formatMask !== undefined && Object.keys(formatMask).length === 0);
  const nextFormat = whole
    ? given.userEnteredFormat
    : formatMask
      ? { ...format, ...pick(given.userEnteredFormat ?? {}, Object.keys(formatMask)) }
      : format;
  const nextValue = all || mask.userEnteredValue ? given.userEnteredValue : value;
  const nextValidation = all || mask.dataValidation ? given.dataValidation : validation;
  return {
    ...(nextValue !== undefined && { value: nextValue }),
    ...(nextFormat !== undefined && { format: nextFormat }),
    ...(nextValidation !== undefined && { validation: nextValidation }),
  };
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
