import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Booking } from '../domain/bookings/booking.ts';
import { bookingRefPattern } from '../domain/bookings/booking-ref.ts';
import { wallClockAt } from '../domain/date-time.ts';
import type { Clock } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import type { Demo } from './demo.ts';
import type { ReceivedEvent } from './receiver.ts';

interface RoundTrip {
  demo: Demo;
  clock: Clock;
  say: (line: string) => void;
  signal: AbortSignal;
}

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** Longer than the form's minimum time to fill it in. */
const TYPING_MS = 4_000;
const CLINIC = 'main';

type Until = <T>(what: string, look: () => Promise<T | undefined> | T | undefined) => Promise<T>;

/** One pass through the main job: mirrored, exported, delivered, booked, followed. Throws at the first failing step. */
export async function roundTrip({ demo, clock, say, signal }: RoundTrip): Promise<void> {
  const { store } = demo.daemon.parts;
  const until: Until = async (what, look) => {
    const deadline = clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (clock.monotonic() > deadline) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  };

  const rows = await until('a complete mirror', async () => {
    const counts = await Promise.all(
      (['organization', 'website', 'treatments', 'dentists'] as const).map(
        async (table) => (await store.mirror.rows(table, CLINIC)).length,
      ),
    );
    return counts.every((count) => count > 0) ? counts : undefined;
  });
  say(`mirrored     ${rows[2]} treatments, ${rows[3]} dentists, the organization and its website`);

  const files = await until('the CSV files', () => manifest(demo.folder));
  say(`written      ${Object.keys(files).length} CSV files in ${join(demo.folder, 'csv', CLINIC)}`);

  await until('the spreadsheet', () => isInSheet(demo, 'Treatments', rows[2] ?? 0));
  say(`filled       a spreadsheet with ${rows[2]} treatments and a tab that takes bookings`);

  const ref = await book(demo, clock, signal);
  say(`form sent    the visitor was given ${ref}`);
  const booking = await until(`${ref} booked`, async () => {
    const found = await store.bookings.get(ref);
    return found?.state === 'booked' ? found : undefined;
  });
  const inLedger = demo.sandbox.control.ledger().filter((entry) => JSON.stringify(entry).includes(ref));
  if (inLedger.length !== 1) throw new Error(`the clinic has ${inLedger.length} appointments for ${ref}`);
  say(
    `booked       ${ref} is appointment ${booking.appointment_id}; the clinic's ledger has it exactly once`,
  );

  await follow(demo, booking, until);
  say(`followed     the clinic confirmed it and changed a fee; both reached the webhook`);

  const { events } = demo.receiver;
  const unverified = events.filter(({ verified }) => !verified);
  if (events.length === 0 || unverified.length > 0)
    throw new Error(`${unverified.length} of ${events.length} webhooks had a wrong signature`);
  say(`webhooks     ${events.length} received, every signature verified`);
  await until('the CSV file of bookings', () => (bookingsFile(demo.folder).includes(ref) ? true : undefined));
  say(`exported     bookings.csv shows ${ref}`);
}

async function book(demo: Demo, clock: Clock, signal: AbortSignal): Promise<string> {
  const { store, config } = demo.daemon.parts;
  const [website] = await store.mirror.rows('website', CLINIC);
  const hours = JSON.parse(String(website?.opening_hours ?? '{}')) as Hours;
  const zone = config.clinics[0]?.timezone ?? 'UTC';
  const page = await fillInForm({
    formUrl: `${demo.url}/in/website/form`,
    fields: {
      patient_name: visitorOf(clock.now()),
      patient_phone: `+88017${String(clock.now()).slice(-8)}`,
      appointment_date: openDay(hours, clock.now(), zone),
      appointment_time: '11:00',
      note: 'Sent by the demo',
    },
    pause: () => clock.sleep(TYPING_MS, signal),
    signal,
  });
  const ref = page.match(bookingRefPattern)?.[0];
  if (ref === undefined) throw new Error('the thank-you page names no booking');
  return ref;
}

/**
 * Another one at each run in the same folder: the same name at the same hour, with another phone, is a lead that a
 * person is asked about.
 */
function visitorOf(now: number): string {
  const given = ['Nadia', 'Farhan', 'Sultana', 'Imran', 'Rokeya', 'Tanvir', 'Shirin', 'Kamal'];
  const family = [
    'Rahman',
    'Chowdhury',
    'Akter',
    'Siddique',
    'Haque',
    'Mollah',
    'Sarkar',
    'Biswas',
    'Talukdar',
  ];
  const turn = Math.floor(now / 1_000);
  return `${given[turn % given.length]} ${family[turn % family.length]}`;
}

