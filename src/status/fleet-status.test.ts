import { expect, it } from 'vitest';
import type { FleetReport, MemberReport } from '../store/ports/fleet.ts';
import { fleetNeeds, fleetReasons, fleetStatus } from './fleet-status.ts';

const at = '2026-03-02T09:00:00.000Z';
const early = '2026-03-02T08:00:00.000Z';
const justNow = '2026-03-02T08:59:58.000Z';
const units = new Set(['clinic/a', 'clinic/b', 'upkeep']);

const member = (host: string, more: Partial<MemberReport> = {}): MemberReport => ({
  ...{ id: `${host}-1`, host, version: '1.0.0', config_hash: 'x', since: early, beat_at: justNow },
  ...{ skew_ms: 0, left_at: null, ...more },
});
const unit = (name: string, owner: string | null, since = early): FleetReport['units'][number] => ({
  ...{ unit: name, kind: name === 'upkeep' ? 'upkeep' : 'clinic', owner, fence: 1, since },
});
const owned = [unit('clinic/a', 'east-1'), unit('clinic/b', 'west-1'), unit('upkeep', 'east-1')];

const statusOf = (report: Partial<FleetReport>) =>
  fleetStatus({
    report: { at, members: [member('east'), member('west')], units: owned, left: [], ...report },
    ...{ units, ttlMs: 15_000 },
  });
const sentences = (report: Partial<FleetReport>) => fleetNeeds(statusOf(report)).map((need) => need.sentence);

it('shows who does what since when, and reports nothing about equal daemons', () => {
  const fleet = statusOf({});

  expect(fleet).toMatchObject({
    members: [
      { name: 'east', clinics: 1, connectors: 0, units: ['clinic/a', 'upkeep'] },
      { name: 'west', clinics: 1, units: ['clinic/b'] },
    ],
    ...{ alarms: [], free: [], handed_over_at: early },
  });
  expect(fleetReasons(fleet)).toEqual([]);
});

it('names the daemons that have another configuration, or another version', () => {
  const members = [
    member('east'),
    member('west', { config_hash: 'y', version: '1.1.0', since: justNow }),
    member('north'),
  ];

  expect(sentences({ members })).toEqual([
    'The daemons have 2 different configurations: east and north · west.',
    'The daemons run 2 versions: 1.0.0 on east and north · 1.1.0 on west.',
  ]);
  expect(statusOf({ members }).alarms[0]?.since).toBe(justNow);
});

it('names a clock that is more than a second off, and distinguishes daemons of one host', () => {
  const members = [
    member('east', { id: 'aaaa', skew_ms: 2_400 }),
    member('east', { id: 'bbbb', skew_ms: -1_000 }),
    member('west', { skew_ms: -1_100 }),
  ];

  expect(sentences({ members })).toEqual([
    'The clock of east (aaaa) is 2.4 s ahead of the database server’s.',
    'The clock of west is 1.1 s behind the database server’s.',
  ]);
});

it('names a daemon that went silent, until one of its host runs again', () => {
  const silent = member('north', { id: 'north-0', beat_at: '2026-03-02T08:30:00.000Z' });
  const back = member('north', { since: '2026-03-02T08:40:00.000Z' });
  const polite = member('south', { left_at: justNow });

  expect(sentences({ left: [silent, polite] })).toEqual([
    'The daemon on north went silent without shutting down.',
  ]);
  expect(sentences({ left: [silent], members: [member('east'), back] })).toEqual([]);
  expect(sentences({ left: [silent, { ...back, left_at: justNow }] })).toEqual([]);
});

it('is in trouble about units without an owner for 20 s, counted from the loss of the last one', () => {
  const gone = (beat_at: string) => ({
    left: [member('north', { id: 'north-0', beat_at })],
    units: [
      unit('clinic/a', null, '2026-03-02T08:59:30.000Z'),
      unit('clinic/b', 'north-0'),
      unit('upkeep', 'east-1'),
    ],
  });
  const reasonsOf = (report: Partial<FleetReport>) =>
    fleetReasons(statusOf(report)).map(({ sentence, since }) => [sentence, since]);

  expect(reasonsOf(gone('2026-03-02T08:59:24.000Z'))).toEqual([
    ['no daemon runs clinic/a and clinic/b', '2026-03-02T08:59:30.000Z'],
  ]);
  expect(reasonsOf(gone('2026-03-02T08:59:25.000Z'))).toEqual([
    ['no daemon runs clinic/a', '2026-03-02T08:59:30.000Z'],
  ]);
});

it('names the host on which alone a connector may run, when that is away', () => {
  const units = [unit('clinic/a', 'east-1'), unit('connector/accounts', null)];
  const fleet = fleetStatus({
    report: { at, members: [member('east')], units, left: [] },
    ...{
      units: new Set(['connector/accounts']),
      pins: new Map([['connector/accounts', 'west']]),
      ttlMs: 15_000,
    },
  });

  expect(fleetReasons(fleet).map(({ sentence }) => sentence)).toEqual([
    'no daemon runs connector/accounts (on west only)',
  ]);
});

it('is in trouble about a unit that does not start, although a daemon has just taken it again', () => {
  const failing = { host: 'east', problem: 'The disk is full. It has 0 bytes left.' };
  const reasonsOf = (since: string, taken = justNow) =>
    fleetReasons(
      statusOf({ units: [{ ...unit('clinic/a', 'east-1', taken), failing: { ...failing, since } }] }),
    ).map((reason) => [reason.sentence, reason.since]);

  expect(reasonsOf('2026-03-02T08:59:30.000Z')).toEqual([
    ['no daemon runs clinic/a (it does not start on east: The disk is full)', '2026-03-02T08:59:30.000Z'],
  ]);
  expect(reasonsOf('2026-03-02T08:59:50.000Z')).toEqual([]);
  // An older version, which does not say so, could start it.
  expect(reasonsOf('2026-03-02T08:50:00.000Z', '2026-03-02T08:57:00.000Z')).toEqual([]);
});

it('names one that went silent beside a neighbour on the same host that was cut off for a while', () => {
  const killed = member('north', { id: 'killed', beat_at: '2026-03-02T08:30:00.000Z' });
  const cutOff = member('north', { id: 'cut-off', beat_at: '2026-03-02T08:30:02.000Z' });
  const again = member('north', { id: 'again', since: '2026-03-02T08:31:00.000Z' });

  expect(sentences({ left: [killed, cutOff], members: [again] })).toHaveLength(1);
  expect(sentences({ left: [cutOff], members: [again] })).toEqual([]);
});

it('does not ask for what another configuration had, nor blame the time when no daemon ran', () => {
  const members = [member('east', { since: justNow })];
  const night = '2026-03-01T20:00:00.000Z';

  expect(
    statusOf({ members, units: [unit('clinic/a', null, night), unit('clinic/former', null, night)] }).free,
  ).toEqual([]);
  expect(statusOf({ units: [unit('clinic/former', null, night)] }).free).toEqual([]);
});
