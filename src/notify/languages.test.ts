import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { sampleTarget } from '../../test/support/notify/sample-target.ts';
import { asServicesDo } from '../../test/support/notify/services.ts';
import { startSmtpServer } from '../../test/support/notify/smtp-server.ts';
import { tier } from '../../test/support/tiers.ts';
import { noMailServer } from '../config/mail.ts';
import type { NotifyTarget, TargetKind } from '../config/notify.ts';
import { bookingStates, holdReasons, submissionFields } from '../domain/bookings/booking.ts';
import { causes } from '../domain/status/conditions.ts';
import { needWords } from '../domain/status/need-words.ts';
import type { NeedSaid } from '../domain/status/report.ts';
import { HOUR } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { directionOf } from '../platform/text/languages.ts';
import { localeOf } from '../platform/text/locale.ts';
import english from '../texts/languages/en.json' with { type: 'json' };
import { type Language, languages } from '../texts/texts.ts';
import { type Item, type Message, type MessageType, messageTypes, testMessage } from './message.ts';
import { createTarget } from './targets/target.ts';

const AT = '2026-03-02T09:00:00.000Z';
const LINK = 'https://ops.clinic.example/sync/';
const { signal } = new AbortController();

const guard = { poll: 'treatments', change: 'removed', count: 8, of: 10 } as const;
const visit = '2026-03-04 09:30';
const day = { what: 'clinic.example', day: '2026-03-20' };
/** Every need there is: a new one does not compile without its place here. */
const said: Record<NeedSaid['name'], Omit<NeedSaid, 'name'>> = {
  connector_broken: { detail: 'A setting is wrong.' },
  connector_paused: {},
  connector_failing: { count: 7 },
  connector_asks: { detail: 'Something is wrong there.' },
  connector_left: { count: 3 },
  delivery_dead: { count: 2 },
  guard: { ...guard, approvalOnly: true },
  schedule: {},
  database: {},
  database_warning: {},
  database_works: {},
  disk: {},
  unreachable: {},
  stale: { what: 'main' },
  asks_to_wait: { what: '2026-03-02 09:30 UTC' },
  unreadable: { poll: 'dentists' },
  backup: { detail: 'No backup was written: /backup does not exist.' },
  certificate_ends: day,
  certificate_ended: day,
  lane_person: {},
  lane_waits: {},
  proxy: {},
  log: { count: 2_400, detail: 'EAGAIN' },
  visitors: { count: 3, detail: 'Their browsers do not do the check for people.' },
  fleet_configuration: {},
  fleet_version: {},
  clock: { what: 'host-a' },
  fleet_clock: { what: 'host-a' },
  fleet_gone: { what: 'host-a' },
  probe_page: {},
  probe_door: {},
  probe_preset: {},
  probe_mapping: {},
  probe_storing: {},
  probe_judging: {},
  silence_day: { ms: 26 * HOUR, count: 4 },
  silence_week: { ms: 90 * HOUR, count: 3 },
  test: {},
};

