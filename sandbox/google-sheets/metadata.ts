import { parseMask } from './field-mask.ts';
import { dimension, gridOf } from './place.ts';
import { invalid } from './refusal.ts';
import type { Request } from './schema.ts';
import type { Metadata, Workbook } from './workbook.ts';

export function createMetadata(
  book: Workbook,
  request: NonNullable<Request['createDeveloperMetadata']>,
  nextId: () => number,
) {
  const { location, ...given } = request.developerMetadata;
  const taken = [
    book.metadata,
    ...book.grids.flatMap((grid) => [grid.metadata, ...grid.columns.map((c) => c.metadata)]),
  ];
  const metadataId = given.metadataId ?? nextId();
  if (taken.flat().some((one) => one.metadataId === metadataId))
    throw invalid(`Developer metadata with id ${metadataId} already exists.`);
  const { metadataValue, ...rest } = given;
  const metadata: Metadata = { ...rest, ...(metadataValue !== undefined && { metadataValue }), metadataId };
  if (location.spreadsheet) book.metadata.push(metadata);
  else if (location.sheetId !== undefined) gridOf(book, location.sheetId).metadata.push(metadata);
  else {
    const { grid, isRows, startIndex, endIndex } = dimension(book, location.dimensionRange, 0);
    if (isRows || endIndex - startIndex !== 1)
      throw invalid('The sandbox keeps metadata of single columns only.');
    const column = grid.columns[startIndex];
    if (column) grid.columns[startIndex] = { ...column, metadata: [...column.metadata, metadata] };
  }
  return { createDeveloperMetadata: { developerMetadata: metadata } };
}

export function updateMetadata(book: Workbook, request: NonNullable<Request['updateDeveloperMetadata']>) {
  const mask = parseMask(request.fields);
  const changed: Metadata[] = [];
  const renew = (one: Metadata): Metadata => {
    const found = request.dataFilters.some(
      ({ developerMetadataLookup: lookup }) => lookup.metadataId === one.metadataId,
    );
    if (!found) return one;
    const { metadataKey, metadataValue } = request.developerMetadata;
    const after = {
      ...one,
      ...('metadataKey' in mask && metadataKey !== undefined && { metadataKey }),
      ...('metadataValue' in mask && metadataValue !== undefined && { metadataValue }),
    };
    changed.push(after);
    return after;
  };
  book.metadata = book.metadata.map(renew);
  for (const grid of book.grids) grid.metadata = grid.metadata.map(renew);
  return { updateDeveloperMetadata: { developerMetadata: changed } };
}
