import type { Command } from './command.ts';

/** Every command; only the file of the one to run is loaded. */
export const commands: Record<string, () => Promise<Command | undefined>> = {
  run: async () => (await import('./commands/run.ts')).run,
  demo: async () => (await import('./commands/demo.ts')).demo,
  sync: async () => (await import('./commands/sync.ts')).sync,
  status: async () => (await import('./commands/status.ts')).status,
  health: async () => (await import('./commands/health.ts')).health,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  config: async () => (await import('./commands/config.ts')).config,
  bookings: async () => (await import('./commands/bookings/bookings.ts')).bookings,
  appointments: async () => (await import('./commands/bookings/appointments.ts')).appointments,
  changes: async () => (await import('./commands/changes.ts')).changes,
  history: async () => (await import('./commands/bookings/history.ts')).history,
  report: async () => (await import('./commands/reports/report.ts')).report,
  deliveries: async () => (await import('./commands/deliveries.ts')).deliveries,
  connectors: async () => (await import('./commands/connectors.ts')).connectors,
  notify: async () => (await import('./commands/notify.ts')).notify,
  silence: async () => (await import('./operation-commands.ts')).operationCommands('silence')[0],
  guards: async () => (await import('./commands/guards.ts')).guards,
  audit: async () => (await import('./commands/audit.ts')).audit,
  verify: async () => (await import('./commands/verify.ts')).verify,
  fleet: async () => (await import('./commands/fleet.ts')).fleet,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  backup: async () => (await import('./commands/backup.ts')).backup,
  people: async () => (await import('./commands/people.ts')).people,
  restore: async () => (await import('./commands/restore.ts')).restore,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  erase: async () => (await import('./commands/bookings/erase.ts')).erase,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandbox,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

export const load = async (names: readonly string[] = Object.keys(commands)): Promise<Command[]> =>
  (await Promise.all(names.map((name) => commands[name]?.()))).filter((one) => one !== undefined);
