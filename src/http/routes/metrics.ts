import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ClinicEvent } from '../../clinic/clinic.ts';
import type { Health, StatusReport } from '../../domain/report.ts';
import { type Instant, toMs } from '../../platform/clock.ts';

/** What Prometheus reads. Gauges come from the status report, counters from what happens. docs/metrics.md lists them. */
export interface Metrics {
  observeCall(clinic: string, event: ClinicEvent): void;
  intakeAnswered(connector: string, status: number): void;
  render(report: StatusReport, now: number): Promise<{ type: string; text: string }>;
}

const healthValue: Record<Health, number> = { ok: 0, trouble: 1, stale: 2 };
const seconds = (at: Instant): number => toMs(at) / 1_000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Gauge({ name, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers });

  const general = {
    info: gauge('clinic_sync_info', 'Always 1; the version is a label.', ['version']),
    health: gauge('clinic_sync_health', '0 ok, 1 trouble, 2 stale.'),
    reasons: gauge('clinic_sync_health_reasons', 'Causes of trouble, by kind.', ['kind']),
    needs: gauge('clinic_sync_needs', 'Things that wait for a person.', ['kind']),
    databaseUp: gauge('clinic_sync_database_up', '1 when the database can be read and written.'),
    databaseBytes: gauge('clinic_sync_database_bytes', 'Size of the database.'),
    logBytes: gauge(
      'clinic_sync_database_log_bytes',
      'Of it, the write-ahead log; grows while another program keeps the database open for reading.',
    ),
  };
  const byResource = ['clinic', 'resource'] as const;
  const resource = {
    age: gauge('clinic_sync_resource_age_seconds', 'Since the last complete poll.', byResource),
    success: gauge('clinic_sync_resource_last_success_timestamp_seconds', 'When that was.', byResource),
    rows: gauge('clinic_sync_resource_rows', 'Rows in the mirror.', byResource),
    failures: gauge('clinic_sync_resource_failures', 'Polls failed in a row.', byResource),
    unreadable: gauge(
      'clinic_sync_resource_unreadable',
      'Things whose newest answer cannot be read.',
      byResource,
    ),
    stale: gauge('clinic_sync_resource_stale', '1 when older than three intervals.', byResource),
  };
  const clinic = {
    lane: gauge('clinic_sync_booking_lane_open', '1 while bookings are being sent.', ['clinic']),
    pending: gauge('clinic_sync_appointments_pending', 'Appointments whose status is followed.', ['clinic']),
    ceiling: gauge(
      'clinic_sync_limiter_ceiling_per_minute',
      'The learned limit; absent while none was met.',
      ['clinic'],
    ),
    blocked: gauge('clinic_sync_limiter_blocked', '1 while the clinic asked us to wait.', ['clinic']),
    refused: gauge('clinic_sync_limiter_refused_last_hour', 'Calls answered 429 in the last hour.', [
      'clinic',
    ]),
    token: gauge('clinic_sync_token_expires_timestamp_seconds', 'When the access token ends.', ['clinic']),
  };
  const bookings = {
    states: gauge('clinic_sync_bookings', 'Bookings by source and state.', ['source', 'state']),
    needPerson: gauge('clinic_sync_bookings_need_person', 'Bookings that a person has to decide about.'),
  };
  const connector = {
    up: gauge('clinic_sync_connector_up', '1 when the connector works.', ['connector', 'use']),
    lag: gauge('clinic_sync_connector_lag_changes', 'Changes not yet with the connector.', ['connector']),
    pending: gauge('clinic_sync_deliveries_pending', 'Deliveries that wait.', ['connector']),
    dead: gauge('clinic_sync_deliveries_dead', 'Deliveries given up, for a person to decide.', ['connector']),
    success: gauge('clinic_sync_connector_last_success_timestamp_seconds', 'When something last arrived.', [
      'connector',
    ]),
  };
  const events = {
    calls: new Histogram({
      name: 'clinic_sync_clinic_call_seconds',
      help: 'Calls to the clinic, by what came back.',
      labelNames: ['clinic', 'endpoint', 'status'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    tokens: counter('clinic_sync_tokens_granted_total', 'Access tokens granted.', ['clinic']),
    blocks: counter('clinic_sync_limiter_blocks_total', 'Times the clinic asked us to wait.', ['clinic']),
    intake: counter('clinic_sync_intake_answers_total', 'Answers to POST /in/…, by status.', [
      'connector',
      'status',
    ]),
  };
  processGauges(registers);

  const fill = (report: StatusReport, now: number) => {
    general.info.set({ version: report.version }, 1);
    general.health.set(healthValue[report.health]);
    general.databaseUp.set(Number(report.database.ok));
    if (report.database.bytes !== null) general.databaseBytes.set(report.database.bytes);
    if (report.database.log_bytes != null) general.logBytes.set(report.database.log_bytes);
    for (const { kind } of report.reasons) general.reasons.inc({ kind });
    for (const [kind, count] of Object.entries(report.needs_by_kind)) general.needs.set({ kind }, count);
    bookings.needPerson.set(report.needs_by_kind.booking ?? 0);

    for (const one of report.clinics) {
      const label = { clinic: one.clinic };
      clinic.lane.set(label, Number(one.lane.state === 'open' && one.connection.state !== 'failing'));
      clinic.pending.set(label, one.appointments_pending);
      const { ceiling_per_minute, blocked_until, refused_last_hour, token_expires_at } = one.limiter;
      if (ceiling_per_minute !== null) clinic.ceiling.set(label, ceiling_per_minute);
      clinic.blocked.set(label, Number(blocked_until !== null && toMs(blocked_until) > now));
      if (refused_last_hour !== null) clinic.refused.set(label, refused_last_hour);
      if (token_expires_at !== null) clinic.token.set(label, seconds(token_expires_at));
      for (const { poll, last_success_at, rows, failures, stale, unreadable } of one.resources) {
        const labels = { clinic: one.clinic, resource: poll };
        if (last_success_at !== null) {
          resource.age.set(labels, Math.max(0, now / 1_000 - seconds(last_success_at)));
          resource.success.set(labels, seconds(last_success_at));
        }
        resource.rows.set(labels, rows);
        resource.failures.set(labels, failures);
        resource.stale.set(labels, Number(stale));
        resource.unreadable.set(labels, unreadable.length);
      }
    }

    for (const { source, states } of report.bookings) {
      for (const [state, count] of Object.entries(states)) bookings.states.set({ source, state }, count);
    }
    for (const one of report.connectors) {
      const label = { connector: one.connector };
      connector.up.set({ ...label, use: one.use }, Number(one.state === 'ok'));
      connector.lag.set(label, one.lag);
      connector.pending.set(label, one.pending);
      connector.dead.set(label, one.dead);
      if (one.last_success_at !== null) connector.success.set(label, seconds(one.last_success_at));
    }
  };

  return {
    observeCall(clinic, event) {
      if (event.kind === 'token_granted') events.tokens.inc({ clinic });
      else if (event.kind === 'blocked') events.blocks.inc({ clinic });
      else {
        // An id in a label would make a time series of each appointment.
        const endpoint = event.endpoint.replace(/\d+/g, '{id}');
        events.calls.observe({ clinic, endpoint, status: String(event.status) }, event.ms / 1_000);
      }
    },
    intakeAnswered(connector, status) {
      events.intake.inc({ connector, status });
    },
    async render(report, now) {
      for (const group of [general, resource, clinic, bookings, connector]) {
        for (const metric of Object.values(group)) metric.reset();
      }
      fill(report, now);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** The few process figures that cost nothing to read, by their customary names. */
function processGauges(registers: Registry[]): void {
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
  let counted = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      const total = (user + system) / 1e6;
      this.inc(total - counted);
      counted = total;
    },
  });
  read('process_start_time_seconds', 'When the process started.', () => performance.timeOrigin / 1_000);
  read(
    'nodejs_eventloop_utilization_ratio',
    'Share of its life the event loop was busy.',
    () => performance.eventLoopUtilization().utilization,
  );
}
