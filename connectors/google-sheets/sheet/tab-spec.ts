import type { TabKey } from '../settings.ts';
import type { Content } from './cells.ts';

/** Kind of content, which decides the format of a new column. */
export type ColumnKind =
  | 'id'
  | 'text'
  | 'number'
  | 'money'
  | 'date'
  | 'time'
  | 'instant'
  | 'checkbox'
  | 'mixed';

export interface TabColumn {
  /** Its name in our mark, which never changes: it is in people's sheets. */
  key: string;
  /** The initial header, in the language of the settings; people may rename it. */
  header: string;
  /** The same in every language, by which a header is known whenever it was written. */
  headers: readonly string[];
  kind: ColumnKind;
  width?: number;
  hidden?: boolean;
  /** Filled in by people; never written by us. */
  input?: boolean;
}

/** Desired content of a row. `id` and `clinic` find it wherever it was moved, and are written once. */
export interface DesiredRow {
  clinic: string;
  id: string | number;
  cells: Readonly<Record<string, Content>>;
  /** Its position in its table, unless that is its id. */
  place?: string | number;
  /** The row must be deleted. */
  gone?: boolean;
}

export interface TabSpec {
  key: TabKey;
  title: string;
  columns: readonly TabColumn[];
  rows: readonly DesiredRow[];
  /** ISO 4217 codes by clinic. */
  currencies: ReadonlyMap<string, string | null>;
  /** Clinics with rows in it; with a single one, the Clinic column may be missing. */
  clinics: readonly string[];
}

/** Key and header of the column that shows a tab's age. */
export const AS_OF = 'fresh';
export const AS_OF_HEADER = 'As of';

/** The columns that identify a row. */
export const ID = 'id';
export const CLINIC = 'clinic';

/** What new tabs call these columns. */
export const headersOf = (columns: readonly TabColumn[], ...keys: string[]): string =>
  keys
    .flatMap((key) => columns.find((one) => one.key === key)?.header ?? [])
    .map((header) => header.replace(' *', ''))
    .join(', ');

export const rowKey = (clinic: string, id: string | number): string => `${clinic}\u0000${id}`;
