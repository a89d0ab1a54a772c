import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Sandbox, startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { bookingRefPattern } from '../../../src/domain/bookings/booking-ref.ts';
import { polls } from '../../../src/domain/clinics/resource.ts';
import { type DaemonProcess, launchDaemon, runCommand, untilReady } from '../daemon/daemon-process.ts';
import { type Lead, leadMaker } from '../daemon/leads.ts';
import type { PostgresServer } from '../store/postgres-server.ts';
import { until } from '../until.ts';

/** Broken promises; all lists are empty if there are none. */
export interface FleetVerdict {
  /** The same booking, or the same person, more than once at a clinic. */
  doubles: string[];
  /** Acknowledged, but neither finished, nor in progress, nor waiting for a person. */
  lost: string[];
  /** At a clinic, although our database says that it cannot be there. */
  ghosts: string[];
  /** Numbers of the change log that are missing. */
  gaps: string[];
}
export const clean: FleetVerdict = { doubles: [], lost: [], ghosts: [], gaps: [] };

export type FleetStory = Awaited<ReturnType<typeof startFleetStory>>;

const ADMIN = 'admin-token-of-the-fleet';
const FORM = 'form-token-of-the-fleet';
/** A third as often in the test command, so that the polls of three daemons leave processor time for the rest. */
const often = Number(process.env.VERIFY_RUNS ?? 1) > 1 ? '* * * * * *' : '*/3 * * * * *';

