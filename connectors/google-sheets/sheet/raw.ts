import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/v4.js';

export type RawSpreadsheet = sheets_v4.Schema$Spreadsheet;
export type RawRule = sheets_v4.Schema$DataValidationRule;
export type RawRequest = sheets_v4.Schema$Request;
