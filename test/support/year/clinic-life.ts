import { between, pick, type Random } from '../../../sandbox/clinic/random.ts';
import type { Dentist } from '../../../sandbox/clinic/wire.ts';
import type { Bookings } from '../../../src/bookings/bookings.ts';
import type { Clinic } from '../../../src/clinic/clinic.ts';
import { ClinicConfig, type ClinicSettings } from '../../../src/config/config.ts';
import type { SentCampaign } from '../../../src/domain/campaign.ts';
import { polls } from '../../../src/domain/clinics/resource.ts';
import type { Mirror } from '../../../src/sync/mirror-poller.ts';
import {
  type AnswerName,
  type LedgerEntry,
  type ScriptedClinic,
  scriptedClinic,
} from '../bookings/scripted-clinic.ts';
import { type ClinicOfLists, clinicOfLists, organization, treatment } from '../clinic/clinic-of-lists.ts';
import type { FakeClock } from '../fake-clock.ts';
import { emptyTruth, isRead, meaning, noticeFee, outcomeOf, readVisit, type Truth } from './truth.ts';
import { dateAfter, localDate, momentOf } from './wall-clock.ts';

export interface ClinicKind {
  key: string;
  zone: string;
  currency: string;
  /** Statuses after which a visit is read only a few times more. */
  finals: string[];
}

/** A clinic in front of the product, the people who ask it for visits, and the books of what really happened. */
export interface ClinicLife {
  kind: ClinicKind;
  clinic: Clinic;
  settings: ClinicSettings;
  truth: Truth;
  isOut: boolean;
  connect(parts: { bookings: Bookings; mirror: Mirror }): void;
  lead(): Promise<void>;
  desk(): Promise<void>;
  changeFees(): void;
  changeCurrency(currency: string): void;
  /** Without `visits` only the lists. */
  poll(options: { visits: boolean }): Promise<void>;
  /** Writes down what reached the clinic, and whose time has passed. */
  settle(): void;
}

const sources = ['website', 'leaflet', 'partner', 'desk'];
/** What came with a lead, and what is to be seen of it. */
interface Came {
  sent?: SentCampaign;
  campaign: string | null;
  channel: string | null;
}
const LONG = 'x'.repeat(10_000);
const campaigns: Came[] = [
  { campaign: null, channel: null },
  {
    sent: {
      utm_source: 'google',
      utm_medium: 'cpc',
      utm_campaign: 'spring',
      landing_page: 'https://c.example/?gclid=Cj0',
    },
    ...{ campaign: 'spring', channel: 'google / cpc' },
  },
  {
    sent: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'implants' },
    ...{ campaign: 'implants', channel: 'google / cpc' },
  },
  {
    sent: { utm_campaign: '=autumn', utm_source: 'newsletter' },
    ...{ campaign: '=autumn', channel: 'newsletter' },
  },
  { sent: { campaign: 'door, hanger "B"' }, campaign: 'door, hanger "B"', channel: null },
  // The form says one thing, the address of its page another, and there are two clicks.
  {
    sent: {
      ...{ utm_campaign: 'of the form', utm_source: 'google' },
      landing_page: 'https://c.example/?utm_campaign=of-the-page&utm_source=bing&fbclid=IwAR0&gclid=Cj1',
    },
    ...{ campaign: 'of the form', channel: 'google' },
  },
  {
    sent: { utm_campaign: `@SUM(1+1)\r\n\t${LONG}`, utm_medium: '-2+3', utm_source: `+${LONG}` },
    ...{ campaign: `@SUM(1+1) ${LONG}`.slice(0, 200), channel: `${`+${LONG}`.slice(0, 200)} / -2+3` },
  },
];

const dentist = (doctor_id: number): Dentist => ({
  doctor_id,
  doctor_name: `Dr. Number ${doctor_id}`,
  specialization: 'Surgery',
  qualification: 'BDS',
  experience_years: 3,
  consultation_fee: `${doctor_id}50.00`,
  signature_image_url: 'https://clinic.example/s.png',
});

interface Surroundings {
  clock: FakeClock;
  random: Random;
  /** Lets so many milliseconds pass, and what they wake come to its end. */
  pass(ms: number): Promise<void>;
}

interface Parts extends Surroundings {
  kind: ClinicKind;
  lists: ClinicOfLists;
  book: ScriptedClinic;
  life: ClinicLife;
  bookings: Bookings;
  mirror: Mirror;
  /** When each booking reached the clinic. */
  posted: Map<string, number>;
  /** How many posts are in the books. */
  absorbed: number;
  people: number;
}

