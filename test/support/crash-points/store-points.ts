import { join } from 'node:path';
import { type WriteName, writeNames } from '../../../src/store/sql/database.ts';
import type { Story } from '../daemon/clinic-story.ts';
import { bookAndVerify, changeFee, waitAsTold } from './booking-points.ts';
import { type Death, down, dying, type Scenario, submitLead, up } from './scenario.ts';

/** What makes the daemon, or a command beside it, write each kind of thing. */
const causes: Record<WriteName, Omit<Death, 'point'> & { before?: Death[] }> = {
  start: {},
  record: { act: async (story) => changeFee(story) },
  track: {
    command: ({ sandbox }) => ['appointments', 'track', String(sandbox.control.addAppointment())],
  },
  observe: { act: submitLead },
  accept: { act: submitLead },
  claim: { act: submitLead },
  note: { act: bookAndVerify },
  move: { act: submitLead },
  interrupt: { before: [dying('bookings.intent_durable', submitLead)] },
  enqueue: { act: submitLead },
  settle: { act: submitLead },
  decide: { act: (story) => story.act('/admin/connectors/crm/deliveries/retry') },
  replay: { command: () => ['deliveries', 'replay', 'crm', '--from', '1', '--yes'] },
  connector: { act: submitLead },
  // A poll has ended and is written down.
  run: { act: async () => {} },
  guard: {
    act: async ({ sandbox }) =>
      sandbox.control.script({ match: { endpoint: 'treatments' }, fault: { kind: 'half_list' } }),
  },
  memory: { act: waitAsTold },
  prune: {},
  erase: {
    command: ({ acknowledged }) => ['erase', '--booking', [...acknowledged.values()][0] ?? '', '--yes'],
  },
  health: { act: (story) => story.ask('/readyz') },
  incidents: {},
  people: { act: (story) => story.act('/admin/connectors/crm/deliveries/retry') },
};

const scenarioOf = (name: WriteName, when: 'before' | 'after'): Scenario => {
  const { before = [], ...cause } = causes[name];
  return { deaths: [...before, { point: `store.${name}.${when}-commit`, ...cause }] };
};

/** Every kind of write, just before and just after it is durable. */
export const writePoints: Scenario[] = writeNames.flatMap((name) => [
  scenarioOf(name, 'before'),
  scenarioOf(name, 'after'),
]);

/** As if the connector had just been configured. */
async function forgetReceiver(story: Story): Promise<void> {
  await down(story);
  story.rewrite("delete from cursors where connector = 'crm'", {});
}

/** A start on an empty folder, a connector never seen before, and a backup. */
export const filePoints: Scenario[] = [
  { deaths: [dying('store.marker.before-rename')] },
  { deaths: [dying('deliveries.snapshot', undefined, forgetReceiver)] },
  {
    deaths: [
      {
        point: 'store.backup.before-rename',
        command: ({ folder }) => ['backup', join(folder, 'backup.db')],
      },
    ],
  },
  {
    deaths: [
      {
        point: 'store.restore.before-rename',
        prepare: async (story) => {
          await up(story);
          await down(story);
          const { code, output } = await story.run(['backup', join(story.folder, 'newest.db')]);
          if (code !== 0) throw new Error(output);
        },
        command: ({ folder }) => ['restore', join(folder, 'newest.db')],
        stopped: true,
      },
    ],
    wakesTo: async (story) => {
      await story.act('/admin/clinics/main/resume-lane');
    },
  },
];
