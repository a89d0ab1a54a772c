import { describeEveryPoint } from '../support/crash-points/every-point.ts';

describeEveryPoint('SIGTERM');
