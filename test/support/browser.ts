import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findProgram } from './program.ts';

/** The one without windows takes a third less processor time. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Where Chromium is; undefined where it is not installed. */
export const chromiumPath = findProgram(...(process.env.CHROMIUM ? [process.env.CHROMIUM] : PROGRAMS));

/** Browsers start slowly on a busy machine. */
const PATIENCE_TO_START_MS = 120_000;

export const launchBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    timeout: PATIENCE_TO_START_MS,
    // Without a process for graphics, which a machine without a graphics card only pays for, and without one to fork from.
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--no-zygote', ...args],
  });

/** Rarely a browser on a busy machine does not end what it is asked to end; it ends with the test run then. */
const PATIENCE_MS = 20_000;

/** Undefined: one that did not start, which has been said. */
export const closed = async (one: Browser | BrowserContext | undefined): Promise<void> => {
  await Promise.race([one?.close(), pause(PATIENCE_MS, undefined, { ref: false })]);
};