type Hours = Record<string, { is_closed: boolean }>;

/** A day next week on which the clinic is open. */
function openDay(hours: Hours, now: number, zone: string): string {
  const closed = new Set(
    Object.entries(hours).flatMap(([day, { is_closed }]) =>
      is_closed ? [day.toLowerCase().slice(0, 3)] : [],
    ),
  );
  const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  for (let ahead = 7; ahead < 14; ahead += 1) {
    const { date, weekday } = wallClockAt(now + ahead * DAY, zone);
    if (!closed.has(names[weekday - 1] ?? '')) return date;
  }
  throw new Error('the clinic is closed all week');
}

/** Checks that later events at the clinic reach the receiver: the appointment's first status, its next one, a fee. */
async function follow(demo: Demo, { appointment_id }: Booking, until: Until): Promise<void> {
  const { control } = demo.sandbox;
  const { events } = demo.receiver;
  const id = appointment_id ?? 0;
  const known = ({ data }: ReceivedEvent) => data.appointment_id === id && typeof data.status === 'string';
  // A visit next week is read only every few hours, so it is read now.
  await demo.daemon.syncNow(CLINIC, 'appointments');
  await until('the first status at the webhook', () => events.find(known));

  control.setStatus(id, 'Confirmed');
  const [treatment] = control.treatments();
  const fee = (Number(treatment?.base_fee) + 25).toFixed(2);
  control.editTreatment(treatment?.treatment_id ?? 1, { base_fee: fee });
  await demo.daemon.syncNow(CLINIC);
  await until('the status change at the webhook', () =>
    events.find((event) => event.type === 'appointment.status_changed' && known(event)),
  );
  await until('the new fee at the webhook', () =>
    events.find(({ type, data }) => type === 'treatment.updated' && data.base_fee === fee),
  );
}

/** True once a tab has its header and at least this many rows. */
function isInSheet({ sheets }: Demo, title: string, atLeast: number): true | undefined {
  const tab = sheets.control.book.grids.find((grid) => grid.title === title);
  const filled = tab?.rows.filter((row) => row.some((cell) => cell !== undefined)).length ?? 0;
  return filled > atLeast || undefined;
}

function manifest(folder: string): Record<string, unknown> | undefined {
  const own = join(folder, 'csv', CLINIC);
  try {
    if (!readdirSync(own).includes('manifest.json')) return undefined;
    const { files } = JSON.parse(readFileSync(join(own, 'manifest.json'), 'utf8')) as {
      files: Record<string, unknown>;
    };
    return files;
  } catch {
    return undefined;
  }
}

const bookingsFile = (folder: string): string =>
  readFileSync(join(folder, 'csv', CLINIC, 'bookings.csv'), 'utf8');

/** A website visitor who opens the form, fills it in and sends it: plain HTTP, like a browser without scripts. */
interface FormVisit {
  formUrl: string;
  fields: Record<string, string>;
  /** Waits as long as a person would need to type. */
  pause: () => Promise<void>;
  signal: AbortSignal;
}

/** Resolves to the text of the page after sending. Throws when the form is not accepted. */
export async function fillInForm({ formUrl, fields, pause, signal }: FormVisit): Promise<string> {
  const page = await (await fetch(formUrl, { signal })).text();
  const action = new URL(attribute(page.match(/<form\b[^<>]*>/)?.[0] ?? '', 'action') || formUrl, formUrl);
  const form = new URLSearchParams();
  for (const [input] of page.matchAll(/<input\b[^<>]*>/g)) {
    if (attribute(input, 'type') === 'hidden') form.set(attribute(input, 'name'), attribute(input, 'value'));
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  await pause();

  const headers = { accept: 'text/html', origin: action.origin };
  const sent = await fetch(action, { method: 'POST', body: form, headers, redirect: 'manual', signal });
  const next = sent.headers.get('location');
  if (sent.status === 303 && next) return (await fetch(new URL(next, action), { signal })).text();
  const text = await sent.text();
  if (!sent.ok) throw new Error(`the form was answered ${sent.status}: ${text.slice(0, 300)}`);
  return text;
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

function attribute(tag: string, name: string): string {
  const value = tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? '';
  return value.replace(/&(amp|quot|#39|lt|gt);/g, (entity) => entities[entity] ?? entity);
}
