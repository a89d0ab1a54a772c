import { withLiveView } from '../../../src/app/page-data/live-view.ts';
import { createBookings } from '../../../src/bookings/bookings.ts';
import type { HttpIntake, MirrorView } from '../../../src/connector.ts';
import { mirrorView } from '../../../src/deliveries/view.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import type { Http, HttpOptions } from '../../../src/http/http.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import { scriptedClinic } from '../bookings/scripted-clinic.ts';
import { clinicSettings } from '../bookings/world.ts';
import { recordTreatments } from '../clinic/recorded-treatments.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';
import { startSampleHttp } from '../http/http-kit.ts';
import { openWebForm } from './web-form.ts';

export interface FormSite extends AsyncDisposable {
  readonly http: Http;
  readonly clock: FakeClock;
  bookings(): Promise<Booking[]>;
  /** The connector anew, as after a restart of the daemon. */
  restart(): Promise<void>;
  /** What `connectors check` shows. */
  check(): Promise<string[]>;
  /** By the reference that a visitor was given. */
  booking(ref: string): Promise<Booking | undefined>;
}

/** A web form at `/in/website` as the daemon runs it: HTTP, connector, bookings and database. Nothing is sent on. */
export async function startFormSite(
  settings: Record<string, unknown>,
  more: Partial<HttpOptions> = {},
): Promise<FormSite> {
  const clock = fakeClock();
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  await recordTreatments({ store, clock }, { 1: '10.00', 2: '20.00' });
  const bookings = createBookings({
    store,
    clinics: new Map([['main', { clinic: scriptedClinic('main'), settings: clinicSettings('main') }]]),
    sources: new Map([['website', { approval: 'none' }]]),
    clock,
    log: silentLog,
  });
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const view = await mirrorView({ store, connector: 'website', includePatient: false, clinics });
  const intakes = new Map<string, { intake: HttpIntake; view: MirrorView }>();
  const open = async () => {
    const { connector } = await openWebForm(settings, { clock, clinics, bookings });
    const intake = withLiveView(connector.intake as HttpIntake, async () => view, clock);
    intakes.set('website', { intake, view });
    return connector;
  };
  let connector = await open();
  const http = await startSampleHttp({ intakes, bookings, ...more }, clock);

  return {
    http,
    clock,
    bookings: () => store.bookings.list({ source: 'website' }),
    booking: (ref) => store.bookings.get(ref),
    async restart() {
      await connector.stop();
      connector = await open();
    },
    check: async () =>
      (await connector.check(new AbortController().signal)).map(({ level, what }) => `${level} ${what}`),
    async [Symbol.asyncDispose]() {
      await http.stop();
      await connector.stop();
      await bookings.stop();
      await store.close();
    },
  };
}
