import { expect, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { type Daemon, startDaemon } from '../../../src/app/app.ts';
import { fromText } from '../../../src/config/load.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { EMPTY } from '../store/empty-postgres.ts';
import type { PostgresServer } from '../store/postgres-server.ts';

/** The module of a connector that does not load. */
export const MISSING = './no-such-connector.js';

const find: typeof findKind = async (use) => {
  if (use === MISSING) throw new Error('does not load');
  return findKind(use);
};

interface Configured {
  /** Of the one clinic; default `main`. */
  key?: string;
  timezone?: string;
  /** Lines below `connectors`. */
  connectors?: readonly string[];
  /** Lines below `notify`. */
  notify?: readonly string[];
}

const mapping = (lines: readonly string[]) =>
  lines.length === 0 ? '{}' : lines.map((line) => `\n  ${line}`).join('');

/** Daemons of a fleet in this process, on an empty database, with one clinic. They stop when the test ends. */
export async function daemonsHere({ run, url }: PostgresServer) {
  await run(EMPTY);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  return async (given: Configured = {}): Promise<Daemon> => {
    const { key = 'main', timezone = 'UTC', connectors = [], notify = [] } = given;
    const yaml = `version: 1
clinics:
  ${key}: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: ${timezone} }
connectors: ${mapping(connectors)}
notify: ${mapping(notify)}
store: { postgres: "${url()}" }
http: { listen: 127.0.0.1:0 }
`;
    const loaded = await fromText(yaml, 'test.yaml', {
      ...{ environment: {}, findKind: find, knownKinds: kindNames },
    });
    expect.assert(loaded.ok);
    const daemon = await startDaemon({
      ...{ config: loaded.config, clock: systemClock, log: silentLog, version: '0.0.0' },
    });
    onTestFinished(() => daemon.stop());
    return daemon;
  };
}
