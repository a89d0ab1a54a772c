import { expect, it } from 'vitest';
import type { FleetReport, MemberReport } from '../store/ports/fleet.ts';
import { clinicsRun } from './fleet.ts';

const at = '2026-03-02T09:00:00.000Z';
const justNow = '2026-03-02T08:59:50.000Z';
const early = '2026-03-02T08:00:00.000Z';

const member = (id: string, beat_at = justNow): MemberReport => ({
  ...{ id, host: id, version: '1', config_hash: 'x', since: early, beat_at, skew_ms: 0, left_at: null },
});
const unit = (name: string, owner: string | null, since = early): FleetReport['units'][number] => ({
  ...{ unit: name, kind: name === 'upkeep' ? 'upkeep' : 'clinic', owner, fence: 1, since },
});

it('counts a clinic as run by a daemon that lives, or did until a moment ago', () => {
  const units = [
    unit('clinic/run', 'east'),
    unit('clinic/given-back', null, justNow),
    unit('clinic/crashed', 'west'),
    unit('clinic/removed', null),
    unit('clinic/removed-after-a-power-cut', 'north'),
    unit('clinic/removed-long-ago', 'forgotten'),
    unit('upkeep', 'east'),
  ];
  const left = [member('west'), member('north', early)];

  expect(clinicsRun({ at, members: [member('east')], left, units })).toEqual([
    'run',
    'given-back',
    'crashed',
  ]);
});
