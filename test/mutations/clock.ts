import type { MutationSet } from './mutation.ts';

const file = 'src/platform/clock-trust.ts';

/** A wall clock that leaps, and what it may then not decide for good. */
export const clock: MutationSet = {
  module: 'clock',
  tests: ['src/platform/clock-trust.test.ts'],
  mutations: [
    {
      file,
      find: 'Math.abs(leap) > LEAP_MS',
      replace: 'leap > LEAP_MS',
      harm: 'a clock set back is believed',
    },
    {
      file,
      find: '- (now.uptime - last.uptime)',
      replace: '',
      harm: 'every minute without a look counts as a leap',
    },
    {
      file,
      find: '      if (leap > 0) {',
      replace: '      if (leap < 0) {',
      harm: 'a virtual machine put back with its memory sends what was already sent',
    },
    {
      file,
      find: '        before = former;',
      replace: '        before = now.wall;',
      harm: 'the time before the leap is unknown, so nothing since is compared',
    },
    {
      file,
      find: 'const PROOF_MS = DAY;',
      replace: 'const PROOF_MS = MINUTE;',
      harm: 'a wrong clock is believed after a minute, and visits end for good',
    },
    {
      file,
      find: 'const OFF_MS = DAY;',
      replace: 'const OFF_MS = 4_000 * DAY;',
      harm: 'a machine that starts in another year is believed',
    },
    {
      file,
      find: 'off < -LEAP_MS || off > OFF_MS',
      replace: 'off > OFF_MS',
      harm: 'a clock that is behind the last beat is believed at a start',
    },
    {
      file,
      find: 'else if (left > 0) doubt = inMs(left);',
      replace: '',
      harm: 'a restart ends the doubt about the clock',
    },
    {
      file,
      find: 'now.wall >= doubt.wall || now.uptime >= doubt.uptime',
      replace: 'now.wall >= doubt.wall',
      harm: 'a clock set back stays distrusted for as long as it was ahead',
    },
  ],
};
