import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Without the garbage, of which there is more or less according to what ran before. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
