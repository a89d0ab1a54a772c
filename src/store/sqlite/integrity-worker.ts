import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { checkPages, type Task } from './check-pages.ts';

// On other systems this would change the priority of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage(checkPages(workerData as Task));
