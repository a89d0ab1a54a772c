import { Failure } from '../../src/platform/failure.ts';
import type { RawRequest } from './api/client.ts';
import { mark } from './plan/create-tab.ts';
import { ownerMark, type Snapshot } from './sheet/snapshot.ts';

export interface Ownership {
  /** This installation and connector, as it signs a spreadsheet. */
  me: string;
  adopt: string | undefined;
}

/**
 * A spreadsheet has one owner: two would undo each other, and one with a new database knows none of the bookings.
 * Returns what signs the spreadsheet (nothing, when it is signed). Throws `Failure` refused when another owner has.
 */
export function claimOwnership({ owners }: Snapshot, { me, adopt }: Ownership): RawRequest[] {
  if (owners.length === 0) return [mark({ spreadsheet: true }, ownerMark(me))];
  const others = owners.filter(({ name }) => name !== me);
  const stranger = others.find(({ name }) => name !== adopt);
  if (stranger)
    throw new Failure({
      kind: 'refused',
      message: `The spreadsheet is kept by another installation of clinic-sync (${stranger.name}); nothing is written to it and no booking is taken from it.`,
      hint: `If that one does not run any more (or its database was lost), set \`adopt: ${stranger.name}\` and restart.`,
    });
  return others.map(({ metadataId }) => ({
    updateDeveloperMetadata: {
      dataFilters: [{ developerMetadataLookup: { metadataId } }],
      developerMetadata: { metadataValue: ownerMark(me) },
      fields: 'metadataValue',
    },
  }));
}