export function clinicLife(kind: ClinicKind, { clock, random, pass }: Surroundings): ClinicLife {
  const { key, zone } = kind;
  const lists = clinicOfLists(key);
  const book = scriptedClinic(key);
  const { organization: profile, treatments, dentists } = lists;
  lists.answers.organization = organization({ currency: kind.currency });
  lists.answers.treatments = [1, 2, 3, 4, 5, 6].map((id) => treatment(id, { base_fee: `${id}20.00` }));
  lists.answers.dentists = [1, 2, 3].map(dentist);
  const posted = new Map<string, number>();
  book.onPost = (ref) => void posted.set(ref, clock.now());
  const life: ClinicLife = {
    ...{ kind, truth: emptyTruth(key, zone), isOut: false },
    clinic: { ...book, organization: profile, treatments, dentists },
    settings: {
      ...ClinicConfig.parse({
        ...{ base_url: 'http://127.0.0.1:1/api/v1', timezone: zone, country: 'BD' },
        ...{
          guards: { changed_percent: 100, removed_over: 6 },
          final_statuses: kind.finals,
          outcomes: { completed: ['Bezahlt & fertig'] },
        },
      }),
      ...{ key, app_key: 'app', secret_key: 'secret' },
    },
    connect: (connected) => void Object.assign(parts, connected),
    lead: () => lead(parts),
    desk: () => desk(parts),
    changeFees: () => changeFees(parts),
    changeCurrency: (currency) =>
      Object.assign(lists.answers, { organization: organization({ currency, statistics: figures(parts) }) }),
    poll: ({ visits }) => poll(parts, visits),
    settle: () => settle(parts),
  };
  const parts = {
    kind,
    clock,
    random,
    pass,
    lists,
    book,
    life,
    posted,
    absorbed: 0,
    people: 0,
  } as unknown as Parts;
  return life;
}

/** A person asks for a visit; some ask twice, some come back with another campaign. */
async function lead(parts: Parts): Promise<void> {
  const { kind, clock, random, life, bookings, book } = parts;
  const { truth } = life;
  const known = pick(
    random,
    truth.leads.filter(({ erased }) => !erased),
  );
  const isReturning = known !== undefined && random() < 0.15;
  if (!isReturning) parts.people += 1;
  const phone = isReturning ? known.phone : `+88017${String(10_000_000 + parts.people)}`;
  const date = dateAfter(localDate(clock.now(), kind.zone), between(random, 1, 24));
  const time = `${String(between(random, 9, 17)).padStart(2, '0')}:${pick(random, ['00', '20', '40'])}`;
  if (truth.leads.some((one) => one.phone === phone && one.date === date && one.time === time)) return;
  const source = pick(random, sources) ?? '';
  const came = pick(random, campaigns) as Came;
  const { sent } = came;
  const treatments = [...truth.fees].filter(
    ([thing, all]) => thing.startsWith('treatment') && !all.at(-1)?.gone,
  );
  const chosen = Number(pick(random, treatments)?.[0].split(' ')[1] ?? 1);
  const doctor = between(random, 1, 3);
  const lot = random();
  const answer: AnswerName | undefined = lot < 0.06 ? 'refused' : lot < 0.08 ? 'no_id' : undefined;
  if (source !== 'desk' && !life.isOut && answer !== undefined) book.script.push(answer);
  const submission = {
    ...{ source, clinic: kind.key },
    fields: {
      ...{ patient_name: `Person ${phone.slice(-4)}`, patient_phone: phone },
      ...{ appointment_date: date, appointment_time: time, doctor_id: doctor, treatment_id: chosen },
    },
    ...(sent && { campaign: sent }),
  };
  const received = clock.now();
  const { ref } = await bookings.accept(submission);
  const touch = { campaign: came.campaign, channel: came.channel };
  const first = truth.leads.find(
    (one) => one.phone === phone && (one.first_campaign ?? one.first_channel) !== null,
  );
  const from = first ?? { first_campaign: touch.campaign, first_channel: touch.channel };
  truth.leads.push({
    ...{ ref, source, ...touch, first_campaign: from.first_campaign, first_channel: from.first_channel },
    ...{ phone, received, date, time, dentist: doctor, treatment: chosen },
    ...{ booked: null, told: null, lost: null, erased: false, visit: null, conversion: null, inDoubt: false },
    ...{ takenBack: [], isAsked: false, ended: null },
  });
  // A second click is the same lead.
  if (random() < 0.1) await bookings.accept(submission);
  await parts.pass(1_000);
  settle(parts);
}

