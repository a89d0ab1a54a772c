/**
 * Switches for what Google's documentation leaves open. The default is the more lenient behaviour; tests use both, and
 * `npm run test:live` finds out which one is real. The README lists what is known.
 */
export interface Behavior {
  /** A read of some tabs includes the metadata of the whole spreadsheet. */
  filteredReadingsHaveOwners: boolean;
  /** A list of choices may contain a formula. */
  listsTakeFormulas: boolean;
  /** The metadata of the whole spreadsheet can be changed in a copy of the file. */
  copiedOwnersCanBeChanged: boolean;
  /** Undo, or restoring a version, brings back the marks of columns. */
  undoRestoresMarks: boolean;
  /** A strict rule, or a typed column of a table, accepts any value from a client. */
  checkboxesTakeAnything: boolean;
  /** The inner cells of a merged range keep what a client writes. */
  mergedCellsTakeWrites: boolean;
  /** A line break is returned as it was written. */
  lineBreaksAreKept: boolean;
  /** A spreadsheet in the bin of Google Drive can still be read and written. */
  binnedFilesAreServed: boolean;
}

export const kind: Behavior = {
  filteredReadingsHaveOwners: true,
  listsTakeFormulas: true,
  copiedOwnersCanBeChanged: true,
  undoRestoresMarks: true,
  checkboxesTakeAnything: true,
  mergedCellsTakeWrites: true,
  lineBreaksAreKept: true,
  binnedFilesAreServed: true,
};

export const harsh: Behavior = {
  filteredReadingsHaveOwners: false,
  listsTakeFormulas: false,
  copiedOwnersCanBeChanged: false,
  undoRestoresMarks: false,
  checkboxesTakeAnything: false,
  mergedCellsTakeWrites: false,
  lineBreaksAreKept: false,
  binnedFilesAreServed: false,
};
