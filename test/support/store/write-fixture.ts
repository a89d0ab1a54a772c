import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import type { ClinicRecord } from '../../../src/domain/clinics/resource.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { instant } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { openFileStore } from '../../../src/store/sqlite.ts';
import type { AnswerName } from '../bookings/scripted-clinic.ts';
import { bookingsWorld, lead, zone } from '../bookings/world.ts';
import { recordTreatments } from '../clinic/recorded-treatments.ts';
import { fakeClock, settle } from '../fake-clock.ts';

/**
 * Writes a database in which every case occurs, with the code as it is now: `npm run fixture -- NAME`.
 * Each release keeps the database it wrote under test/fixtures/databases, so that later versions can prove that they
 * open it. A booking's case is its `submission_id`; those of `north` belong to a clinic that is configured no more.
 */
const [, , name] = process.argv;
if (name === undefined) throw new Error('Usage: npm run fixture -- NAME');
const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-fixture-'));
const target = join(folder, 'clinic-sync.db');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const clock = fakeClock();
const store = await openFileStore({ file: target, clock, log: silentLog, mode: 'daemon' });
const now = () => instant(clock.now());

const things = (poll: 'dentists' | 'organization' | 'website', upserts: ClinicRecord[]) =>
  store.mirror.record({
    clinic: 'main',
    poll,
    at: now(),
    upserts,
    removals: [],
    changes: upserts.map(({ id, fields }) => ({
      type: poll === 'dentists' ? 'dentist.created' : `${poll}.updated`,
      resource: poll === 'dentists' ? 'dentist' : poll,
      id,
      data: fields,
      previous: null,
    })),
    ...(poll === 'organization'
      ? {
          statistics: { total_users: 3, total_patients: 40, total_appointments: 900, total_doctors: 2 },
        }
      : {}),
  });
const thing = (id: string, fields: ClinicRecord['fields']): ClinicRecord => ({
  id,
  fields,
  raw: fields,
  hash: `hash-${id}`,
});
const dentist = (id: number, doctor_name: string) =>
  thing(String(id), {
    doctor_id: id,
    doctor_name,
    specialization: '',
    qualification: '',
    experience_years: 9,
    consultation_fee: '50.00',
    signature_image_url: '',
  });

/** So many minutes from now on the clinic's wall clock. */
const slotIn = (minutes: number) => {
  const { date, time } = wallClockAt(clock.now() + minutes * MINUTE, zone);
  return { appointment_date: date, appointment_time: time };
};

let phones = 0;
const someone = (fields: Submission['fields'] = {}) => {
  phones += 1;
  return lead({
    patient_name: `Planted Patient ${phones}`,
    patient_phone: `0171${String(1_000_000 + phones)}`,
    appointment_date: '2026-03-12',
    ...fields,
  });
};

const north = bookingsWorld({ store, clock, key: 'north' });
await north.start();
north.clinic.failReads = 1_000;
await north.accept(someone(), { submission_id: 'north-queued' });
await clock.advance(5_000);
north.crash();

/** What the clinic's status reads come to. */
let reads: 'honest' | 'another time' | 'nothing' | 'fail' = 'honest';
const world = bookingsWorld({
  store,
  clock,
  rules: { max_per_source_per_hour: 40 },
  spoil: (parts) => ({
    store: parts.store,
    clinic: {
      ...parts.clinic,
      async appointmentStatus(...asked) {
        if (reads === 'fail')
          throw new Failure({ kind: 'transient', message: 'The clinic does not answer.' });
        const seen = await parts.clinic.appointmentStatus(...asked);
        if (reads === 'nothing' || seen === undefined) return undefined;
        return reads === 'honest' ? seen : { ...seen, time: '17:45' };
      },
    },
  }),
});
const { clinic } = world;
await world.start();
const accept = async (name: string, fields: Submission['fields'] = {}, more: Partial<Submission> = {}) => {
  const { ref } = await world.accept(someone(fields), { submission_id: name, ...more });
  return ref;
};
const sent = async (name: string, answer: AnswerName = 'booked', fields: Submission['fields'] = {}) => {
  clinic.script.push(answer);
  const ref = await accept(name, fields);
  await clock.advance(40_000);
  clinic.script.length = 0;
  return ref;
};
const unknown = async (
  name: string,
  answer: AnswerName = 'reset_before',
  fields: Submission['fields'] = {},
) => {
  const ref = await sent(name, answer, fields);
  await clock.advance(12 * MINUTE);
  return ref;
};
const look = async (ref: string) => {
  const looked = world.bookings.reconcile(ref, 'Mina');
  await clock.advance(3 * MINUTE);
  await looked;
};

