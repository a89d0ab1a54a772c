import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Program, processorSeconds, startProgram } from './program.ts';
import { ms, perSecond, times } from './report.ts';
import { interleaved, median, ratio } from './rounds.ts';

const SECONDS = 2;

/** A server that accepts leads at `POST /in/website`. */
export interface LeadServer {
  name: string;
  program: Program;
  port: number;
}

interface Load {
  perSecond: number;
  accepted: number;
  refused: number;
  p50: number;
  p99: number;
  /** Processor milliseconds per lead, including work put off until the load ended. */
  processorMs: number;
}

export const loadColumns = ['', 'median', 'best', 'p50', 'p99', 'CPU each'];

/** Starts `node FILE …`, which prints its port. */
export async function listening(name: string, command: readonly string[]): Promise<LeadServer> {
  const program = startProgram(command);
  return { name, program, port: Number((await program.line(/"port":(\d+)/))[1]) };
}

/**
 * Sends leads to each server in turn, as fast as they are answered. Returns a row per server, ours last, which ends
 * with how much faster ours is than each of the others.
 */
export async function compareServers(
  servers: readonly LeadServer[],
  { connections, rounds }: { connections: number; rounds: number },
): Promise<string[][]> {
  const loads = new Map(servers.map((server) => [server.name, [] as Load[]]));
  const measure = (server: LeadServer) => async () => {
    const load = await sendLeads(server, connections);
    loads.get(server.name)?.push(load);
    return load.perSecond;
  };
  const figures = await interleaved(
    Object.fromEntries(servers.map((server) => [server.name, measure(server)])),
    rounds,
  );
  const ours = figures[servers.at(-1)?.name ?? ''] ?? [];
  return servers.map(({ name }, index) => {
    const counted = (loads.get(name) ?? []).slice(1);
    const perRound = figures[name] ?? [];
    const middle = (of: (load: Load) => number) => ms(median(counted.map(of)));
    const factors = servers.slice(0, -1).map((other) => times(ratio(ours, figures[other.name] ?? [])));
    return [
      ...[`${name}, ${connections} connections`, perSecond(median(perRound))],
      ...[perSecond(Math.max(...perRound)), middle(({ p50 }) => p50), middle(({ p99 }) => p99)],
      ...[middle(({ processorMs }) => processorMs), index === servers.length - 1 ? factors.join(', ') : ''],
    ];
  });
}

const LOOK_MS = 2_500;
const LOOKS = 8;
const AT_REST_S = 0.1;

/** Waits until the server is idle: work put off counts as its own, and must not slow the next server down. */
async function rested({ pid }: Program): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const before = processorSeconds(pid);
    await pause(LOOK_MS);
    if (before === undefined || (processorSeconds(pid) ?? 0) - before < AT_REST_S) return;
  }
}

/** Two loads must never send the same lead. */
let series = 0;

export async function sendLeads({ program, port }: LeadServer, connections: number): Promise<Load> {
  series += 1;
  const before = processorSeconds(program.pid) ?? Number.NaN;
  const file = join(import.meta.dirname, 'load.ts');
  const load = startProgram([file, ...[port, connections, SECONDS, series].map(String)]);
  const [text] = await load.line(/^\{.*\}$/);
  const result = JSON.parse(text) as Omit<Load, 'processorMs'>;
  if (result.refused > 0) throw new Error(`${result.refused} leads were not accepted`);
  await rested(program);
  const seconds = (processorSeconds(program.pid) ?? Number.NaN) - before;
  return { ...result, processorMs: (seconds * 1_000) / result.accepted };
}
