// @ts-check
import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Settings = z.strictObject({
  directory: z.string().min(1).describe('Where the files go; made when it is missing.'),
});

/**
 * Writes each event into a file of its own. The event's id is the file's name, so an event that comes twice is
 * written twice to the same place: receiving it again changes nothing.
 *
 * @satisfies {import('clinic-sync/connector').ConnectorKind<z.infer<typeof Settings>>}
 */
export const connector = {
  name: 'event-folder',
  summary: 'Writes each event into a file of its own.',
  settings: Settings,
  secrets: [],

  async create({ settings: { directory } }) {
    return {
      events: {
        wants: () => true,
        encode: ({ type, at, clinic, sequence, data, previous }) =>
          `${JSON.stringify({ type, at, clinic, sequence, data, previous }, undefined, 2)}\n`,

        async deliver({ id, body }, signal) {
          await mkdir(directory, { recursive: true });
          // Readers never see half a file: it gets its name when it is complete.
          const unfinished = join(directory, `.${id}.tmp`);
          await writeFile(unfinished, body, { signal });
          await rename(unfinished, join(directory, `${id}.json`));
        },

        // A full disk or a missing mount: tried again for about a day, then it waits for a person.
        schedule: [1_000, 60_000, 3_600_000, 86_400_000],
        snapshot: true,
      },

      async check() {
        try {
          await access(directory, constants.W_OK);
          return [{ level: 'ok', what: `${directory} can be written to` }];
        } catch {
          const hint =
            'It is made with the first event; check the path and the permissions if it should exist.';
          return [{ level: 'warn', what: `${directory} does not exist or cannot be written to`, hint }];
        }
      },

      async stop() {},
    };
  },
};
