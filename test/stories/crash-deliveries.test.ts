import { archivePoints, deliveryPoints, inboxPoints } from '../support/crash-points/connector-points.ts';
import { describeDeaths } from '../support/crash-points/describe-deaths.ts';

describeDeaths(
  'a daemon that dies while it delivers',
  [...deliveryPoints, ...inboxPoints, ...archivePoints],
  { name: 'deliveries', files: { archive: 'monthly' } },
);
