import { invalid } from './refusal.ts';
import type { ColumnType, Grid, SandboxCell } from './workbook.ts';

type Value = NonNullable<SandboxCell['value']>;

export interface ValidationRule {
  condition?: { type?: string; values?: readonly { userEnteredValue?: string }[] };
  /** Otherwise Google only marks the cell. */
  strict?: boolean;
}

const isText = ({ stringValue }: Value) => stringValue !== undefined;
const isNumber = ({ numberValue }: Value) => numberValue !== undefined;
const isBoolean = ({ boolValue }: Value) => boolValue !== undefined;

const types: Record<ColumnType, (value: Value) => boolean> = {
  ...{ DOUBLE: isNumber, CURRENCY: isNumber, PERCENT: isNumber },
  ...{ DATE: isNumber, TIME: isNumber, DATE_TIME: isNumber },
  ...{ TEXT: isText, BOOLEAN: isBoolean },
};

/** What each condition takes, given its values; any other condition takes everything. */
const conditions: Record<string, (value: Value, given: readonly string[]) => boolean> = {
  BOOLEAN: isBoolean,
  ONE_OF_LIST: ({ stringValue, numberValue }, given) => given.includes(String(stringValue ?? numberValue)),
  NUMBER_GREATER: ({ numberValue = Number.NaN }, [least]) => numberValue > Number(least),
  NUMBER_BETWEEN: ({ numberValue = Number.NaN }, [from, to]) =>
    numberValue >= Number(from) && numberValue <= Number(to),
  DATE_IS_VALID: isNumber,
  TEXT_CONTAINS: ({ stringValue = '' }, [part = '']) => stringValue.includes(part),
};

/** Throws for a value that a strict rule of its cell, or the type of its column, refuses. Formulas and nothing pass. */
export function refuseByRule({ columns }: Grid, column: number, { value, validation }: SandboxCell): void {
  if (value === undefined || value.formulaValue !== undefined) return;
  const { condition, strict }: ValidationRule = { ...validation };
  const given = condition?.values?.map(({ userEnteredValue = '' }) => userEnteredValue) ?? [];
  const type = columns[column]?.type;
  const isTaken =
    (strict !== true || (conditions[condition?.type ?? '']?.(value, given) ?? true)) &&
    (type === undefined || types[type](value));
  if (!isTaken) throw invalid('The data you entered violates the data validation rules set on this cell.');
}
