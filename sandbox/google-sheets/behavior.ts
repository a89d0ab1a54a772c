/**
 * What Google's documentation leaves open, each as a switch. The default is the kinder reading; tests throw every switch,
 * and `npm run test:live` finds out which one is true. The README says what is known of each.
 */
export interface Behavior {
  /** A reading of some tabs carries the metadata of the spreadsheet as a whole. */
  filteredReadingsHaveOwners: boolean;
  /** A list of choices may contain a formula. */
  listsTakeFormulas: boolean;
  /** The metadata of the spreadsheet as a whole can be changed in a copy of the file. */
  copiedOwnersCanBeChanged: boolean;
  /** Undo and a restored version bring back the marks of columns. */
  undoRestoresMarks: boolean;
  /** A strict checkbox takes anything from a client. */
  checkboxesTakeAnything: boolean;
  /** The inner cells of a merged range keep what a client writes. */
  mergedCellsTakeWrites: boolean;
  /** A line break comes back as it was written. */
  lineBreaksAreKept: boolean;
  /** A spreadsheet in the bin of Google Drive is read and written as before. */
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
