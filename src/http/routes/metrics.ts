import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ClinicEvent } from '../../clinic/clinic.ts';
import type { FleetStatus } from '../../domain/status/fleet-report.ts';
import type { Health, StatusReport } from '../../domain/status/report.ts';
import { type Instant, toMs } from '../../platform/clock.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const healthValue: Record<Health, number> = { ok: 0, trouble: 1, stale: 2 };
const seconds = (at: Instant): number => toMs(at) / 1_000;

const clinicLabel = (perClinic: boolean) => (perClinic ? (['clinic'] as const) : []);
const byConnector = ['connector'] as const;

/** Set from the report at each scrape. Without `perClinic`, clinics are summed and have no label. */
function gaugesOf(registers: Registry[], perClinic: boolean) {
  const byClinic = clinicLabel(perClinic);
  const byResource = [...byClinic, 'resource'] as const;
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Gauge({ name: `clinic_sync_${name}`, help, labelNames, registers });

  return {
    general: {
      info: gauge('info', 'Always 1; the version is a label.', ['version']),
      health: gauge('health', '0 ok, 1 trouble, 2 stale.'),
      reasons: gauge('health_reasons', 'Causes of trouble, by kind.', ['kind']),
      clinics: gauge('clinics', 'Clinics of the configuration.'),
      needs: gauge('needs', 'Open needs, by kind.', ['kind']),
      databaseUp: gauge('database_up', '1 when the database can be read and written.'),
      databaseBytes: gauge('database_bytes', 'Size of the database.'),
      logBytes: gauge(
        'database_log_bytes',
        'Of it, the write-ahead log; grows while another program keeps the database open for reading.',
      ),
    },
    backup: {
      success: gauge('backup_last_success_timestamp_seconds', 'When the newest backup was made.'),
      age: gauge('backup_age_seconds', 'Since then.'),
      bytes: gauge('backup_bytes', 'Its size.'),
      failures: gauge('backup_failures', 'Backups failed in a row.'),
    },
    resource: {
      age: gauge('resource_age_seconds', 'Since the last complete poll.', byResource),
      rows: gauge('resource_rows', 'Rows in the mirror.', byResource),
      failures: gauge('resource_failures', 'Polls failed in a row; absent while none.', byResource),
      unreadable: gauge(
        'resource_unreadable',
        'Things whose newest answer cannot be read; absent while none.',
        byResource,
      ),
      stale: gauge('resource_stale', '1 when older than three intervals, else absent.', byResource),
    },
    clinic: {
      lane: gauge('booking_lane_open', '1 while bookings are being sent.', byClinic),
      pending: gauge('appointments_pending', 'Appointments whose status is followed.', byClinic),
      ceiling: gauge('limiter_ceiling_per_minute', 'The learned limit; absent while none was met.', byClinic),
      blocked: gauge('limiter_blocked', '1 while the clinic asked us to wait, else absent.', byClinic),
      refused: gauge(
        'limiter_refused_last_hour',
        'Calls answered 429 in the last hour; absent while none.',
        byClinic,
      ),
      token: gauge('token_expires_timestamp_seconds', 'When the access token ends.', byClinic),
    },
    bookings: {
      states: gauge('bookings', 'Bookings by source and state.', ['source', 'state']),
      needPerson: gauge('bookings_need_person', 'Bookings that a person has to decide about.'),
    },
    fleet: {
      members: gauge('fleet_members', 'Daemons that run on the database.'),
      units: gauge('fleet_units', 'Clinics and connectors that a host’s daemons look after.', [
        'host',
        'kind',
      ]),
      free: gauge('fleet_units_free', 'Parts of the work that no daemon does.'),
      alarms: gauge('fleet_alarms', 'What is wrong with the daemons, by kind.', ['kind']),
      skew: gauge(
        'fleet_clock_skew_seconds',
        'How far a host’s clock is ahead of the database server’s, at least.',
        ['host'],
      ),
      handedOver: gauge('fleet_handover_timestamp_seconds', 'When work last changed hands.'),
    },
    connector: {
      up: gauge('connector_up', '1 when the connector works.', ['connector', 'use']),
      lag: gauge('connector_lag_changes', 'Changes not yet with the connector.', byConnector),
      pending: gauge('deliveries_pending', 'Deliveries that wait.', byConnector),
      dead: gauge('deliveries_dead', 'Deliveries given up, for a person to decide.', byConnector),
      success: gauge('connector_last_success_timestamp_seconds', 'When something last arrived.', byConnector),
    },
  };
}
type Gauges = ReturnType<typeof gaugesOf>;