// We have booked nothing yet: there is nowhere to start looking.
await look(await unknown('unknown-nowhere'));

await sent('booked-verified');
await recordTreatments({ store, clock }, { 1: '120.00', 2: '80.00' });
await recordTreatments({ store, clock }, { 2: '95.50', 3: '10.00' });
await recordTreatments({ store, clock }, { 3: null });
await things('dentists', [dentist(3, 'Dr. Aoife O’Neil'), dentist(4, 'Dr. Twin'), dentist(5, 'Dr. Twin')]);
await clock.advance(HOUR);

reads = 'another time';
await sent('booked-mismatch');
await world.bookings.acknowledge(await sent('booked-acknowledged'), 'Mina');
reads = 'nothing';
await sent('booked-not-found');
reads = 'fail';
await sent('booked-unreadable');
await clock.advance(15 * MINUTE);
reads = 'honest';
await unknown('unknown-linked-elsewhere', 'id_of_another');

await look(await unknown('unknown-none'));
await look(await unknown('booked-found', 'reset_after'));
const several = await unknown('unknown-several', 'reset_after', { patient_name: 'Same Name' });
clinic.bookByHand('Same Name', '2026-03-12', '10:00');
await look(several);
const shared = await unknown('unknown-shared', 'reset_after', { patient_name: 'Shared Name' });
await unknown('unknown-shared-other', 'reset_before', {
  patient_name: 'Shared Name',
  patient_phone: '01719999001',
});
await look(shared);

for (let hand = 0; hand < 70; hand += 1) clinic.bookByHand(`Walk-in ${hand}`, '2026-03-20', '12:00');
await look(await unknown('unknown-partly'));
await world.bookings.resumeSending('main', 'Mina');

const linked = await unknown('booked-linked', 'reset_after');
const number = clinic.ledger.find(({ ref }) => ref === linked)?.id ?? 0;
await world.bookings.resolve(linked, { as: 'booked', appointment_id: number }, 'Mina');
const unsure = await unknown('booked-linked-differs');
const toldNumber = { as: 'booked', appointment_id: 9_999, confirm: true, why: 'She said so.' } as const;
await world.bookings.resolve(unsure, toldNumber, 'Mina');
await world.bookings.resolve(
  await unknown('booked-no-id'),
  { as: 'booked-no-id', why: 'Seen on the screen.' },
  'Mina',
);
await world.bookings.resolve(
  await unknown('dropped-absent'),
  { as: 'not-booked', send_again: false },
  'Mina',
);
await world.bookings.resolve(
  await unknown('booked-second-send'),
  { as: 'not-booked', send_again: true },
  'Mina',
);
await clock.advance(MINUTE);
await world.bookings.drop(await unknown('dropped-in-doubt'), 'Mina', 'She comes tomorrow.');
await sent('rejected', 'refused');
await accept('expired', { patient_phone: null, ...slotIn(20) });
await world.bookings.resumeSending('main', 'Mina');
await clock.advance(HOUR);

// Several for one phone and time: which others a person was shown.
const slot = { patient_phone: '01719999002', appointment_date: '2026-03-09' };
const first = await unknown('unknown-told', 'reset_before', slot);
const second = await accept('held-duplicate', { ...slot, patient_name: 'Sister' });
const third = await accept('booked-duplicate', { ...slot, patient_name: 'Brother' });
await world.bookings.approve(third, 'Mina', 'A brother.');
await clock.advance(MINUTE);
const again = { as: 'not-booked', send_again: true } as const;
await world.bookings.resolve(first, again, 'Mina').catch(() => {});
// The person was shown two others; since then there is a third.
await world.bookings.approve(second, 'Mina');
await accept(
  'held-duplicate-unreadable',
  { ...slot, patient_name: 'Aunt' },
  { problems: [{ field: 'treatment', message: 'The treatment is not one of the form.' }] },
);
await accept('merged-first', { patient_phone: '01719999003', patient_name: 'Twice' });
await accept('merged-second', { patient_phone: '01719999003', patient_name: 'Twice' });
await clock.advance(MINUTE);

// What an older copy of a database holds back.
clinic.failReads = 1_000;
await accept('held-restored');
world.crash();
await settle(50);
await world.start({ ...store, identity: { ...store.identity, restored: true } });
await accept('CS-7K3Q9F');
await accept(
  'CS-7K3Q9G',
  {},
  { problems: [{ field: 'treatment', message: 'The treatment is not one of the form.' }] },
);
clinic.failReads = 0;
world.crash();
await settle(50);
await world.start();
await world.bookings.resumeSending('main', 'Mina');
await clock.advance(MINUTE);

