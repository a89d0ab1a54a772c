#!/usr/bin/env -S node --max-semi-space-size=2
import module from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isKnownReady } from './cli/address-file.ts';
import type { Io } from './cli/io.ts';
import { nodeFault } from './cli/package.ts';

const stopping = new AbortController();
const signals = ['SIGINT', 'SIGTERM'] as const;
for (const name of signals) {
  process.on(name, () => {
    // A second Ctrl-C means now: everything that matters is on disk at every instant.
    if (stopping.signal.aborted && name === 'SIGINT') process.exit(130);
    stopping.abort(new Error(`stopped by ${name}`));
  });
}

// Without a listener SIGUSR1 opens Node's inspector, and with it every key, to any process of the same user.
process.on('SIGUSR1', () => {});

// `clinic-sync changes | head` closes the pipe early; that is no fault. The daemon's log does not use this stream.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written (${code}).\n  → Check the disk it is written to.\n`);
  process.exit(1);
});
process.stderr.on('error', () => {});

/** An input that stays open, such as a terminal, keeps the process alive until its reader is closed. */
function typedLines(): AsyncIterable<string> {
  const reader = createInterface({ input: process.stdin, signal: stopping.signal });
  const lines = reader[Symbol.asyncIterator]();
  const done = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => lines.next(),
      async return() {
        reader.close();
        return done;
      },
    }),
  };
}

const io: Io = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  environment: process.env,
  terminal: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  columns: process.stdout.columns ?? 100,
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  asks: process.stdin.isTTY === true && process.stdout.isTTY === true,
  typed: typedLines,
  signal: stopping.signal,
};

// An older Node cannot even parse the rest.
const tooOld = nodeFault(process.versions.node);
if (tooOld !== undefined) {
  io.err(tooOld);
  process.exitCode = 1;
} else if (process.argv.slice(2).join(' ') === 'health' && (await isKnownReady(process.env))) {
  io.out('ready\n');
} else {
  // Only beside the bundle: in a folder for temporary files any user of the machine could put other code in its place.
  if (import.meta.filename.endsWith('.js')) module.enableCompileCache(join(import.meta.dirname, 'compiled'));
  const [{ runCli }, { reachFarNetworks }, { useProxies }] = await Promise.all([
    import('./cli/cli.ts'),
    import('./platform/network/far-networks.ts'),
    import('./platform/network/outgoing-proxy.ts'),
  ]);
  reachFarNetworks();
  useProxies(process.env);
  process.exitCode = await runCli(process.argv.slice(2), io);
}

// At once: neither a timer that a library left behind nor the cleanup of an open database, which waits for the disk,
// may keep a daemon that has stopped past its supervisor's patience.
if (stopping.signal.aborted) process.exit();
