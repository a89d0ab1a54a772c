import { resolve } from 'node:path';
import type { ConnectorSettings } from './config.ts';
import { type ConfigFault, faultAt, type Source } from './faults.ts';

/** Two connectors of a kind in one folder would overwrite each other's files, or book the same ones. */
export function sharedFolders(source: Source, connectors: readonly ConnectorSettings[]): ConfigFault[] {
  return connectors.flatMap((later, index) =>
    ['directory', 'inbox'].flatMap((setting) => {
      const folder = folderOf(later, setting);
      if (folder === undefined) return [];
      // A `directory` has a folder per clinic.
      const meets = ({ clinics }: ConnectorSettings) =>
        setting === 'inbox' || clinics.some((clinic) => later.clinics.includes(clinic));
      const first = connectors
        .slice(0, index)
        .find((one) => one.use === later.use && folderOf(one, setting) === folder && meets(one));
      if (first === undefined) return [];
      const path = ['connectors', later.name, setting];
      return [faultAt(source, path, `is also the ${setting} of ${first.name}`, 'Give each its own folder.')];
    }),
  );
}

function folderOf({ settings }: ConnectorSettings, setting: string): string | undefined {
  const folder = (settings as Record<string, unknown> | null)?.[setting];
  return typeof folder === 'string' ? resolve(folder) : undefined;
}
