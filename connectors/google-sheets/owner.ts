import { stated } from '../../src/connector.ts';
import { Failure } from '../../src/platform/failure.ts';
import { mark } from './plan/create-tab.ts';
import type { RawRequest } from './sheet/raw.ts';
import { ownerMark, type Snapshot } from './sheet/snapshot.ts';

export interface SpreadsheetOwner {
  /** Installation and connector, as written in the spreadsheet. */
  me: string;
  adopt: string | undefined;
}

/**
 * A spreadsheet has one owner: a second would overwrite it, and one with an empty database would book again. Returns
 * the requests that mark it as ours, none if it is. Throws `Failure` refused when another installation owns it.
 */
export function claimOwnership({ owners }: Snapshot, { me, adopt }: SpreadsheetOwner): RawRequest[] {
  const others = owners.filter(({ name }) => name !== me);
  const stranger = others.find(({ name }) => name !== adopt);
  if (stranger)
    throw new Failure({
      kind: 'refused',
      ...stated('sheet_of_another', { name: stranger.name }),
    });
  // In a copied file the former owner's mark may remain; ours beside it is then enough.
  if (others.length < owners.length) return [];
  return [
    ...others.map(({ metadataId }) => ({
      updateDeveloperMetadata: {
        dataFilters: [{ developerMetadataLookup: { metadataId } }],
        developerMetadata: { metadataValue: ownerMark(me) },
        fields: 'metadataValue',
      },
    })),
    mark({ spreadsheet: true }, ownerMark(me)),
  ];
}