function settle(parts: Parts): void {
  const { kind, clock, life, book, posted } = parts;
  const { truth } = life;
  const posts = book.posts.slice(parts.absorbed);
  parts.absorbed = book.posts.length;
  for (const { ref, answer } of posts) {
    const asked = truth.leads.find((one) => one.ref === ref);
    const at = posted.get(ref);
    if (asked === undefined || at === undefined) continue;
    const entry = book.ledger.find((one) => one.ref === ref);
    if (answer === 'refused') Object.assign(asked, { lost: 'rejected', ended: 'rejected' });
    else if (answer === 'no_id') asked.inDoubt = true;
    else asked.booked = asked.told = at;
    if (answer !== 'booked' || entry === undefined) continue;
    const { date, time } = asked;
    asked.visit = { id: entry.id, followed: true, again: null, seen: [{ at, status: null, date, time }] };
  }
  for (const one of truth.leads) {
    if (outcomeOf(one) !== 'open' || one.inDoubt) continue;
    const isOver = momentOf(one.date, one.time, kind.zone) <= clock.now();
    const waitsFor = one.isAsked ? 'mapping' : 'expired';
    if (isOver) Object.assign(one, { lost: one.source === 'desk' ? 'approval' : waitsFor, ended: 'expired' });
    else if (!life.isOut && truth.fees.get(`treatment ${one.treatment}`)?.at(-1)?.gone) one.isAsked = true;
  }
}

/** The front desk at the clinic and the one that releases bookings. */
async function desk(parts: Parts): Promise<void> {
  const { kind, clock, random, life, book, bookings } = parts;
  for (const entry of book.ledger) moveVisit(parts, entry);
  for (const doubtful of life.truth.leads.filter(({ inDoubt, erased }) => inDoubt && !erased)) {
    if (random() < 0.7) continue;
    await bookings.resolve(doubtful.ref, { as: 'booked-no-id' }, 'Rima');
    Object.assign(doubtful, {
      inDoubt: false,
      booked: parts.posted.get(doubtful.ref) ?? null,
      told: clock.now(),
    });
  }
  for (const waiting of life.truth.leads) {
    if (waiting.source !== 'desk' || outcomeOf(waiting) !== 'open' || life.isOut) continue;
    if (momentOf(waiting.date, waiting.time, kind.zone) <= clock.now() + 3_600_000) continue;
    if (life.truth.fees.get(`treatment ${waiting.treatment}`)?.at(-1)?.gone !== false) continue;
    const lot = random();
    if (lot < 0.3) {
      await bookings.approve(waiting.ref, 'Rima');
      // Until it can no longer be taken back.
      await parts.pass(12_000);
    } else if (lot < 0.4) {
      await bookings.drop(waiting.ref, 'Rima');
      Object.assign(waiting, { lost: 'approval', ended: 'dropped' });
    }
  }
  life.settle();
}

function moveVisit({ kind, clock, random }: Parts, entry: LedgerEntry): void {
  const lot = random();
  const outcome = meaning[entry.status];
  const isOver = momentOf(entry.date, entry.time, kind.zone) < clock.now();
  if (!isOver) {
    if (lot < 0.08) entry.status = 'Confirmed';
    else if (lot < 0.1) entry.status = 'Cancelled';
    else if (lot < 0.13) entry.date = dateAfter(localDate(clock.now(), kind.zone), between(random, 1, 30));
    return;
  }
  if (outcome === 'booked' || outcome === 'unknown') {
    const ends = [
      'Completed',
      'Completed',
      'Completed',
      'Bezahlt & fertig',
      'No show',
      'Cancelled',
      'Rätselhaft',
    ];
    if (lot < 0.35) entry.status = pick(random, ends) ?? 'Completed';
    return;
  }
  // What was over is corrected: a status goes back, a visit is entered under another month.
  if (lot < 0.01) entry.status = 'Confirmed';
  else if (lot < 0.015) entry.date = dateAfter(entry.date, -31);
  else if (lot < 0.02) Object.assign(entry, { date: dateAfter(entry.date, 33), status: 'Confirmed' });
  else if (lot < 0.025) entry.status = 'Cancelled';
}

