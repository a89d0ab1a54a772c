import type { MutationSet } from './mutation.ts';

const trust = 'src/fleet/trust-window.ts';
const holding = 'src/fleet/holding.ts';
const member = 'src/fleet/member.ts';
const term = 'src/fleet/term.ts';

/** How long a process may trust that it has what it was given. */
export const fleet: MutationSet = {
  module: 'fleet',
  tests: ['src/fleet'],
  mutations: [
    {
      file: trust,
      find: 'Math.max(now.monotonic - began.monotonic, now.wall - began.wall, now.uptime - began.uptime)',
      replace: '(now.monotonic - began.monotonic)',
      harm: 'a machine that was suspended sends as if no time had passed',
    },
    {
      file: trust,
      find: 'Math.max(now.monotonic - began.monotonic, now.wall - began.wall, now.uptime - began.uptime)',
      replace: '(now.wall - began.wall)',
      harm: 'a clock that is set back makes a daemon trust for too long',
    },
    {
      file: trust,
      find: ', now.uptime - began.uptime)',
      replace: ')',
      harm: 'a machine that was suspended and whose clock is then set back sends as if no time had passed',
    },
    {
      file: holding,
      find: ' && leftMs() >= sendMs',
      replace: '',
      harm: 'a daemon that stood still sends what another may be sending',
    },
    {
      file: member,
      find: 'if (await verbs.beat(of.id)) of.beaten(began);',
      replace: 'if (await verbs.beat(of.id).catch(() => true)) of.beaten(began);',
      harm: 'a daemon that is cut off from the database goes on sending',
    },
    {
      file: holding,
      find: ' && sendsInMs() === 0',
      replace: '',
      harm: 'who takes over sends while the one before may still have a booking on the wire',
    },
    {
      file: member,
      find: 'if (term !== former) await term?.drain();',
      replace: '',
      harm: 'a daemon that is stopped while it joins seems to have crashed',
    },
    {
      file: term,
      find: 'units.filter(({ on }) => on === undefined || on === host)',
      replace: 'units',
      harm: 'a folder on one machine is written by the daemon of another',
    },
    {
      file: term,
      find: 'canRun?.() !== false && ',
      replace: '',
      harm: 'nobody delivers to a connector whose owner cannot build it',
    },
  ],
};
