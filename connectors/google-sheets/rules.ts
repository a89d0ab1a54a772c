/** What keeps people's cells and patients safe. The tests switch each off once, and must then fail. */
export interface Rules {
  /** A Ref must be seen again in a later reading before its row is booked. */
  secondLook: boolean;
  /** The row with the Ref must still say what it said when it was claimed. */
  contentGuard: boolean;
  /** Only cells that differ are written, never a whole row. */
  cellsOnly: boolean;
  /** What was written into a cell that had moved is put back. */
  mends: boolean;
}

export const soundRules: Rules = { secondLook: true, contentGuard: true, cellsOnly: true, mends: true };