function changeFees({ random, lists }: Parts): void {
  const { treatments, dentists } = lists.answers;
  if (treatments instanceof Error || dentists instanceof Error) return;
  const one = pick(random, treatments);
  const lot = random();
  const fee = `${between(random, 0, 900)}.${pick(random, ['00', '50', '05', '5'])}`;
  if (lot < 0.5 && one !== undefined) one.base_fee = fee;
  else if (lot < 0.6 && one !== undefined) one.base_fee = 'on request';
  else if (lot < 0.7 && treatments.length > 4) treatments.splice(treatments.indexOf(one as never), 1);
  else if (lot < 0.8) {
    const gone = [1, 2, 3, 4, 5, 6].find((id) => treatments.every(({ treatment_id }) => treatment_id !== id));
    if (gone !== undefined) treatments.push(treatment(gone, { base_fee: fee }));
  } else Object.assign(pick(random, dentists) ?? {}, { consultation_fee: lot < 0.85 ? 'ask us' : fee });
}

const figures = ({ book, life }: Pick<Parts, 'book' | 'life'>) => ({
  total_users: 4,
  total_patients: 100 + new Set(life.truth.leads.map(({ phone }) => phone)).size,
  total_appointments: 1000 + book.ledger.length,
  total_doctors: 3,
});

const signal = new AbortController().signal;
const isFee = (text: string) => /^\d+(\.\d+)?$/.test(text);

async function poll(parts: Parts, visits: boolean): Promise<void> {
  const { clock, life, book, mirror, lists } = parts;
  const profile = lists.answers.organization;
  if (!(profile instanceof Error)) profile.statistics = figures(parts);
  const { answers } = lists;
  const kept = { ...answers };
  if (life.isOut)
    for (const resource of ['organization', 'treatments', 'dentists'] as const)
      answers[resource] = new Error('The clinic cannot be reached.');
  book.failReads = life.isOut ? Number.POSITIVE_INFINITY : 0;
  for (const resource of polls) {
    if (resource === 'website' || (resource === 'appointments' && !visits)) continue;
    clock.suspend(1_000);
    const { failed, guarded } = await mirror.poll(resource, signal, { all: true });
    if (guarded !== undefined) throw new Error(`an answer was held: ${guarded.sentence}`);
    if ((failed !== undefined) !== life.isOut && resource !== 'appointments')
      throw new Error(`the poll of ${resource}: ${failed?.message ?? 'no failure in an outage'}`);
    if (!life.isOut) notice(parts, resource);
  }
  Object.assign(answers, kept);
}

/** What an answer shows, in the books. */
function notice({ clock, life, lists, book, kind }: Parts, resource: (typeof polls)[number]): void {
  const { truth } = life;
  const at = clock.now();
  const { organization: profile, treatments, dentists } = lists.answers;
  if (resource === 'organization' && !(profile instanceof Error)) {
    truth.knownSince ??= at;
    if (truth.currencies.at(-1)?.currency !== profile.currency)
      truth.currencies.push({ at, currency: profile.currency ?? '' });
    const values = { ...profile.statistics };
    if (JSON.stringify(truth.figures.at(-1)?.values) !== JSON.stringify(values))
      truth.figures.push({ at, values });
  }
  if (resource === 'treatments' && !(treatments instanceof Error)) {
    truth.answered.treatments.push(at);
    for (const { treatment_id, treatment_name: name, base_fee: fee } of treatments)
      if (isFee(fee)) noticeFee(truth, `treatment ${treatment_id}`, { at, name, fee, gone: false });
    noticeGone(truth, 'treatment', new Set(treatments.map(({ treatment_id }) => treatment_id)), at);
  }
  if (resource === 'dentists' && !(dentists instanceof Error)) {
    truth.answered.dentists.push(at);
    for (const { doctor_id, doctor_name: name, consultation_fee: fee } of dentists)
      noticeFee(truth, `dentist ${doctor_id}`, { at, name, fee: isFee(fee) ? fee : null, gone: false });
  }
  if (resource === 'appointments') noticeVisits(truth, { book, kind, at });
}

function noticeVisits(truth: Truth, { book, kind, at }: Pick<Parts, 'book' | 'kind'> & { at: number }): void {
  for (const lead of truth.leads) {
    const { visit } = lead;
    if (visit === null || !isRead(visit, at)) continue;
    const entry = book.ledger.find(({ id }) => id === visit.id);
    if (entry) readVisit(truth, lead, { at, ...pickOf(entry) }, kind.finals);
  }
}

const pickOf = ({ status, date, time }: LedgerEntry) => ({ status, date, time });

function noticeGone(truth: Truth, kind: string, present: ReadonlySet<number>, at: number): void {
  for (const [thing, readings] of truth.fees) {
    const [of, id] = thing.split(' ');
    const name = readings.at(-1)?.name ?? '';
    if (of === kind && !present.has(Number(id))) noticeFee(truth, thing, { at, name, fee: null, gone: true });
  }
}