/** Several daemon processes on one database; each clinic has its own server. */
export async function startFleetStory({
  server,
  database,
  clinics,
  ttlMs,
  seed,
}: {
  server: PostgresServer;
  database: string;
  clinics: number;
  ttlMs: number;
  seed: number;
}) {
  const folder = await mkdtemp(join(tmpdir(), `clinic-sync-fleet-${database}-`));
  await server.run(`create database ${database}`);
  const sandboxes = new Map<string, Sandbox>();
  for (let n = 0; n < clinics; n += 1) sandboxes.set(`clinic-${n}`, await startSandbox({ seed: seed + n }));
  const config = join(folder, 'clinic-sync.yaml');
  const schedule = Object.fromEntries(polls.map((poll) => [poll, often]));
  const rules = { max_per_source_per_hour: 1_000_000, max_per_phone_per_day: 1_000 };
  const clinicOf = ({ url, credentials }: Sandbox) => ({
    ...{ base_url: url, ...credentials, timezone: 'Asia/Dhaka', country: 'BD', schedule, bookings: rules },
  });
  await writeFile(
    config,
    stringify({
      version: 1,
      clinics: Object.fromEntries([...sandboxes].map(([key, sandbox]) => [key, clinicOf(sandbox)])),
      connectors: {
        website: { use: 'web-form', token: FORM },
        reports: { use: 'csv', directory: join(folder, 'csv') },
      },
      store: { postgres: server.url(database) },
      http: { listen: '127.0.0.1:0', admin_token: ADMIN, trust_proxy: true },
    }),
  );
  const environment = { CLINIC_SYNC_FLEET_TTL_MS: String(ttlMs) };
  const daemons: DaemonProcess[] = [];
  const launched: DaemonProcess[] = [];
  const acknowledged = new Map<string, { ref: string; clinic: string }>();
  const unanswered = new Map<string, { lead: Lead; clinic: string }>();
  const newLead = leadMaker(database);
  const rows = (statement: string) => server.run(statement, database);
  let visitors = 0;

  const ask = async (daemon: DaemonProcess, path: string, init: RequestInit) =>
    fetch(`${daemon.url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(15_000), ...init });

  return {
    folder,
    config,
    sandboxes,
    daemons,
    acknowledged,
    unanswered,
    rows,
    newLead,
    /** Starts a process in a slot; its predecessor must have ended. */
    launch(place: number): DaemonProcess {
      const daemon = launchDaemon({ config, cwd: folder, environment });
      daemons[place] = daemon;
      launched.push(daemon);
      return daemon;
    },
    ready: untilReady,
    run: (args: readonly string[]) => runCommand(args, { config, cwd: folder, environment }),
    /** A visitor at one daemon. Any answer but an acknowledgement or a 503 is an error. */
    async submit(daemon: DaemonProcess, lead: Lead, clinic: string): Promise<boolean> {
      visitors += 1;
      const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
      unanswered.set(lead.submission_id, { lead, clinic });
      const headers = {
        ...{
          'content-type': 'application/json',
          authorization: `Bearer ${FORM}`,
          'x-forwarded-for': address,
        },
      };
      const body = JSON.stringify({ ...lead, clinic });
      const answer = await ask(daemon, '/in/website', { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      if (answer === undefined) return false;
      const text = await answer.text();
      if (answer.status === 503 && answer.headers.get('retry-after') !== null) return false;
      if (answer.status !== 200) throw new Error(`a lead was answered ${answer.status}: ${text}`);
      const { ref } = JSON.parse(text);
      const before = acknowledged.get(lead.submission_id);
      if (before !== undefined && before.ref !== ref)
        throw new Error(`${lead.submission_id} is ${before.ref} and ${ref}`);
      acknowledged.set(lead.submission_id, { ref, clinic });
      unanswered.delete(lead.submission_id);
      return true;
    },
    /** A person's action on the pages of one daemon. */
    act: (daemon: DaemonProcess, path: string, fields: Record<string, string> = {}) =>
      ask(daemon, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` },
        body: JSON.stringify(fields),
      }),
    async owners(): Promise<Map<string, string>> {
      const owned = await rows(
        `select unit, owner from units join members on members.id = owner where expires_at > clock_timestamp()`,
      );
      return new Map(owned.map(({ unit, owner }) => [String(unit), String(owner)]));
    },
    /** Compares the database with the clinics' ledgers. */
    async judge(): Promise<FleetVerdict> {
      // A running daemon continues: what it is sending is neither lost nor a ghost.
      const onTheWire = () =>
        rows("select ref, clinic, state from bookings where state in ('received', 'sending')");
      await until('nothing is on the wire', async () => (await onTheWire()).length === 0).catch(() => {});
      const ledgers = new Map([...sandboxes].map(([clinic, { control }]) => [clinic, [...control.ledger()]]));
      const found = await rows('select ref, clinic, state from bookings');
      const states = new Map(found.map(({ ref, state }) => [String(ref), String(state)]));
      const verdict: FleetVerdict = { doubles: [], lost: [], ghosts: [], gaps: [] };
      const times = new Map<string, number>();
      const once = (what: string) => {
        const count = (times.get(what) ?? 0) + 1;
        times.set(what, count);
        if (count > 1) verdict.doubles.push(`${what} is there ${count} times`);
      };
      for (const [clinic, ledger] of ledgers)
        for (const { body, appointment_id } of ledger) {
          const ref = bookingRefPattern.exec(body.note ?? '')?.[0] ?? 'none';
          once(ref);
          once(`the visitor ${body.patient_phone}`);
          const state = states.get(ref) ?? 'not known';
          if (!['booked', 'unknown', 'sending'].includes(state))
            verdict.ghosts.push(`appointment ${appointment_id} of ${clinic} is ${ref}, which is ${state}`);
        }
      for (const [submission, { ref }] of acknowledged) {
        const state = states.get(ref) ?? 'gone';
        if (['gone', 'sending', 'received'].includes(state))
          verdict.lost.push(`${submission} was acknowledged as ${ref}, which is ${state}`);
      }
      const logs = await rows(
        'select clinic, count(*) as count, min(sequence) as first, max(sequence) as last from changes group by 1',
      );
      for (const { clinic, count, first, last } of logs)
        if (Number(first) !== 1 || Number(last) !== Number(count))
          verdict.gaps.push(`${clinic}: ${count} changes, numbered ${first} to ${last}`);
      return verdict;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(launched.map((daemon) => daemon.kill()));
      for (const sandbox of sandboxes.values()) await sandbox.close();
      await rm(folder, { recursive: true, force: true });
      await server.run(`drop database ${database} with (force)`).catch(() => {});
    },
  };
}
