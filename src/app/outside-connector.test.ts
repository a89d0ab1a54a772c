import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import * as contract from '../connector.ts';
import { systemClock } from '../platform/clock.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { startDaemon } from './app.ts';

/** A third-party package in its own folder, with its own copy of the class. */
const module = `
import { z } from '${import.meta.resolve('zod')}';
class Failure extends Error {
  name = 'Failure';
  constructor({ kind, message, hint }) { super(message); Object.assign(this, { kind, hint }); }
}
export const connector = {
  name: 'outside', summary: 'Refuses all.', secrets: [],
  settings: z.strictObject({}),
  create: async () => ({
    events: {
      wants: ({ type }) => type === 'dentist.created',
      encode: ({ id }) => String(id),
      deliver: async () => { throw new Failure({ kind: 'refused', message: 'It is full', hint: 'Empty it.' }); },
      schedule: [3_600_000], snapshot: true,
    },
    check: async () => [], stop: async () => {},
  }),
};
`;

it('gives what a connector from outside refuses to a person at once, although its Failure is a copy', {
  tags: ['thorough'],
}, async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'outside.mjs'), module);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const yaml = `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${sandbox.credentials.app_key}, secret_key: ${sandbox.credentials.secret_key}, timezone: Asia/Dhaka }
connectors: { theirs: { use: ${join(folder, 'outside.mjs')} } }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const daemon = await startDaemon({
    config: loaded.config,
    clock: systemClock,
    log: silentLog,
    version: '0.0.0',
  });
  onTestFinished(() => daemon.stop());

  await until('all are given up', async () => (await daemon.report()).connectors[0]?.dead === 6);
});

it('exports the Failure that connectors throw', () => {
  const error = new contract.Failure({ kind: 'refused', message: 'It is full' });

  expect(asFailure(error, 'Sending')).toBe(error);
  expect(error).toBeInstanceOf(Failure);
});