const stored = { sentence: 'Some words that only English has.', action: 'More words of English.' };
/** Its English words are those of the catalogue. */
function item(over: Partial<Item>): Item {
  const one = {
    kind: 'clinic',
    clinic: 'main',
    subject: 'website',
    since: AT,
    urgent: false,
    url: LINK,
    ...over,
  };
  const words = needWords(one, localeOf('en'));
  return { ...stored, ...(words && { sentence: words.sentence, action: words.todo ?? '' }), ...one };
}
/** Everything that our connectors say, with names and numbers that are the same everywhere. */
const problems = Object.entries({
  ...english.problems,
  ...english.failures,
  ...english.targets,
  ...english.network,
}).flatMap(([code, text]) => {
  const names = JSON.stringify(text).match(/(?<=\{)\w+(?=\})/g) ?? [];
  const named = Object.fromEntries(names.map((name) => [name, 'CS-7K3Q9F']));
  return [1, 3, 5, 1_234].map((count) => ({ code, values: { ...named, count } }));
});
const items: Item[] = [
  ...problems.map((problem) =>
    item({ said: { name: 'connector_asks', problem, more: 2 }, kind: 'connector', subject: 'website' }),
  ),
  ...problems
    .filter(({ code, values: { count } }) => code in english.network && count === 1)
    .map((problem) => item({ said: { name: 'unreachable', problem } })),
  ...Object.entries(said).map(([name, more]) =>
    item({ said: { name: name as NeedSaid['name'], ...more }, kind: 'connector' }),
  ),
  ...bookingStates.map((state) =>
    item({ kind: 'booking', subject: 'CS-7K3Q9F', state, reason: null, visit }),
  ),
  ...holdReasons.map((reason) => item({ kind: 'booking', subject: 'CS-7K3Q9F', state: 'held', reason })),
  ...[...submissionFields, 'clinic' as const].map((field) =>
    item({
      ...{ kind: 'booking', subject: 'CS-7K3Q9F', state: 'held', reason: 'missing_field' },
      fields: [field, 'patient_phone'],
    }),
  ),
  ...causes.map((kind) => item({ kind, subject: 'treatments' })),
];
const message = (type: MessageType, some: Item[], count = some.length): Message => ({
  ...testMessage(AT, LINK),
  ...{ type, items: some, count },
  kinds: Object.fromEntries(some.map(({ kind }, at) => [kind, at + 1])),
});
/** Each kind of message about one alert and about many, and everything that can be reported. */
const messages: Message[] = [
  ...messageTypes.flatMap((type) => [
    message(type, items.slice(0, 1)),
    ...[2, 5, 12_345].map((count) => message(type, items.slice(0, Math.min(count, 10)), count)),
  ]),
  ...Array.from({ length: Math.ceil(items.length / 10) }, (_, at) =>
    message('needs_you.reminder', items.slice(at * 10, at * 10 + 10)),
  ),
  ...items
    .filter(({ kind }) => kind === 'booking')
    .map((one) => message('needs_you.opened', [{ ...one, url: null }])),
];

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer = asServicesDo;
});
afterAll(() => receiver[Symbol.asyncDispose]());

const actions = ['approve', 'booked', 'drop'] as const;
function targetIn(language: Language, use: TargetKind, over: Partial<NotifyTarget['settings']> = {}) {
  const kept = new Map<string, string>();
  const settings = { ...sampleTarget().settings, url: receiver.url, from: 'sync@clinic.example', ...over };
  return createTarget(sampleTarget({ use, language, settings }), {
    clock: fakeClock(AT),
    log: silentLog,
    clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }],
    patientOf: async () => 'Ann Lee, +8801712345678',
    linksOf: async () => actions.map((action) => ({ action, url: `${LINK}links/${action}` })),
    memory: {
      get: async (key) => kept.get(key),
      set: async (entries) => {
        for (const [key, value] of Object.entries(entries))
          value === undefined ? kept.delete(key) : kept.set(key, value);
      },
      list: async () => ({}),
    },
  });
}

it('a recovery says that the fault is over, and how long it lasted', async () => {
  const since = '2026-03-02T08:20:00.000Z';
  const fault = { sentence: 'The clinic does not answer.', action: 'Check it.', since };
  const works = { kind: 'database', sentence: 'The database works again.', since };

  const [over, database] = await told('en', 'slack', [
    message('health.recovered', [{ ...item({}), ...fault }]),
    message('health.recovered', [{ ...item({}), ...works }]),
  ]);
  const [german] = await told('de', 'slack', [message('health.recovered', [item({ since })])]);

  expect(over).toContain('The clinic does not answer. That is over, after 40 min.');
  expect(database).not.toContain('That is over');
  expect(german).toContain('Das ist vorbei, nach 40 Min.');
});

let number = 0;
/** What arrives of each message. */
async function told(language: Language, use: TargetKind, some = messages, over = {}): Promise<string[]> {
  const { events } = targetIn(language, use, { token: 'token', chat: '42', ...over });
  receiver.received.length = 0;
  for (const one of some) {
    number += 1;
    const event = { id: `ntf_${number}`, clinic: '', sequence: 0, type: one.type, attempt: 1 };
    await events?.deliver({ ...event, body: JSON.stringify(one) }, signal);
  }
  return receiver.received.map(({ body }) => body);
}

