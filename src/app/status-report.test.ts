import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { fromText } from '../config/load.ts';
import { instant } from '../platform/clock.ts';
import { HOUR } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { type FleetReport, type FleetVerbs, fleetTimes } from '../store/ports/fleet.ts';
import { buildParts } from './parts.ts';
import { createStatusReport } from './status-report.ts';

it('names the host on which alone a connector may run, when that is away', async () => {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  const yaml = `version: 1
clinics:
  main: { base_url: "http://127.0.0.1:1/api/v1", app_key: app, secret_key: secret, timezone: Asia/Dhaka }
connectors: { reports: { use: csv, directory: ${join(folder, 'csv')}, on: west } }
store: { sqlite: ${join(folder, 'clinic.db')} }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const { config } = loaded;
  const parts = await buildParts({ config, clock, log: silentLog, version: '0.0.0', mode: 'daemon' });
  onTestFinished(() => parts.close());
  const [at, since] = [instant(clock.now()), instant(clock.now() - HOUR)];
  const report = async (): Promise<FleetReport> => ({
    at,
    members: [
      {
        ...{ id: '1', host: 'east', version: '0.0.0', config_hash: 'x', since },
        ...{ beat_at: at, skew_ms: 0, left_at: null },
      },
    ],
    units: [{ unit: 'connector/reports', kind: 'connector', owner: null, fence: 1, since }],
    left: [],
  });
  const fleet = { ...({} as FleetVerbs), times: fleetTimes(), report };

  const { reasons } = await createStatusReport({
    ...{ parts: { ...parts, store: { ...parts.store, fleet } }, clock, version: '0.0.0' },
  }).report();

  expect(reasons.map(({ sentence }) => sentence)).toContain(
    'no daemon runs connector/reports (on west only)',
  );
});
