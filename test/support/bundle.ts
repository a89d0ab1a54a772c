import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';

/** Where the program lies that tests start as a process: bundled as it is shipped, from the sources under test. */
export const bundled = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'clinic-sync');

/** Once before all tests. */
export const setup = (): Promise<void> => bundle(bundled, { maps: false });
