import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';

/** Rarely a browser on a busy machine does not end what it is asked to end; it ends with the test run then. */
const PATIENCE_MS = 20_000;

export const closed = async (one: Browser | BrowserContext): Promise<void> => {
  await Promise.race([one.close(), pause(PATIENCE_MS, undefined, { ref: false })]);
};
