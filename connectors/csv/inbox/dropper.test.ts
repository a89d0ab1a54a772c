import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { between, pick, type Random, seededRandom } from '../../../sandbox/clinic/random.ts';
import { file, type Inbox, openInbox } from '../../../test/support/csv/inbox.ts';

const runs = Number(process.env.VERIFY_RUNS ?? 1);
const first = Number(process.env.VERIFY_SEED ?? 1);
const STEPS = runs > 1 ? 60 : 25;

interface Lead {
  name: string;
  phone: string;
  day: string;
  time: string;
  note: string;
}

/** A program's way to write: the order of its columns, and what ends its lines. */
const layouts: readonly (readonly (keyof Lead)[])[] = [
  ['name', 'phone', 'day', 'time', 'note'],
  ['day', 'time', 'note', 'name', 'phone'],
  ['note', 'phone', 'name', 'day', 'time'],
];
const titles: Record<keyof Lead, string> = {
  name: 'Name',
  phone: 'Phone',
  day: 'Date',
  time: 'Time',
  note: 'Note',
};
const copies = [
  '.csv',
  ' (1).csv',
  ' - Copy.csv',
  '.sync-conflict-20260302-101112-ABCDEFG.csv',
  ' (A’s conflicted copy).csv',
  ' - Kopie (2).csv',
  '-RECEPTION.csv',
];
/** What programs put behind the text. */
const ends = ['', '', '', '\x1a', '\0\0\0\0'];

const below = (random: Random, end: number) => between(random, 0, end - 1);
const of = <T>(random: Random, all: readonly T[]): T => pick(random, all) as T;
const two = (value: number) => String(value).padStart(2, '0');
/** The name's day and number change with each file. */
const stems = ['leads', 'website', 'april', 'export-2026-03-{n}', '{n}_daily'];

class Dropper {
  files = 0;
  /** As they were first sent; a correction is asked about. */
  readonly sent: Lead[] = [];
  readonly whole = new Map<string, { leads: Lead[]; layout: readonly (keyof Lead)[] }>();
  readonly random: Random;
  readonly inbox: Inbox;
  constructor(random: Random, inbox: Inbox) {
    this.random = random;
    this.inbox = inbox;
  }

  newLead(): Lead {
    const n = this.sent.length + 1;
    const lead = {
      name: `${of(this.random, ['Ann', 'Bob', 'Çelik', 'Dr. O’Neil'])} ${String.fromCharCode(65 + (n % 26))}${n}`,
      phone: `+880171${String(1_000_000 + n * 7919).slice(-7)}`,
      day: `2026-04-${two(1 + (n % 5))}`,
      time: `${two(8 + (n % 3))}:${of(this.random, ['00', '15', '30'])}`,
      note: of(this.random, ['', 'call first', 'comma, inside', 'two\nlines']),
    };
    this.sent.push(lead);
    return lead;
  }

  contentOf(leads: readonly Lead[], layout: readonly (keyof Lead)[]): Buffer {
    const cell = (text: string) => (/[,\n"]/.test(text) ? `"${text}"` : text);
    const lines = leads.map((lead) => layout.map((field) => cell(lead[field])).join(','));
    return Buffer.from(file(layout.map((field) => titles[field]).join(','), ...lines));
  }

  async step(): Promise<void> {
    const { random, inbox } = this;
    const stem = of(random, stems);
    const known = this.whole.get(stem) ?? { leads: [], layout: of(random, layouts) };
    const grown = [...known.leads, ...Array.from({ length: below(random, 4) }, () => this.newLead())];
    const sorted = below(random, 5) === 0 ? grown.toReversed() : grown;
    const corrected = below(random, 10) === 0 ? pick(random, known.leads) : undefined;
    const leads = sorted.map((lead) => (lead === corrected ? { ...lead, time: '19:45' } : lead));
    this.whole.set(stem, { leads, layout: known.layout });
    const end = Buffer.from(of(random, ends));
    const content = Buffer.concat([this.contentOf(leads, known.layout), end]);
    const name = stem.replace('{n}', two(below(random, 30))) + of(random, copies);
    // An upload that breaks off anywhere, and the whole of it later or at once.
    if (below(random, 2) === 0) await this.take(name, content.subarray(0, below(random, content.length)));
    await inbox.clock.advance(of(random, [1_000, 60_000, 3_600_000]));
    await this.take(name, content);
  }

  async take(name: string, content: Buffer): Promise<void> {
    this.files += 1;
    await this.inbox.take(name, content);
  }

  /** What was booked without a question. */
  booked() {
    return this.inbox.desk.bookings.filter(({ state }) => state === 'queued');
  }
}

it('books what was sent, once, and answers every row, however files are cut, copied, renamed and sent again', {
  timeout: 14_400_000,
  tags: ['thorough'],
}, async () => {
  let files = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const dropper = new Dropper(seededRandom(seed), await openInbox());
    for (let step = 0; step < STEPS; step += 1) await dropper.step();

    const said = ({ name, phone, day, time }: Lead) => [name, phone, day, time].join(' ');
    const booked = dropper
      .booked()
      .map((one) =>
        [one.patient_name, one.patient_phone, one.appointment_date, one.appointment_time].join(' '),
      );
    const results = join(dropper.inbox.inbox, 'results');
    const answers = await Promise.all(
      (await readdir(results)).map((name) => readFile(join(results, name), 'utf8')),
    );
    const unanswered = dropper.sent.filter(({ phone }) => !answers.some((text) => text.includes(phone)));
    expect([seed, booked.toSorted()]).toEqual([seed, dropper.sent.map(said).toSorted()]);
    expect([seed, unanswered]).toEqual([seed, []]);
    expect(dropper.inbox.desk.bookings.filter(({ state }) => state === 'held')).toEqual([]);
    files += dropper.files;
  }
  if (runs > 1) console.info(`${files} files from seed ${first} on`);
});
