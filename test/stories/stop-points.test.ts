/** @module-tag thorough */
import { always, describeEveryPoint } from '../support/crash-points/every-point.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

// A stop leaves less behind than a death, and every death is died in each run; so here only where money is at stake.
describeEveryPoint('SIGTERM', isLongRun ? always : ['while it books']);