const textsIn = async (language: Language): Promise<{ title: string; text: string; labels: string[] }[]> =>
  (await told(language, 'webhook')).map((body) => {
    const { data } = JSON.parse(body);
    const parts: Item[] = data.items;
    const labels = data.links.map(({ label }: { label: string }) => label);
    const texts = parts.flatMap(({ sentence, action }) => [sentence, action]);
    return { title: data.title, text: [data.text, ...texts].join('\n'), labels };
  });

/** Names, and what is the same everywhere. */
const common =
  /clinic-sync|clinic\.example|CS-7K3Q9F|Ann Lee|website|host-a|http\.trust_proxy|NODE_EXTRA_CA_CERTS|bookings show|connectors repair|\.error\.txt|Google Drive|Ref, State, Appointment, Message, Updated|on_drift: report|UTF-8|STALE|Sync|gcloud[\w -]+PROJECT|connectors login|Google(?: (?:Cloud|Sheets|Drive|Console|API|OAuth))*|IAM & Admin|Service accounts|Add key|APIs & Services|OAuth|JSON|Testing|Internal|Enable|Excel|\b(?:firewall|proxy|url|rate|token)\b|thin: true|Gmail|sheets\.googleapis\.com|oauth2\.googleapis\.com|Bookings|\b(?:file|spreadsheet)\b|GMT|\bMar\b|[Ss]ticky[ -][Bb]it|[Dd]esktop[ -]?[Aa]pp|Manage resources|\b[Aa]dd-?[Oo]n\b|\b[Ee]-[Mm]ail\b|Cloud[ -][Pp]roject|smtps?:\/\/|client_(?:id|secret)|docs\/notifications\.md|allow_networks|(?:HTTPS?|NO)_PROXY|\bNTP\b|\bhost\b|SMTP AUTH|Power Automate|tls: required|notify test|@BotFather|refresh[ -][Tt]oken|ca_file|Slack|\boauth\b/g;
