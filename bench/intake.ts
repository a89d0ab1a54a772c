import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { temporaryFolder } from './kit/folder.ts';
import { startProgram } from './kit/program.ts';
import { ms, perSecond, type Report, times } from './kit/report.ts';
import { interleaved, median, ratio } from './kit/rounds.ts';

const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = [10, 50];
const kit = (file: string) => join(import.meta.dirname, 'kit', file);

interface Load {
  perSecond: number;
  p50: number;
  p99: number;
  refused: number;
}

/** Leads accepted per second by the real daemon, against a bare fastify server with one durable insert per request. */
export async function intake(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());

  const configFile = join(folder.path, 'clinic-sync.yaml');
  writeFileSync(configFile, configuration(folder.path, sandbox.url, sandbox.credentials));
  const daemon = startProgram([join(import.meta.dirname, '../src/main.ts'), 'run', '--config', configFile]);
  cleanup.defer(() => daemon.stop());
  const bare = startProgram([kit('bare-intake.ts'), join(folder.path, 'bare.db')]);
  cleanup.defer(() => bare.stop());
  const ports = {
    ours: Number((await daemon.line(/"port":(\d+)/))[1]),
    bare: Number((await bare.line(/"port":(\d+)/))[1]),
  };

  let series = 0;
  const measure = async (port: number, connections: number): Promise<Load> => {
    series += 1;
    const load = startProgram([kit('load.ts'), ...[port, connections, SECONDS, series].map(String)]);
    const [text] = await load.line(/^\{.*\}$/);
    const result = JSON.parse(text) as Load;
    if (result.refused > 0) throw new Error(`${result.refused} leads were not accepted`);
    return result;
  };

  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const seen: Record<'ours' | 'bare', Load[]> = { ours: [], bare: [] };
    const variant = (name: 'ours' | 'bare') => async () => {
      const result = await measure(ports[name], connections);
      seen[name].push(result);
      return result.perSecond;
    };
    const { ours, bare: yardstick } = await interleaved(
      { bare: variant('bare'), ours: variant('ours') },
      ROUNDS,
    );
    const row = (name: string, figures: number[], loads: Load[], factor: string) => [
      `${name}, ${connections} connections`,
      perSecond(median(figures)),
      perSecond(Math.max(...figures)),
      ms(median(loads.slice(1).map(({ p50 }) => p50))),
      ms(median(loads.slice(1).map(({ p99 }) => p99))),
      factor,
    ];
    rows.push(row('bare fastify + durable insert', yardstick, seen.bare, ''));
    rows.push(row('clinic-sync', ours, seen.ours, times(ratio(ours, yardstick))));
  }
  return {
    title: 'Durable intake: POST /in/website',
    columns: ['', 'median', 'best', 'p50', 'p99', 'ratio'],
    rows,
  };
}

/**
 * Every lead waits for a person, so that what is measured is accepting, not sending. The limits that guard a clinic
 * against one busy source are out of the way, and the load looks like visitors behind a reverse proxy.
 */
const configuration = (
  folder: string,
  url: string,
  keys: { app_key: string; secret_key: string },
): string => `
version: 1
clinics:
  main:
    base_url: ${url}
    app_key: ${keys.app_key}
    secret_key: ${keys.secret_key}
    timezone: Asia/Dhaka
connectors:
  website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }
store: { sqlite: ${folder}/clinic-sync.db }
http: { listen: 127.0.0.1:0, trust_proxy: true }
`;
