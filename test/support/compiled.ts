import { join } from 'node:path';

/**
 * Environment for processes that run the sources as they are: types are stripped and code is compiled once, and found
 * again by later processes and runs. Who is to be killed calls `flushCompileCache` first.
 */
export const keepCompiled = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/clinic-sync-compiled'),
};
