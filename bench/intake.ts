import { join } from 'node:path';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { type Program, processorSeconds, startProgram } from './kit/program.ts';
import { ms, perSecond, type Report, times } from './kit/report.ts';
import { interleaved, median, ratio } from './kit/rounds.ts';

const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = [10, 50];
const kit = (file: string) => join(import.meta.dirname, 'kit', file);
const main = join(import.meta.dirname, '../src/main.ts');

interface Load {
  perSecond: number;
  accepted: number;
  refused: number;
  p50: number;
  p99: number;
}

interface Server {
  name: string;
  program: Program;
  port: number;
}

/** Leads accepted per second by the real daemon, against a bare fastify server with one durable insert per request. */
export async function intake(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  // Every lead waits for a person, so that what is measured is accepting, not sending. The load looks like visitors
  // behind a reverse proxy, so that no address meets its limit.
  const config = writeConfiguration(folder.path, {
    sandbox,
    connectors: [
      'website: { use: web-form, preset: native, token: bench-token-bench-token, approval: required }',
    ],
    http: '{ listen: 127.0.0.1:0, trust_proxy: true }',
  });

  const listening = async (name: string, command: readonly string[]): Promise<Server> => {
    const program = startProgram(command);
    cleanup.defer(() => program.stop());
    return { name, program, port: Number((await program.line(/"port":(\d+)/))[1]) };
  };
  const bare = await listening('bare fastify + durable insert', [
    kit('bare-intake.ts'),
    join(folder.path, 'bare.db'),
  ]);
  const ours = await listening('clinic-sync', [main, 'run', '--config', config]);

  let series = 0;
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const loads = new Map<Server, (Load & { processorMs: number })[]>([
      [bare, []],
      [ours, []],
    ]);
    const measure = (server: Server) => async () => {
      series += 1;
      const load = await sendLeads(server, connections, series);
      loads.get(server)?.push(load);
      return load.perSecond;
    };
    const figures = await interleaved({ bare: measure(bare), ours: measure(ours) }, ROUNDS);

    const row = (server: Server, perRound: number[], factor: string) => {
      const counted = (loads.get(server) ?? []).slice(1);
      const middle = (of: (load: Load & { processorMs: number }) => number) => ms(median(counted.map(of)));
      return [
        ...[`${server.name}, ${connections} connections`, perSecond(median(perRound))],
        ...[perSecond(Math.max(...perRound)), middle(({ p50 }) => p50), middle(({ p99 }) => p99)],
        ...[middle(({ processorMs }) => processorMs), factor],
      ];
    };
    rows.push(row(bare, figures.bare, ''));
    rows.push(row(ours, figures.ours, times(ratio(figures.ours, figures.bare))));
  }
  return {
    title: 'Durable intake: POST /in/website',
    columns: ['', 'median', 'best', 'p50', 'p99', 'CPU each', 'ratio'],
    rows,
  };
}

async function sendLeads(
  { program, port }: Server,
  connections: number,
  series: number,
): Promise<Load & { processorMs: number }> {
  const before = processorSeconds(program.pid) ?? Number.NaN;
  const load = startProgram([kit('load.ts'), ...[port, connections, SECONDS, series].map(String)]);
  const [text] = await load.line(/^\{.*\}$/);
  const result = JSON.parse(text) as Load;
  if (result.refused > 0) throw new Error(`${result.refused} leads were not accepted`);
  const seconds = (processorSeconds(program.pid) ?? Number.NaN) - before;
  return { ...result, processorMs: (seconds * 1_000) / result.accepted };
}
