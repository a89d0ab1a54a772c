import { z } from 'zod';
import { invalid } from './refusal.ts';

/**
 * The part of Sheets v4 that this server speaks, strictly: an unknown field, a wrong enum or a wrong type is refused as
 * Google refuses it, and what is not spoken here is refused rather than ignored.
 */
const int = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
const index = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const mask = z.string().min(1);
const shape = <T extends z.ZodRawShape>(fields: T) => z.strictObject(fields).partial();

const exactlyOne = (what: string) => (value: object, context: z.core.$RefinementCtx<object>) => {
  const kinds = Object.values(value).filter((kind) => kind !== undefined).length;
  if (kinds !== 1) context.addIssue({ code: 'custom', message: `${what} must have exactly one kind` });
};

const Color = shape({ red: z.number(), green: z.number(), blue: z.number(), alpha: z.number() });
const ColorStyle = shape({ rgbColor: Color, themeColor: z.enum(['TEXT', 'BACKGROUND', 'LINK']) });
export const ExtendedValue = shape({
  numberValue: z.number(),
  stringValue: z.string().max(50_000),
  boolValue: z.boolean(),
  formulaValue: z.string().regex(/^=/),
}).superRefine(exactlyOne('A value'));
const NumberFormat = shape({
  type: z.enum(['TEXT', 'NUMBER', 'PERCENT', 'CURRENCY', 'DATE', 'TIME', 'DATE_TIME', 'SCIENTIFIC']),
  pattern: z.string(),
});
const CellFormat = shape({
  numberFormat: NumberFormat,
  backgroundColor: Color,
  backgroundColorStyle: ColorStyle,
  textFormat: shape({
    bold: z.boolean(),
    italic: z.boolean(),
    strikethrough: z.boolean(),
    foregroundColor: Color,
    foregroundColorStyle: ColorStyle,
  }),
  horizontalAlignment: z.enum(['LEFT', 'CENTER', 'RIGHT']),
  verticalAlignment: z.enum(['TOP', 'MIDDLE', 'BOTTOM']),
  wrapStrategy: z.enum(['OVERFLOW_CELL', 'LEGACY_WRAP', 'CLIP', 'WRAP']),
});
const BooleanCondition = shape({
  type: z.enum([
    'ONE_OF_LIST',
    'ONE_OF_RANGE',
    'BOOLEAN',
    'TEXT_EQ',
    'CUSTOM_FORMULA',
    'DATE_IS_VALID',
    'BLANK',
  ]),
  values: z.array(shape({ userEnteredValue: z.string() })),
});
const DataValidationRule = shape({
  condition: BooleanCondition,
  inputMessage: z.string(),
  strict: z.boolean(),
  showCustomUi: z.boolean(),
});
const CellData = shape({
  userEnteredValue: ExtendedValue,
  userEnteredFormat: CellFormat,
  dataValidation: DataValidationRule,
  note: z.string(),
});
export type CellData = z.output<typeof CellData>;
const AnsweredCell = CellData.extend({
  effectiveValue: shape({
    ...ExtendedValue.shape,
    errorValue: z.strictObject({ type: z.enum(['ERROR', 'REF', 'NAME', 'VALUE']), message: z.string() }),
  }).optional(),
});
const RowData = shape({ values: z.array(CellData) });
export const GridRange = shape({
  sheetId: int,
  startRowIndex: index,
  endRowIndex: index,
  startColumnIndex: index,
  endColumnIndex: index,
});
const DimensionRange = z.strictObject({
  sheetId: int,
  dimension: z.enum(['ROWS', 'COLUMNS']),
  startIndex: index,
  endIndex: index,
});
const GridProperties = shape({
  rowCount: index,
  columnCount: index,
  frozenRowCount: index,
  frozenColumnCount: index,
  hideGridlines: z.boolean(),
});
const SheetProperties = shape({
  sheetId: index,
  title: z.string().min(1).max(100),
  index,
  sheetType: z.literal('GRID'),
  gridProperties: GridProperties,
  hidden: z.boolean(),
  tabColorStyle: ColorStyle,
});
const Location = shape({ spreadsheet: z.literal(true), sheetId: int, dimensionRange: DimensionRange });
const NewMetadata = z.strictObject({
  metadataId: index.optional(),
  metadataKey: z.string().min(1),
  metadataValue: z.string().optional(),
  location: Location.superRefine(exactlyOne('A location')),
  visibility: z.enum(['DOCUMENT', 'PROJECT']),
});
const Lookup = shape({
  metadataId: index,
  metadataKey: z.string(),
  metadataValue: z.string(),
  locationType: z.enum(['ROW', 'COLUMN', 'SHEET', 'SPREADSHEET']),
});
const metadataFilters = z.array(z.strictObject({ developerMetadataLookup: Lookup })).min(1);

