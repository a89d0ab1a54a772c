import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { Story } from './clinic-story.ts';

/** From its next start on, the story's daemon has its database on a PostgreSQL server. */
export async function putOnServer(story: Story, url: string): Promise<void> {
  const settings = parse(await readFile(story.config, 'utf8'));
  await writeFile(story.config, stringify({ ...settings, store: { postgres: url } }));
}
