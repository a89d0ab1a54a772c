import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const LONGEST_MS = 60_000;

/**
 * Starts the program in a folder once, against a clinic that does not answer, so that V8's compiled code lies beside it
 * for later starts. Only the same Node and the same user can use it; see `src/main.ts`.
 */
export async function keepCompiled(folder: string): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), 'clinic-sync-compiled-'));
  const config = join(own, 'clinic-sync.yaml');
  writeFileSync(
    config,
    `version: 1
clinics: { main: { base_url: http://127.0.0.1:9, app_key: none, secret_key: none, timezone: UTC } }
connectors:
  files: { use: csv, directory: ${own}/csv }
  website: { use: web-form, preset: html-form, token: only-for-this-start }
store: { sqlite: ${own}/clinic-sync.db }
http: { listen: 127.0.0.1:0 }
`,
  );
  const daemon = spawn(process.execPath, [join(folder, 'main.js'), 'run', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined },
  });
  const ended = once(daemon, 'exit');
  const overdue = setTimeout(() => daemon.kill('SIGKILL'), LONGEST_MS);
  try {
    for await (const line of createInterface({ input: daemon.stdout })) {
      const port = /"port":(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      for (const path of ['readyz', '']) await (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
      daemon.stdout.resume();
      daemon.kill('SIGTERM');
      break;
    }
    const [code] = await ended;
    if (code !== 0)
      throw new Error(`The program in ${folder} ended with ${code} instead of starting and stopping.`);
  } finally {
    clearTimeout(overdue);
    daemon.kill('SIGKILL');
    rmSync(own, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await keepCompiled(join(import.meta.dirname, '..', 'dist'));
