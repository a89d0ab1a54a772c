/** Rows asked for at once: a command must not keep the daemon's database busy for long. */
export const PAGE_SIZE = 500;

/** All rows of what is read in pages of `PAGE_SIZE`, each page behind the last row of the one before. */
export async function* inPages<Row>(read: (last?: Row) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(last);
    yield* rows;
    last = rows.length === PAGE_SIZE ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
