import type { TextName } from '../../texts/texts.ts';
import { probeSteps } from '../bookings/probe.ts';

export const needKinds = [
  'booking',
  'guard',
  'delivery',
  'connector',
  'probe',
  'clinic',
  'database',
  'fleet',
] as const;

interface Condition {
  kind: (typeof needKinds)[number];
  /** Where it is the same for all; else it is the connector, guard or clinic. */
  subject?: string;
  urgent?: true;
  /** The detail is a whole English sentence and says more than the text. */
  detail?: 'instead';
  /** `need_<name>`, unless several share one. */
  text?: TextName;
  /** `todo_<name>`, unless several share one. */
  todo?: TextName;
  /** What does or shows it in a terminal, with the subject or clinic as `{name}`. */
  commands?: readonly string[];
}

const check = ['connectors check {name}'];
const doctor = ['doctor'];

/** Everything but bookings that asks a person. Adding one takes a line here and its texts. */
const conditions = {
  connector_broken: { kind: 'connector', commands: check },
  connector_paused: { kind: 'connector', commands: ['connectors resume {name}'] },
  connector_failing: { kind: 'connector', commands: check },
  connector_asks: { kind: 'connector', todo: 'todo_connector_failing', commands: check },
  connector_left: { kind: 'connector', commands: ['deliveries skip {name}'] },
  visitors: { kind: 'connector' },
  proxy: { kind: 'connector', subject: 'http' },
  delivery_dead: { kind: 'delivery', commands: ['deliveries retry {name}', 'deliveries skip {name}'] },
  guard: { kind: 'guard', detail: 'instead', commands: ['guards approve {name}'] },
  ...probes(),
  unreachable: { kind: 'clinic', subject: 'connection', detail: 'instead' },
  stale: { kind: 'clinic', subject: 'connection', detail: 'instead' },
  asks_to_wait: { kind: 'clinic', subject: 'limit' },
  unreadable: { kind: 'clinic' },
  lane_person: {
    kind: 'clinic',
    urgent: true,
    text: 'need_lane',
    commands: ['bookings list --needs-me', 'bookings resume {name}'],
  },
  lane_waits: { kind: 'clinic', text: 'need_lane' },
  certificate_ends: { kind: 'clinic', subject: 'certificate', todo: 'todo_certificate' },
  certificate_ended: { kind: 'clinic', subject: 'certificate', todo: 'todo_certificate' },
  clock: {
    kind: 'clinic',
    subject: 'clock',
    detail: 'instead',
    text: 'need_fleet_clock',
    todo: 'todo_fleet_clock',
  },
  log: { kind: 'clinic', subject: 'log' },
  schedule: { kind: 'clinic', subject: 'schedule', urgent: true, detail: 'instead' },
  database: { kind: 'database', subject: 'database', urgent: true, commands: doctor },
  database_warning: {
    kind: 'database',
    subject: 'database',
    urgent: true,
    detail: 'instead',
    todo: 'todo_database',
    commands: doctor,
  },
  disk: { kind: 'database', subject: 'disk', urgent: true, detail: 'instead', commands: doctor },
  backup: { kind: 'database', subject: 'backup', detail: 'instead', commands: doctor },
  fleet_configuration: { kind: 'fleet', detail: 'instead' },
  fleet_version: { kind: 'fleet', detail: 'instead' },
  fleet_clock: { kind: 'fleet', detail: 'instead' },
  fleet_gone: { kind: 'fleet', detail: 'instead' },
  // Only in messages.
  silence_day: { kind: 'connector', todo: 'todo_silence' },
  silence_week: { kind: 'connector', todo: 'todo_silence' },
  database_works: { kind: 'database', subject: 'database', todo: 'todo_test' },
  test: { kind: 'connector' },
} as const satisfies Record<string, Condition>;
export type ConditionName = keyof typeof conditions;

type ProbeStep = (typeof probeSteps)[number];

function probes() {
  const probe = { kind: 'probe', urgent: true, text: 'need_probe', commands: check } as const;
  return Object.fromEntries(probeSteps.map((step) => [`probe_${step}`, probe])) as Record<
    `probe_${ProbeStep}`,
    typeof probe
  >;
}

/** With the same fields for all. */
export const conditionOf = (name: ConditionName): Condition => conditions[name];

/**
 * What keeps health from `ok`, worst first. `database`: cannot be read or written · `stale`, `failing`, `late`: a
 * resource · `unreachable`: no call to the clinic has succeeded for a minute · `lane`: bookings are not sent ·
 * `connector` · `probe`: of a form · `schedule` · `fleet`: a unit has no daemon.
 */
export const causes = [
  'database',
  'stale',
  'unreachable',
  'failing',
  'late',
  'lane',
  'connector',
  'probe',
  'schedule',
  'fleet',
] as const;
