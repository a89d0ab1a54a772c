import { carePoints, restoredPoints, sendingPoints } from '../support/crash-points/booking-points.ts';
import { describeDeaths } from '../support/crash-points/describe-deaths.ts';

describeDeaths('a daemon that dies while it books', sendingPoints, { name: 'sending' });

describeDeaths('a daemon that dies while it looks after bookings', [...carePoints, ...restoredPoints], {
  name: 'care',
});