/** Counted as events happen. */
const countersOf = (registers: Registry[], perClinic: boolean) => ({
  calls: new Histogram({
    name: 'clinic_sync_clinic_call_seconds',
    help: 'Calls to the clinic, by what came back.',
    // Without the clinic: its buckets would be most of what a clinic adds.
    labelNames: ['endpoint', 'status'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  }),
  tokens: new Counter({
    name: 'clinic_sync_tokens_granted_total',
    help: 'Access tokens granted.',
    labelNames: clinicLabel(perClinic),
    registers,
  }),
  blocks: new Counter({
    name: 'clinic_sync_limiter_blocks_total',
    help: 'Times the clinic asked us to wait.',
    labelNames: clinicLabel(perClinic),
    registers,
  }),
  visitorTroubles: new Counter({
    name: 'clinic_sync_form_visitor_troubles_total',
    help: 'Visitors of a public form who ran into something, by cause.',
    labelNames: ['connector', 'cause'],
    registers,
  }),
  intake: new Counter({
    name: 'clinic_sync_intake_answers_total',
    help: 'Answers to POST /in/…, by status.',
    labelNames: ['connector', 'status'],
    registers,
  }),
  requests: new Histogram({
    name: 'clinic_sync_http_request_seconds',
    help: 'Requests, by route, method and class of status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.01, 0.1, 1, 10],
    registers,
  }),
  deliveries: new Histogram({
    name: 'clinic_sync_delivery_seconds',
    help: 'Deliveries, and runs that write files and sheets, by how they ended.',
    labelNames: ['connector', 'outcome'],
    buckets: [0.1, 1, 10, 60],
    registers,
  }),
  ignored: new Counter({
    name: 'clinic_sync_intake_ignored_total',
    help: 'Authentic requests that are known to be no leads; `connectors check` names them.',
    labelNames: byConnector,
    registers,
  }),
});

interface Answered {
  route: string | undefined;
  method: string;
  status: number;
  ms: number;
}

interface MetricsOptions {
  perClinic: boolean;
  /** Log lines dropped since the start. */
  droppedLines?: (() => number) | undefined;
}

/** Prometheus metrics: gauges from the status report, counters from events. docs/metrics.md lists them. */
export function createMetrics({ perClinic, droppedLines = () => 0 }: MetricsOptions) {
  const registry = new Registry();
  const gauges = gaugesOf([registry], perClinic);
  const counters = countersOf([registry], perClinic);
  const labelsOf = (clinic: string) => (perClinic ? { clinic } : {});
  processFigures([registry], droppedLines);

  return {
    observeCall(clinic: string, event: ClinicEvent): void {
      if (event.kind === 'token_granted') counters.tokens.inc(labelsOf(clinic));
      else if (event.kind === 'blocked') counters.blocks.inc(labelsOf(clinic));
      else {
        // An id in a label would create a time series per appointment.
        const endpoint = event.endpoint.replace(/\d+/g, '{id}');
        counters.calls.observe({ endpoint, status: String(event.status) }, event.ms / 1_000);
      }
    },
    /** `route` is a pattern; undefined where there is none, whose paths and methods strangers choose. */
    answered({ route, method, status, ms }: Answered): void {
      // Stays open as long as the page.
      if (route === '/live') return;
      const labels = route === undefined ? { route: 'none', method: 'any' } : { route, method };
      const observed = { ...labels, status: `${Math.floor(status / 100)}xx` };
      counters.requests.observe(observed, ms / 1_000);
    },
    delivered(connector: string, outcome: string, ms: number): void {
      counters.deliveries.observe({ connector, outcome }, ms / 1_000);
    },
    intakeAnswered(connector: string, status: number): void {
      counters.intake.inc({ connector, status });
    },
    intakeIgnored(connector: string): void {
      counters.ignored.inc({ connector });
    },
    visitorTrouble(connector: string, cause: string): void {
      counters.visitorTroubles.inc({ connector, cause });
    },
    async render(report: StatusReport, now: number): Promise<{ type: string; text: string }> {
      for (const group of Object.values(gauges)) for (const metric of Object.values(group)) metric.reset();
      setGeneral(gauges, report);
      const extremes = new Extremes();
      for (const clinic of report.clinics)
        addClinic(gauges, clinic, { labels: labelsOf(clinic.clinic), extremes, now });
      if (!perClinic) gauges.clinic.ceiling.reset();
      for (const connector of report.connectors) setConnector(gauges, connector);
      setBackup(gauges, report, now);
      if (report.fleet !== undefined) setFleet(gauges, report.fleet);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

function setGeneral({ general, bookings }: Gauges, report: StatusReport): void {
  const { ok, bytes, log_bytes } = report.database;
  general.info.set({ version: report.version }, 1);
  general.health.set(healthValue[report.health]);
  general.clinics.set(report.clinics_total);
  general.databaseUp.set(Number(ok));
  if (bytes !== null) general.databaseBytes.set(bytes);
  if (log_bytes != null) general.logBytes.set(log_bytes);
  for (const { kind } of report.reasons) general.reasons.inc({ kind });
  for (const [kind, count] of Object.entries(report.needs_by_kind)) general.needs.set({ kind }, count);
  bookings.needPerson.set(report.needs_by_kind.booking ?? 0);
  for (const { source, states } of report.bookings)
    for (const [state, count] of Object.entries(states)) bookings.states.set({ source, state }, count);
}

/** Absent rather than zero where there is no backup. */
function setBackup({ backup: gauges }: Gauges, { backup }: StatusReport, now: number): void {
  const at = backup?.last_success_at == null ? null : seconds(backup.last_success_at);
  const set = (gauge: Gauge, value: number | null | undefined) =>
    value == null ? gauge.remove() : gauge.set(value);
  set(gauges.success, at);
  set(gauges.age, at === null ? null : Math.max(0, now / 1_000 - at));
  set(gauges.bytes, backup?.bytes);
  set(gauges.failures, backup?.failures);
}

/** The minimum or maximum of the values set under the same labels. */
class Extremes {
  readonly #seen = new Map<Gauge, Map<string, number>>();

  set(
    gauge: Gauge,
    labels: Record<string, string>,
    value: number,
    choose: (...values: number[]) => number,
  ): void {
    const seen = this.#seen.get(gauge) ?? new Map<string, number>();
    this.#seen.set(gauge, seen);
    const key = JSON.stringify(labels);
    const chosen = choose(value, seen.get(key) ?? value);
    seen.set(key, chosen);
    gauge.set(labels, chosen);
  }
}

interface Adding {
  labels: Record<string, string>;
  extremes: Extremes;
  now: number;
}

/** Adds a clinic to the values of the same labels: its own, or the sum of all clinics. */
function addClinic(
  { clinic, resource }: Gauges,
  report: StatusReport['clinics'][number],
  { labels: label, extremes, now }: Adding,
): void {
  const { ceiling_per_minute, blocked_until, refused_last_hour, token_expires_at } = report.limiter;
  clinic.lane.inc(label, Number(report.lane.state === 'open' && report.connection.state !== 'failing'));
  clinic.pending.inc(label, report.appointments_pending);
  if (ceiling_per_minute !== null) clinic.ceiling.inc(label, ceiling_per_minute);
  addIfAny(clinic.blocked, label, Number(blocked_until !== null && toMs(blocked_until) > now));
  addIfAny(clinic.refused, label, refused_last_hour ?? 0);
  if (token_expires_at !== null) extremes.set(clinic.token, label, seconds(token_expires_at), Math.min);

  for (const { poll, last_success_at, rows, failures, stale, unreadable } of report.resources) {
    const labels = { ...label, resource: poll };
    if (last_success_at !== null)
      extremes.set(
        resource.age,
        labels,
        Math.round(Math.max(0, now - toMs(last_success_at))) / 1_000,
        Math.max,
      );
    resource.rows.inc(labels, rows);
    addIfAny(resource.failures, labels, failures);
    addIfAny(resource.stale, labels, Number(stale));
    addIfAny(resource.unreadable, labels, unreadable.length);
  }
}

/** What is nearly always 0 would be half of what a clinic adds. */
function addIfAny(gauge: Gauge, labels: Record<string, string>, value: number): void {
  if (value > 0) gauge.inc(labels, value);
}

function setConnector({ connector }: Gauges, report: StatusReport['connectors'][number]): void {
  const label = { connector: report.connector };
  connector.up.set({ ...label, use: report.use }, Number(report.state === 'ok'));
  connector.lag.set(label, report.lag);
  connector.pending.set(label, report.pending);
  connector.dead.set(label, report.dead);
  if (report.last_success_at !== null) connector.success.set(label, seconds(report.last_success_at));
}

function setFleet({ fleet }: Gauges, { members, alarms, free, handed_over_at }: FleetStatus): void {
  fleet.members.set(members.length);
  fleet.free.set(free.length);
  for (const { host, clinics, connectors, skew_ms } of members) {
    fleet.units.inc({ host, kind: 'clinic' }, clinics);
    fleet.units.inc({ host, kind: 'connector' }, connectors);
    fleet.skew.set({ host }, skew_ms / 1_000);
  }
  for (const { kind } of alarms) fleet.alarms.inc({ kind });
  if (handed_over_at !== null) fleet.handedOver.set(seconds(handed_over_at));
}

/** Process figures that are cheap to read, under their customary names. */
function processFigures(registers: Registry[], droppedLines: () => number): void {
  const read = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  read('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  read('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  const total = (name: string, help: string, value: () => number) => {
    let counted = 0;
    return new Counter({
      name,
      help,
      registers,
      collect() {
        const now = value();
        this.inc(now - counted);
        counted = now;
      },
    });
  };
  total('process_cpu_seconds_total', 'CPU time used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  total('clinic_sync_log_lines_dropped_total', 'Log lines that nothing took.', droppedLines);
  read('process_start_time_seconds', 'When the process started.', () => performance.timeOrigin / 1_000);
  read(
    'nodejs_eventloop_utilization_ratio',
    'Share of its life the event loop was busy.',
    () => performance.eventLoopUtilization().utilization,
  );
}
