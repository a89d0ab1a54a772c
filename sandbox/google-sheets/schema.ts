import { z } from 'zod';
import { invalid } from './refusal.ts';

/** The part of Sheets v4 that clinic-sync uses, as strict as Google: anything else is refused. */
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

const ExtendedValue = shape({
  numberValue: z.number(),
  stringValue: z.string().max(50_000),
  boolValue: z.boolean(),
  formulaValue: z.string().regex(/^=/),
}).superRefine(exactlyOne('A value'));
const rgbColor = shape({ red: z.number(), green: z.number(), blue: z.number() });
const CellFormat = shape({
  numberFormat: shape({
    type: z.enum(['TEXT', 'NUMBER', 'PERCENT', 'CURRENCY', 'DATE', 'TIME', 'DATE_TIME', 'SCIENTIFIC']),
    pattern: z.string(),
  }),
  backgroundColorStyle: shape({ rgbColor }),
  textFormat: shape({
    bold: z.boolean(),
    foregroundColorStyle: shape({
      rgbColor,
    }),
  }),
});
const BooleanCondition = shape({
  type: z.enum(['ONE_OF_LIST', 'BOOLEAN', 'CUSTOM_FORMULA', 'TEXT_STARTS_WITH']),
  values: z.array(shape({ userEnteredValue: z.string() })),
});
const DataValidationRule = shape({
  condition: BooleanCondition,
  strict: z.boolean(),
  showCustomUi: z.boolean(),
});
const CellData = shape({ userEnteredValue: ExtendedValue, userEnteredFormat: CellFormat });
export type CellData = z.output<typeof CellData>;
const GridRange = shape({
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
export type DimensionRange = z.output<typeof DimensionRange>;
const SheetProperties = shape({
  sheetId: index,
  title: z.string().min(1).max(100),
  index,
  sheetType: z.literal('GRID'),
  gridProperties: shape({ rowCount: index, columnCount: index, frozenRowCount: index }),
  hidden: z.boolean(),
});
const visibility = z.enum(['DOCUMENT', 'PROJECT']);

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/charts */
const ChartData = z.strictObject({
  sourceRange: z.strictObject({ sources: z.array(GridRange).min(1) }),
});
const EmbeddedChart = z.strictObject({
  spec: z.strictObject({
    title: z.string().optional(),
    altText: z.string().optional(),
    basicChart: z.strictObject({
      chartType: z.enum(['BAR', 'LINE', 'AREA', 'COLUMN', 'SCATTER', 'COMBO', 'STEPPED_AREA']),
      stackedType: z.enum(['NOT_STACKED', 'STACKED', 'PERCENT_STACKED']).optional(),
      legendPosition: z
        .enum(['BOTTOM_LEGEND', 'LEFT_LEGEND', 'RIGHT_LEGEND', 'TOP_LEGEND', 'NO_LEGEND'])
        .optional(),
      headerCount: index.optional(),
      domains: z.array(z.strictObject({ domain: ChartData })),
      series: z.array(
        z.strictObject({
          series: ChartData,
          targetAxis: z.enum(['BOTTOM_AXIS', 'LEFT_AXIS', 'RIGHT_AXIS']).optional(),
        }),
      ),
    }),
  }),
  position: z.strictObject({
    overlayPosition: z.strictObject({
      anchorCell: shape({ sheetId: int, rowIndex: index, columnIndex: index }),
      offsetXPixels: int.optional(),
      offsetYPixels: int.optional(),
      widthPixels: int.optional(),
      heightPixels: int.optional(),
    }),
  }),
});
export type EmbeddedChart = z.output<typeof EmbeddedChart>;

export const SheetRequest = shape({
  addChart: z.strictObject({ chart: EmbeddedChart }),
  addSheet: z.strictObject({ properties: SheetProperties.required({ sheetId: true, title: true }) }),
  updateCells: z.strictObject({
    start: shape({ sheetId: int, rowIndex: index, columnIndex: index }),
    rows: z.array(shape({ values: z.array(CellData) })),
    fields: mask,
  }),
  repeatCell: z.strictObject({ range: GridRange, cell: CellData, fields: mask }),
  insertDimension: z.strictObject({ range: DimensionRange, inheritFromBefore: z.boolean().optional() }),
  deleteDimension: z.strictObject({ range: DimensionRange }),
  updateDimensionProperties: z.strictObject({
    range: DimensionRange.extend({ dimension: z.literal('COLUMNS') }),
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
  createDeveloperMetadata: z.strictObject({
    developerMetadata: z.strictObject({
      metadataKey: z.string().min(1),
      metadataValue: z.string(),
      location: shape({
        spreadsheet: z.literal(true),
        sheetId: int,
        dimensionRange: DimensionRange.extend({ dimension: z.literal('COLUMNS') }),
      }).superRefine(exactlyOne('A location')),
      visibility,
    }),
  }),
  updateDeveloperMetadata: z.strictObject({
    dataFilters: z
      .array(z.strictObject({ developerMetadataLookup: z.strictObject({ metadataId: index }) }))
      .min(1),
    developerMetadata: z.strictObject({ metadataValue: z.string() }),
    fields: z.literal('metadataValue'),
  }),
  addProtectedRange: z.strictObject({
    protectedRange: z.strictObject({
      range: GridRange,
      description: z.string().optional(),
      warningOnly: z.literal(true),
    }),
  }),
  deleteDeveloperMetadata: z.strictObject({
    dataFilter: z.strictObject({ developerMetadataLookup: z.strictObject({ metadataId: index }) }),
  }),
  updateSpreadsheetProperties: z.strictObject({
    properties: z.strictObject({ autoRecalc: z.enum(['ON_CHANGE', 'MINUTE', 'HOUR']) }),
    fields: z.literal('autoRecalc'),
  }),
  deleteNamedRange: z.strictObject({ namedRangeId: z.string() }),
}).superRefine(exactlyOne('A request'));
export type SheetRequest = z.output<typeof SheetRequest>;
/** The payload of one kind of request. */
export type Given<Kind extends keyof SheetRequest> = NonNullable<SheetRequest[Kind]>;

export const BatchUpdate = z.strictObject({ requests: z.array(SheetRequest).min(1) });
export const GetByDataFilter = z.strictObject({
  dataFilters: z
    .array(z.strictObject({ gridRange: GridRange.omit({ startColumnIndex: true, endColumnIndex: true }) }))
    .min(1),
});

/** Throws a refusal that names the first error. */
export function parsedRequest<T>(schema: z.ZodType<T>, value: unknown): T {
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

/** The server's own answers, validated before they are sent. */
const DeveloperMetadata = z.strictObject({
  metadataId: int,
  metadataKey: z.string(),
  metadataValue: z.string(),
  visibility,
});
const metadata = z.array(DeveloperMetadata.partial());
export const SpreadsheetAnswer = shape({
  spreadsheetId: z.string(),
  properties: shape({ title: z.string(), locale: z.string(), timeZone: z.string() }),
  developerMetadata: metadata,
  sheets: z.array(
    shape({
      properties: SheetProperties,
      developerMetadata: metadata,
      merges: z.array(GridRange),
      protectedRanges: z.array(
        shape({
          protectedRangeId: int,
          description: z.string(),
          range: GridRange,
          warningOnly: z.boolean(),
          requestingUserCanEdit: z.boolean(),
        }),
      ),
      data: z.array(
        shape({
          startRow: index,
          rowData: z.array(
            shape({
              values: z.array(
                CellData.extend({
                  formattedValue: z.string(),
                  dataValidation: DataValidationRule,
                  effectiveValue: shape({
                    ...ExtendedValue.shape,
                    errorValue: z.strictObject({
                      type: z.enum(['REF', 'NAME', 'VALUE', 'N_A', 'LOADING']),
                      message: z.string(),
                    }),
                  }),
                }).partial(),
              ),
            }),
          ),
          columnMetadata: z.array(
            shape({ hiddenByUser: z.boolean(), pixelSize: index, developerMetadata: metadata }),
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
      addChart: z.strictObject({ chart: EmbeddedChart.extend({ chartId: int }) }),
      createDeveloperMetadata: z.strictObject({ developerMetadata: DeveloperMetadata }),
      updateDeveloperMetadata: z.strictObject({ developerMetadata: z.array(DeveloperMetadata) }),
      addProtectedRange: z.strictObject({ protectedRange: z.strictObject({ protectedRangeId: int }) }),
      deleteDeveloperMetadata: z.strictObject({ deletedDeveloperMetadata: z.array(DeveloperMetadata) }),
    }),
  ),
});
