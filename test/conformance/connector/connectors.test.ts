import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { findKind } from '../../../connectors/registry.ts';
import { webhook } from '../../../connectors/webhook/webhook.ts';
import { startIsolated } from '../../../src/app/isolation/isolation.ts';
import type { ConnectorKind } from '../../../src/connector.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { tier } from '../../support/tiers.ts';
import { describeConnector } from './describe-connector.ts';

describeConnector({
  kind: webhook,
  abilities: ['events'],
  hangs: true,
  async setUp() {
    const receiver = await startReceiver();
    return {
      settings: { url: receiver.url, secret: randomUUID(), allow_networks: ['127.0.0.0/8'] },
      contents: async () => receiver.received.map(({ body }) => body).join('\n'),
      hang() {
        receiver.answer = () => {};
      },
      tearDown: async () => receiver[Symbol.asyncDispose](),
    };
  },
});

/** Somebody else's connector, loaded the way a configuration would load it. */
const eventFolder = await findKind('./examples/event-folder/event-folder.js');
if (eventFolder === undefined) throw new Error('the example is not where it should be');

/** As it is shipped: it starts in a fraction of the time. */
const child = join(inject('bundle'), 'isolated-child.js');
const isolated: ConnectorKind = {
  ...eventFolder,
  name: 'event-folder in a process of its own',
  create: (context) => startIsolated('./examples/event-folder/event-folder.js', context, [], child),
};

for (const kind of [eventFolder, isolated])
  describe(kind.name, tier(kind === eventFolder), () =>
    describeConnector({
      kind,
      abilities: ['events'],
      async setUp() {
        const directory = mkdtempSync(join(tmpdir(), 'event-folder-'));
        return {
          settings: { directory },
          contents: async () =>
            readdirSync(directory)
              .sort()
              .map((name) => `${name}\n${readFileSync(join(directory, name), 'utf8')}`)
              .join(''),
          tearDown: async () => rmSync(directory, { recursive: true, force: true }),
        };
      },
    }),
  );