/** Dutch has these, too. */
const alike: ReadonlySet<string> = new Set([
  'is in',
  'is over',
  'account in',
  'script in',
  'chat in',
  'is is',
]);
/** Two words after each other. */
const pairsIn = (text: string): Set<string> => {
  const words = text.replaceAll(common, ' ').match(/[\p{L}\p{M}’]+/gu) ?? [];
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`.toLowerCase()));
};

const messagesIn = (language: Language) => {
  it('have every text, nothing of a program in them, and no English', { timeout: 120_000 }, async () => {
    const ours = await textsIn(language);
    const theirs = await textsIn('en');

    expect(ours).toHaveLength(messages.length);
    for (const [at, { title, text, labels }] of ours.entries()) {
      const whole = [title, text, ...labels].join('\n');
      expect.soft(whole).not.toMatch(/[{}]|undefined|\bnull\b|NaN|\[object|\.\.(?!\.)| {2}/);
      expect.soft(whole).not.toMatch(/only English|words of English|Ann Lee/);
      const english = pairsIn([theirs[at]?.title, theirs[at]?.text].join('\n'));
      expect.soft([...pairsIn(whole)].filter((pair) => english.has(pair) && !alike.has(pair))).toEqual([]);
    }
    const catalogue = pairsIn(theirs.map(({ title, text }) => `${title}\n${text}`).join('\n'));
    expect(catalogue.size).toBeGreaterThan(20);
  });

  it('arrive as they were written at every kind of target, within its limits', {
    timeout: 120_000,
  }, async () => {
    const many = messages.filter(({ items }) => items.length > 1);
    const bodies = {
      slack: await told(language, 'slack', many),
      teams: await told(language, 'teams', many),
      telegram: await told(language, 'telegram', many),
    };
    const ntfy = await told(language, 'ntfy', many);

    for (const body of bodies.slack) expect(JSON.parse(body).text.length).toBeLessThan(40_000);
    for (const body of bodies.teams) expect(Buffer.byteLength(body)).toBeLessThan(28 * 1024);
    for (const body of bodies.telegram) expect(JSON.parse(body).text.length).toBeLessThanOrEqual(4_096);
    for (const body of ntfy) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4_096);
  });

  it('has links that ntfy can read, and a subject that mail programs show', { timeout: 60_000 }, async () => {
    await using server = await startSmtpServer();
    const booking = messages
      .filter(({ items, type }) => items[0]?.state && type === 'needs_you.opened')
      .slice(0, 1);
    const [told_] = await textsOf(language, booking);
    await told(language, 'ntfy', booking);
    const headers = receiver.received[0]?.headers ?? {};
    await told(language, 'email', booking, {
      mail: { ...noMailServer, host: '127.0.0.1', port: Number(new URL(server.url).port) },
      to: ['it@clinic.example'],
    });

    const ways = decoded(String(headers.actions))
      .split('; ')
      .map((way) => way.split(', '));
    expect(ways.map(([, , url]) => url)).toEqual(actions.map((action) => `${LINK}links/${action}`));
    expect(decoded(String(headers.title))).toBe(told_?.title);
    const [subject = ''] = /(?<=^Subject: ).*(?:\r?\n .*)*/m.exec(server.mails[0]?.text ?? '') ?? [];
    expect(decoded(subject.replaceAll(/\?=\s+=\?/g, '?==?'))).toBe(told_?.title);
    expect(told_?.title.startsWith('\u200f')).toBe(directionOf(language) === 'rtl');
  });
};
// One written to the left and one to the right stand for the others.
for (const language of languages.filter((one) => one !== 'en'))
  describe(`messages in ${language}`, tier(language === 'de' || language === 'ar'), () =>
    messagesIn(language),
  );

async function textsOf(language: Language, some: Message[]): Promise<{ title: string }[]> {
  return (await told(language, 'webhook', some)).map((body) => JSON.parse(body).data);
}

/** RFC 2047. */
const decoded = (text: string): string =>
  text.replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, way: string, of: string) =>
    way.toUpperCase() === 'B'
      ? Buffer.from(of, 'base64').toString()
      : Buffer.from(
          of
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (_one, hex: string) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
          'latin1',
        ).toString(),
  );

it('says since when by the clinic’s clock', async () => {
  const [english] = await told('en', 'webhook', [message('health.trouble', items.slice(-1))]);
  const [german] = await told('de', 'webhook', [message('health.trouble', items.slice(-1))]);

  expect(JSON.parse(english ?? '').data.text).toContain('Since Mon 2 Mar, 15:00 GMT+6.');
  expect(JSON.parse(german ?? '').data.text).toMatch(/Seit Mo\., 2\. März.* 15:00 GMT\+6\./);
});

it('says when the visit is and what is missing, in the language of the target, with the reference as its subject', async () => {
  const fields = ['patient_name', 'patient_phone'] as const;
  const held = { kind: 'booking', subject: 'CS-7K3Q9F', state: 'held' } as const;
  const told_ = message('needs_you.opened', [item({ ...held, reason: 'missing_field', visit, fields })]);
  const [german] = await told('de', 'webhook', [told_]);
  const [arabic] = await told('ar', 'webhook', [told_]);
  const [task] = await told('de', 'webhook', [
    message('needs_you.opened', [item({ ...held, reason: 'task' })]),
  ]);

  const { title, text, items: parts } = JSON.parse(german ?? '').data;
  expect(title).toBe('clinic-sync: Wartet auf Sie (CS-7K3Q9F)');
  expect(text).toContain('Etwas fehlt, das die Praxis braucht (Patient und Telefon).');
  expect(text).toMatch(/Termin: Mi\., 4\. März,? (um )?09:30\./);
  expect(parts).toEqual([expect.objectContaining({ subject: 'CS-7K3Q9F', visit })]);
  expect(JSON.parse(task ?? '').data.text).toContain('CS-7K3Q9F: Eine Aufgabe für Sie, keine Buchung.');
  expect(JSON.parse(arabic ?? '').data.text).toContain('(المريض والهاتف)');
});

it('sends what an older version stored unchanged', async () => {
  const [body] = await told('de', 'webhook', [message('needs_you.opened', [item({ kind: 'guard' })])]);

  expect(JSON.parse(body ?? '').data).toMatchObject({
    title: 'clinic-sync: Wartet auf Sie',
    items: [stored],
  });
});
