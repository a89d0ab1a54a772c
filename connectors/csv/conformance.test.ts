import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeConnector } from '../../test/conformance/connector/describe-connector.ts';
import { csv } from './csv.ts';

/** Every file but the manifest, whose as-of moves with every look at the clinic. */
async function contents(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const files = names.filter((name) => /\.csv$/.test(name)).sort();
  const texts = await Promise.all(
    files.map(async (name) => `${name}\n${await readFile(join(directory, name), 'utf8')}`),
  );
  return texts.join('\n');
}

describeConnector({
  kind: csv,
  abilities: ['state'],
  async setUp() {
    const directory = await mkdtemp(join(tmpdir(), 'clinic-sync-csv-'));
    return {
      settings: { directory },
      contents: () => contents(directory),
      tearDown: () => rm(directory, { recursive: true, force: true }),
    };
  },
});
