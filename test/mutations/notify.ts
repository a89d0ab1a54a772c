import type { MutationSet } from './mutation.ts';

const plan = 'src/notify/plan.ts';
const alerts = 'src/notify/alerts.ts';
const silence = 'src/notify/silence.ts';

export const notify: MutationSet = {
  module: 'notify',
  tests: ['src/notify/plan.test.ts', 'src/notify/quiet-hours.test.ts', 'src/notify/silence.test.ts'],
  mutations: [
    {
      file: plan,
      find: 'if (waiting.size > 0) {\n    // Those',
      replace: 'if (waiting.size > 1_000) {\n    // Those',
      harm: 'a target that is down for a day gets a hundred messages when it is back',
    },
    {
      file: plan,
      find: 'if (hasEnded && !wasNotified) return undefined;',
      replace: '',
      harm: 'somebody hears that an alert is over of which they never heard',
    },
    {
      file: plan,
      find: "one.over === 'before' && !one.owed ? 'again' : 'now' };",
      replace: "'now' };",
      harm: 'the end of what was told is forgotten when it came back and ended again',
    },
    {
      file: plan,
      find: '|| underWay?.has(delivery) ||',
      replace: '||',
      harm: 'a message that is just arriving counts as never sent, and its alert is told twice',
    },
    {
      file: plan,
      find: '(isOver(one) || !alerts.has(key));',
      replace: '!alerts.has(key);',
      harm: 'what came back while its message failed is told twice',
    },
    {
      file: plan,
      find: 'return hasEnded(alerts, key, one) || isQuiet(item) ||',
      replace: 'return hasEnded(alerts, key, one) ||',
      harm: 'what waited for the target in the evening rings in the night',
    },
    {
      file: plan,
      find: 'return !isQuiet(alert) && isFor',
      replace: 'return isFor',
      harm: 'quiet hours are not quiet',
    },
    {
      file: plan,
      find: 'const isQuiet = (item: Item) => !item.urgent &&',
      replace: 'const isQuiet = (item: Item) => !item.url &&',
      harm: 'what is urgent waits for the morning',
    },
    {
      file: plan,
      find: 'first: before?.owed ? before.first : instant(now),',
      replace: 'first: instant(now),',
      harm: 'nobody else is told while the first target is down',
    },
    {
      file: plan,
      find: '!isEnd(one.type) && !isOver(one) && now - toMs(one.first)',
      replace: '!isEnd(one.type) && now - toMs(one.first)',
      harm: 'what is over and came back is escalated at once',
    },
    {
      file: plan,
      find: 'if (isAboutTarget(alert) && subject === deliveriesTo(target.name)) return false;',
      replace: '',
      harm: 'a target is told that it cannot be told',
    },
    {
      file: plan,
      find: 'if (clinic !== null && target.clinics !== undefined && !target.clinics.includes(clinic)) return false;',
      replace: '',
      harm: 'one clinic reads what happens at another',
    },
    {
      file: plan,
      find: 'some.length > singly ? [[type, some]] :',
      replace: 'some.length > 1_000_000 ? [[type, some]] :',
      harm: 'ten thousand alerts are ten thousand messages',
    },
    {
      file: alerts,
      find: "if (kind === 'lane' && unreachable.has(clinic) && !alerts.has(place.key)) continue;",
      replace: '',
      harm: 'one outage is two messages',
    },
    {
      file: silence,
      find: 'if (forMs <= longest || missingSince',
      replace: 'if (missingSince',
      harm: 'every weekend is a silence',
    },
    {
      file: silence,
      find: '|| last.ms - first.ms < LEAST_MS || total < LEAST_LEADS)',
      replace: '|| total < 1)',
      harm: 'a form of two days is called silent',
    },
  ],
};
