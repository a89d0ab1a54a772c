import type { TabKey } from '../settings.ts';
import type { Content } from '../sheet/cells.ts';

/** What a column holds; decides its format when the tab is made. */
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

export interface Column {
  /** Its name in our mark; never changes. */
  key: string;
  /** Its first header; people may rename it. */
  header: string;
  kind: ColumnKind;
  width?: number;
  hidden?: boolean;
  /** People fill it in; we never write to it. */
  input?: boolean;
}

/** A row as it should be. `id` and `clinic` find it in the sheet, wherever it went, and are written once. */
export interface DesiredRow {
  clinic: string;
  id: string | number;
  cells: Readonly<Record<string, Content>>;
  /** It should not be there any more. */
  gone?: boolean;
}

export interface TabSpec {
  key: TabKey;
  title: string;
  columns: readonly Column[];
  rows: readonly DesiredRow[];
  /** Clinics whose rows are in it; with one, a missing clinic column does no harm. */
  clinics: readonly string[];
}

/** The columns that find a row. */
export const ID = 'id';
export const CLINIC = 'clinic';

export const rowKey = (clinic: string, id: string | number): string => `${clinic}\u0000${id}`;
