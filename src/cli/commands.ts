import type { Command } from './command.ts';

/** Every command; only the file of the one to run is loaded. */
export const commands: Record<string, () => Promise<Command | undefined>> = {
  run: async () => (await import('./commands/run.ts')).run,
  status: async () => (await import('./commands/status.ts')).status,
  bookings: async () => (await import('./commands/bookings/bookings.ts')).bookings,
  appointments: async () => (await import('./commands/bookings/appointments.ts')).appointments,
  sync: async () => (await import('./commands/sync.ts')).sync,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  demo: async () => (await import('./commands/demo.ts')).demo,
  connectors: async () => (await import('./commands/connectors.ts')).connectors,
  deliveries: async () => (await import('./commands/deliveries.ts')).deliveries,
  guards: async () => (await import('./commands/guards.ts')).guards,
  notify: async () => (await import('./commands/notify.ts')).notify,
  silence: async () => (await import('./operation-commands.ts')).operationCommands('silence')[0],
  report: async () => (await import('./commands/reports/report.ts')).report,
  changes: async () => (await import('./commands/changes.ts')).changes,
  history: async () => (await import('./commands/bookings/history.ts')).history,
  people: async () => (await import('./commands/people.ts')).people,
  erase: async () => (await import('./commands/bookings/erase.ts')).erase,
  audit: async () => (await import('./commands/audit.ts')).audit,
  verify: async () => (await import('./commands/database/verify.ts')).verify,
  config: async () => (await import('./commands/config.ts')).config,
  backup: async () => (await import('./commands/database/backup.ts')).backup,
  restore: async () => (await import('./commands/database/restore.ts')).restore,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  health: async () => (await import('./commands/health.ts')).health,
  fleet: async () => (await import('./commands/fleet.ts')).fleet,
  migrate: async () => (await import('./commands/database/migrate.ts')).migrate,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

/** Headings of the help, by the first command under each. */
export const headings: Readonly<Record<string, string>> = {
  run: 'Every day',
  connectors: 'Connectors and messages',
  report: 'Records and reports',
  config: 'Rarely',
};

export const load = async (names: readonly string[] = Object.keys(commands)): Promise<Command[]> =>
  (await Promise.all(names.map((name) => commands[name]?.()))).filter((one) => one !== undefined);