await accept('held-missing', { appointment_time: null });
await accept('held-invalid', { appointment_date: '03/04/2026' });
await accept(
  'held-unreadable',
  {},
  {
    problems: [{ field: 'treatment', message: 'The treatment is not one of the form.' }],
  },
);
await accept(
  'held-missing-unreadable',
  { patient_phone: null },
  {
    problems: [{ field: 'doctor', message: 'The dentist is not one of the form.' }],
  },
);
await accept('held-mapping', { doctor: 'Dr. Twin' });
await accept('held-past', { appointment_date: '2026-02-01' });
await accept('held-too-far', { appointment_date: '2029-02-01' });
await accept('held-corrected', { appointment_time: 'noon' }).then((ref) =>
  world.bookings.edit(ref, { appointment_time: '12:00' }, 'Mina'),
);
await accept('held-no-clinic', {}, { clinic: 'nowhere' });
await accept('task', {}, { task: 'Cancellation: they do not come.' });
const done = await accept('task-done', {}, { task: 'Cancellation: they do not come.' });
await world.bookings.drop(done, 'Mina', 'Called them.');
for (let flood = 0; flood < 30; flood += 1) await accept(`flood-${flood}`, {}, { source: 'flood' });
await clock.advance(10 * MINUTE);
for (let flood = 30; flood < 42; flood += 1) await accept(`flood-${flood}`, {}, { source: 'flood' });
await clock.advance(10 * MINUTE);

const connectors: [string, string | null][] = [
  ['crm', null],
  ['hook-by-itself', 'Paused by itself: it has answered 410 Gone.'],
  ['hook-by-person', 'Paused by Mina.'],
];
for (const [connector, paused_reason] of connectors) {
  await store.deliveries.enqueue(
    connector,
    'main',
    4,
    [2, 3, 4].map((sequence) => ({
      id: `msg_${connector}_${sequence}`,
      connector,
      clinic: 'main',
      sequence,
      type: 'treatment.updated',
      thing: `treatment/${sequence}`,
      body: JSON.stringify({ sequence }),
    })),
    now(),
  );
  await store.deliveries.settle([
    { id: `msg_${connector}_2`, at: now(), state: 'delivered' },
    { id: `msg_${connector}_3`, at: now(), state: 'dead', error: '410 Gone' },
  ]);
  await store.deliveries.report(connector, { paused: paused_reason !== null, paused_reason, failures: 1 });
}
await store.guards.raise(
  {
    clinic: 'main',
    poll: 'dentists',
    kind: 'removed',
    fingerprint: 'f',
    count: 2,
    of: 3,
    sentence: '2 of 3.',
    things: [],
    approval_only: false,
  },
  now(),
);

// Last: what waits, what is not verified yet, and what is on the wire when the process ends.
reads = 'fail';
await sent('booked-unverified');
clinic.script.push('status_403', 'status_403', 'status_403', 'status_403');
await accept('queued-refused');
await clock.advance(5 * MINUTE);
await accept('queued');
const onTheWire = await accept('sending');
world.crash();
await settle(50);
const received = await world.store.bookings.get(onTheWire);
if (received === undefined) throw new Error('It is not stored.');
const { ref: _ref, ...fields } = received;
await store.bookings.accept(
  {
    ...fields,
    submission_id: 'received',
    state: 'received',
    phone_e164: '+8801719999009',
    patient_phone: '01719999009',
    doctor: 'Dr. Unread',
    content_hash: 'received',
    submission_hash: 'received',
  },
  judgeWithin(0),
);
await store.bookings.claim('main', now(), {
  ref: onTheWire,
  evidence: { body_hash: 'hash', counter_before: { value: 1_100, at: now() } },
});
// Said by another process while the daemon was down.
await store.keyValue.set('bookings', { 'resume:main': `${now()} by Mina Rahman` });
await store.audit.record({
  at: now(),
  actor: 'Mina',
  role: 'desk',
  action: 'booking.drop',
  subject: done,
  result: 'ok',
  address: '192.0.2.7',
});
await store.sessions.start({
  id: 'session',
  person: 'Mina',
  by: 'Mina',
  proof: 'proof',
  address: '192.0.2.7',
  started_at: now(),
  seen_at: now(),
  ends_at: instant(clock.now() + 8 * HOUR),
});
await store.erase({ refs: [done] }, now(), 'Mina');
await store.close();

const kept = (suffix: string) => new URL(`../../fixtures/databases/${name}.${suffix}`, import.meta.url);
writeFileSync(kept('db.gz'), gzipSync(readFileSync(target), { level: 9 }));
copyFileSync(`${target}.marker`, kept('db.marker'));
rmSync(folder, { recursive: true });
