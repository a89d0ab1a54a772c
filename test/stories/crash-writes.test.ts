import { describeDeaths } from '../support/crash-points/describe-deaths.ts';
import { filePoints, writePoints } from '../support/crash-points/store-points.ts';

describeDeaths('a daemon that dies before or after a commit', [...filePoints, ...writePoints], {
  name: 'writes',
});