export const Request = shape({
  addSheet: z.strictObject({ properties: SheetProperties }),
  updateSheetProperties: z.strictObject({ properties: SheetProperties, fields: mask }),
  updateCells: z
    .strictObject({
      rows: z.array(RowData).optional(),
      fields: mask,
      start: shape({ sheetId: int, rowIndex: index, columnIndex: index }).optional(),
      range: GridRange.optional(),
    })
    .refine(({ start, range }) => (start === undefined) !== (range === undefined), 'start or range'),
  repeatCell: z.strictObject({ range: GridRange, cell: CellData, fields: mask }),
  insertDimension: z.strictObject({ range: DimensionRange, inheritFromBefore: z.boolean().optional() }),
  deleteDimension: z.strictObject({ range: DimensionRange }),
  updateDimensionProperties: z.strictObject({
    range: DimensionRange,
    properties: shape({ hiddenByUser: z.boolean(), pixelSize: index }),
    fields: mask,
  }),
  setDataValidation: z.strictObject({
    range: GridRange,
    rule: DataValidationRule.optional(),
    filteredRowsIncluded: z.boolean().optional(),
  }),
  addConditionalFormatRule: z.strictObject({
    rule: z.strictObject({
      ranges: z.array(GridRange).min(1),
      booleanRule: z.strictObject({ condition: BooleanCondition, format: CellFormat }),
    }),
    index: index.optional(),
  }),
  createDeveloperMetadata: z.strictObject({ developerMetadata: NewMetadata }),
  updateDeveloperMetadata: z.strictObject({
    dataFilters: metadataFilters,
    developerMetadata: shape({ metadataKey: z.string(), metadataValue: z.string() }),
    fields: mask,
  }),
  deleteNamedRange: z.strictObject({ namedRangeId: z.string() }),
}).superRefine(exactlyOne('A request'));
export type Request = z.output<typeof Request>;

export const BatchUpdate = z.strictObject({ requests: z.array(Request).min(1) });
export const GetByDataFilter = z.strictObject({
  dataFilters: z
    .array(z.strictObject({ gridRange: GridRange.omit({ startColumnIndex: true, endColumnIndex: true }) }))
    .min(1),
  includeGridData: z.boolean().optional(),
});

/** Throws a refusal that names the first fault. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw invalid(
    issue?.code === 'unrecognized_keys'
      ? `Invalid JSON payload received. Unknown name "${issue.keys[0]}" at '${path}': Cannot find field.`
      : `Invalid value at '${path}': ${issue?.message}`,
  );
}

/** What this server itself answers, checked in the same way before it leaves. */
const AnsweredMetadata = z
  .strictObject({
    metadataId: int,
    metadataKey: z.string(),
    metadataValue: z.string().optional(),
    visibility: z.enum(['DOCUMENT', 'PROJECT']),
    location: z
      .strictObject({
        locationType: z.enum(['SPREADSHEET', 'SHEET', 'COLUMN']),
        spreadsheet: z.boolean().optional(),
        sheetId: int.optional(),
        dimensionRange: DimensionRange.optional(),
      })
      .optional(),
  })
  .partial();
export const SpreadsheetAnswer = shape({
  spreadsheetId: z.string(),
  spreadsheetUrl: z.string(),
  properties: shape({ title: z.string(), locale: z.string(), timeZone: z.string() }),
  developerMetadata: z.array(AnsweredMetadata),
  sheets: z.array(
    shape({
      properties: SheetProperties,
      developerMetadata: z.array(AnsweredMetadata),
      conditionalFormats: z.array(z.unknown()),
      protectedRanges: z.array(
        shape({
          protectedRangeId: int,
          description: z.string(),
          range: GridRange,
          warningOnly: z.boolean(),
          requestingUserCanEdit: z.boolean(),
          editors: shape({ users: z.array(z.string()) }),
        }),
      ),
      data: z.array(
        shape({
          startRow: index,
          startColumn: index,
          rowData: z.array(shape({ values: z.array(AnsweredCell) })),
          columnMetadata: z.array(
            shape({
              hiddenByUser: z.boolean(),
              pixelSize: index,
              developerMetadata: z.array(AnsweredMetadata),
            }),
          ),
        }),
      ),
    }),
  ),
});
export const BatchAnswer = z.strictObject({
  spreadsheetId: z.string(),
  replies: z.array(
    shape({
      addSheet: z.strictObject({ properties: SheetProperties }),
      createDeveloperMetadata: z.strictObject({ developerMetadata: AnsweredMetadata }),
      updateDeveloperMetadata: z.strictObject({ developerMetadata: z.array(AnsweredMetadata) }),
    }),
  ),
});
