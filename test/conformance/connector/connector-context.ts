import type { BookingPort, ConnectorContext, Memory } from '../../../src/connector.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { silentLog } from '../../../src/platform/log.ts';
import type { Store } from '../../../src/store/store.ts';

interface Parts<Settings> {
  settings: Settings;
  store: Store;
  clinics: ConnectorContext['clinics'];
  includePatient: boolean;
  clock: Clock;
}

/** What the daemon hands to a connector, on a real database, with a door that takes no bookings. */
export function connectorContext<Settings>(parts: Parts<Settings>): ConnectorContext<Settings> {
  const { settings, store, clinics, includePatient, clock } = parts;
  const scope = 'connector:tested';
  const memory: Memory = {
    get: (key) => store.keyValue.get(scope, key),
    set: (entries) => store.keyValue.set(scope, entries),
    list: (prefix) => store.keyValue.list(scope, prefix),
  };
  const bookings: BookingPort = {
    accept: () => Promise.reject(new Error('a booking that nobody sent')),
    validate: async () => [],
    find: async () => undefined,
    withdraw: async () => false,
  };
  return {
    name: 'tested',
    settings,
    clinics,
    includePatient,
    instance: store.identity.instance,
    bookings,
    memory,
    clock,
    log: silentLog,
    wake() {},
  };
}
