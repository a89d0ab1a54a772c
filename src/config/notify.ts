import { z } from 'zod';
import { keyName, network, secretFile, textSetting, webAddress } from '../domain/clinics/setting.ts';
import { parseDuration, SECOND } from '../platform/duration.ts';
import { type Language, languages } from '../texts/texts.ts';
import { type ConfigFault, faultAt, faultsOf, type Source } from './faults.ts';
import { type MailServer, mailAddressOf, mailOf, mailSettings, noMailServer } from './mail.ts';
import type { ReadSecret, Report } from './secrets.ts';

/** Topics that a target may subscribe to. */
const topics = [
  'needs_you',
  'trouble',
  'recovered',
  'guard',
  'paused',
  'disk',
  'certificate',
  'silence',
] as const;
export type Topic = (typeof topics)[number];

const duration = (least: number, words: string) =>
  z.string().refine((given) => (parseDuration(given) ?? -1) >= least, words);

const common = {
  on: z
    .array(z.enum(topics))
    .min(1)
    .default(['needs_you', 'trouble', 'recovered', 'silence'])
    .describe(
      '`needs_you`: everything under Needs you; `guard`, `paused`, `disk`, `certificate`: only that part of ' +
        'it; `trouble`, `recovered`: data stops flowing, and flows again; `silence`: no lead when leads are ' +
        'usual.',
    ),
  remind: z
    .union([z.literal('off'), duration(SECOND, 'must be a duration such as 30m or 4h, or off')])
    .default('4h')
    .describe('After how long one message reminds of everything that still waits; `off`: never.'),
  quiet: z
    .string()
    .regex(
      /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/,
      'must be a time of day such as "20:00-07:00"',
    )
    .refine((given) => {
      const [from, to] = given.split('-');
      return from !== to;
    }, 'begins and ends at the same time: write "00:00-24:00" for the whole day')
    .optional()
    .describe(
      'In these hours, by the clinic’s clock, only urgent messages are sent; the rest follow afterwards. Put ' +
        'it in quotes.',
    ),
  escalate: z
    .strictObject({
      to: textSetting.describe('Name of the other target.'),
      after: duration(SECOND, 'must be a duration such as 30m').default('30m').describe('How long to wait.'),
    })
    .optional()
    .describe('Notifies another target as well when something reported here still waits after a while.'),
  links: z
    .union([z.literal('off'), duration(SECOND, 'must be a duration such as 24h, or off')])
    .default('24h')
    .describe(
      'How long links in messages work that act without signing in; `off`: none. They need `http.public_url`.',
    ),
  clinics: z.array(z.string()).optional().describe('Clinics it is notified about; all unless named.'),
  include: z
    .array(z.enum(['patient']))
    .default([])
    .describe('`patient`: names and phones in messages about bookings.'),
  language: z.enum(languages).default('en').describe('Language of its messages; times are the clinic’s.'),
  allow_networks: z
    .array(network)
    .default([])
    .describe('Private or local networks the address may be in. A mail server may be anywhere.'),
};

/** Checked only after it is read, because it may come from a file or not be needed. */
const secretText = (what: string) => z.string().optional().describe(what);

/** Settings of each target kind, besides the common ones. A secret is given directly or as `…_file`. */
export const targetKinds = {
  email: z.strictObject({
    use: z.literal('email').describe('The kind.'),
    ...common,
    ...mailSettings,
  }),
  ntfy: z.strictObject({
    use: z.literal('ntfy').describe('The kind.'),
    ...common,
    url: secretText('The topic, such as https://ntfy.sh/OUR-TOPIC.'),
    url_file: secretFile('address'),
    token: secretText('Access token, where the topic needs one.'),
    token_file: secretFile('access token'),
  }),
  slack: z.strictObject({
    use: z.literal('slack').describe('The kind.'),
    ...common,
    url: secretText('Address of an incoming webhook of Slack (or Mattermost, Rocket.Chat).'),
    url_file: secretFile('address'),
  }),
  teams: z.strictObject({
    use: z.literal('teams').describe('The kind.'),
    ...common,
    url: secretText(
      'Address that the Teams workflow “Post to a channel when a webhook request is received” shows.',
    ),
    url_file: secretFile('address'),
  }),
  telegram: z.strictObject({
    use: z.literal('telegram').describe('The kind.'),
    ...common,
    token: secretText('The bot’s, from @BotFather.'),
    token_file: secretFile('token of the bot'),
    chat: z
      .union([textSetting, z.number()])
      .refine(
        (chat) => /^(-?\d+|@\w+)$/.test(String(chat)),
        'must be the number of the chat, or @name; a topic goes into thread',
      )
      .describe('Number of the chat, or @name of the channel.'),
    thread: z.int().positive().optional().describe('Number of the topic in a group with topics.'),
    url: webAddress().default('https://api.telegram.org').describe('The server of the Bot API.'),
  }),
  discord: z.strictObject({
    use: z.literal('discord').describe('The kind.'),
    ...common,
    url: secretText('Address of a webhook of the channel (Integrations, Webhooks).'),
    url_file: secretFile('address'),
  }),
  gotify: z.strictObject({
    use: z.literal('gotify').describe('The kind.'),
    ...common,
    url: secretText('The server, such as https://gotify.clinic.example.'),
    url_file: secretFile('address'),
    token: secretText('The application’s on the server.'),
    token_file: secretFile('token of the application'),
  }),
  apprise: z.strictObject({
    use: z.literal('apprise').describe('The kind.'),
    ...common,
    url: secretText(
      'Where an Apprise API takes messages, such as https://apprise.clinic.example/notify/KEY?tag=TAG.',
    ),
    url_file: secretFile('address'),
  }),
  webhook: z.strictObject({
    use: z.literal('webhook').describe('The kind.'),
    ...common,
    url: secretText('Where each message is posted, as JSON (Standard Webhooks).'),
    url_file: secretFile('address'),
    secret: secretText('Signing secret (`whsec_…`, or any text).'),
    secret_file: secretFile('signing secret'),
  }),
} as const;
export type TargetKind = keyof typeof targetKinds;
const kindNames = Object.keys(targetKinds) as TargetKind[];

const required: Record<TargetKind, readonly string[]> = {
  email: [],
  ntfy: ['url'],
  slack: ['url'],
  teams: ['url'],
  telegram: ['token'],
  discord: ['url'],
  gotify: ['url', 'token'],
  apprise: ['url'],
  webhook: ['url'],
};

const Heartbeat = z
  .strictObject({
    url: secretText('The address to request, such as https://hc-ping.com/….'),
    url_file: secretFile('address'),
    fail: secretText('An address to request once when health is no longer ok.'),
    fail_file: secretFile('address for failures'),
    every: duration(SECOND, 'must be a duration such as 5m').default('5m').describe('How often.'),
    allow_networks: z.array(network).default([]).describe('Private or local networks it may be in.'),
  })
  .describe(
    'An address that is pinged only while health is ok, for a monitor that alerts when the pings stop.',
  );

/** Targets are checked in `notifyConfig` by the schema of their kind. */
export const Notify = z
  .object({ heartbeat: Heartbeat.optional() })
  .catchall(z.looseObject({ use: z.enum(kindNames) }))
  .describe('Who is notified that a person is needed, and how (docs/notifications.md).');

/** Only the settings of the target's kind are filled; the others are empty. */
interface TargetSettings {
  url: string;
  mail: MailServer;
  from: string;
  to: string[];
  token: string;
  chat: string;
  /** Topic of a chat; empty: none. */
  thread: string;
  secret: string;
}

/** One target with its secrets resolved: never log it. */
export interface NotifyTarget {
  name: string;
  use: TargetKind;
  on: Topic[];
  /** Milliseconds; undefined for never. */
  remindMs: number | undefined;
  /** Minutes of the day, from and to; undefined without quiet hours. */
  quiet: { from: number; to: number } | undefined;
  escalate: { to: string; afterMs: number } | undefined;
  /** Milliseconds for which one-tap links work; undefined without links. */
  linksMs: number | undefined;
  /** Undefined for all clinics. */
  clinics: string[] | undefined;
  includePatient: boolean;
  language: Language;
  allowNetworks: string[];
  settings: TargetSettings;
}

export interface NotifyConfig {
  targets: NotifyTarget[];
  heartbeat: { url: string; fail?: string | undefined; everyMs: number; allowNetworks: string[] } | undefined;
}

interface Completing {
  source: Source;
  faults: ConfigFault[];
  read: ReadSecret;
  clinicKeys: readonly string[];
  /** For commands that send no notifications: secrets may be missing, and there are then no targets. */
  withoutSecrets: boolean;
}

/** Listed with the targets. */
export const HEARTBEAT = 'heartbeat';

/** The connector name under which a target's messages are delivered. */
export const deliveriesTo = (target: string): string => `notify.${target}`;

export const targetOf = (connector: string): string => connector.slice(deliveriesTo('').length);

/** The targets as connectors, which `connectors` and `deliveries` list under these names. */
export const asConnectors = (given: Record<string, unknown>, { targets, heartbeat }: NotifyConfig) =>
  [...targetNames(given), ...(HEARTBEAT in given ? [HEARTBEAT] : [])].map((name) => {
    const target = targets.find((one) => one.name === name);
    const settings = name === HEARTBEAT ? heartbeat : target;
    const { use = name } = given[name] as { use?: unknown };
    return {
      name: deliveriesTo(name),
      use: `notify:${use}`,
      clinics: [] as string[],
      includePatient: target?.includePatient ?? false,
      approval: 'none' as const,
      isolate: false,
      settings,
      ...(settings === undefined && { incomplete: true }),
    };
  });

const targetNames = (given: Record<string, unknown>) =>
  Object.keys(given).filter((name) => name !== HEARTBEAT);

/** Completes the targets and reports all their faults. */
export function notifyConfig(given: Record<string, unknown>, completing: Completing): NotifyConfig {
  const { source, faults, read, withoutSecrets } = completing;
  const targets = targetNames(given).flatMap((name) => {
    const base = ['notify', name];
    const isName = keyName(48).safeParse(name);
    if (!isName.success) faults.push(...faultsOf(source, isName.error.issues, Notify, base));
    return completed(name, given[name], completing) ?? [];
  });
  for (const { name, escalate } of targets)
    if (escalate && (escalate.to === name || !targets.some((other) => other.name === escalate.to)))
      faults.push(
        faultAt(
          source,
          ['notify', name, 'escalate', 'to'],
          `names ${escalate.to}, which is not another target`,
          `Other targets: ${
            targetNames(given)
              .filter((other) => other !== name)
              .join(', ') || 'none'
          }.`,
        ),
      );
  const heartbeat = Heartbeat.safeParse(given.heartbeat);
  if (!heartbeat.success || withoutSecrets) return { targets, heartbeat: undefined };
  const { url, url_file, fail, fail_file, every, allow_networks } = heartbeat.data;
  const path = ['notify', 'heartbeat', 'url'];
  const address = read(path, url, url_file);
  checkUrl(path, address, completing);
  const everyMs = parseDuration(every) ?? 0;
  const onFailure =
    fail === undefined && fail_file === undefined
      ? undefined
      : read(['notify', 'heartbeat', 'fail'], fail, fail_file);
  checkUrl(['notify', 'heartbeat', 'fail'], onFailure ?? '', completing);
  return { targets, heartbeat: { url: address, fail: onFailure, everyMs, allowNetworks: allow_networks } };
}

function completed(name: string, given: unknown, completing: Completing): NotifyTarget | undefined {
  const { source, faults, clinicKeys, withoutSecrets } = completing;
  const use = kindNames.find((kind) => kind === (given as { use?: unknown } | null)?.use);
  if (use === undefined) return undefined;
  const base = ['notify', name];
  const parsed = targetKinds[use].safeParse(given);
  if (!parsed.success) {
    faults.push(...faultsOf(source, parsed.error.issues, targetKinds[use], base));
    return undefined;
  }
  const { on, remind, quiet, escalate, links, clinics, include, language, allow_networks, ...own } =
    parsed.data;
  for (const clinic of (clinics ?? []).filter((key) => !clinicKeys.includes(key))) {
    const message = `names the clinic ${clinic}, which is not configured`;
    faults.push(faultAt(source, [...base, 'clinics'], message, `Configured: ${clinicKeys.join(', ')}.`));
  }
  if (withoutSecrets) return undefined;
  return {
    name,
    use,
    on,
    remindMs: remind === 'off' ? undefined : parseDuration(remind),
    quiet: quiet === undefined ? undefined : hoursOf(quiet),
    escalate: escalate && { to: escalate.to, afterMs: parseDuration(escalate.after) ?? 0 },
    linksMs: links === 'off' ? undefined : parseDuration(links),
    clinics,
    includePatient: include.includes('patient'),
    language,
    allowNetworks: allow_networks,
    settings: withSecrets(base, use, own, completing),
  };
}

function withSecrets(
  base: readonly string[],
  use: TargetKind,
  own: Record<string, unknown>,
  completing: Completing,
): TargetSettings {
  const textAt = (key: string) => (own[key] === undefined ? undefined : String(own[key]));
  const read = (key: string): string => {
    const [value, file] = [textAt(key), textAt(`${key}_file`)];
    const isGiven = value !== undefined || file !== undefined;
    return isGiven || required[use].includes(key) ? completing.read([...base, key], value, file) : '';
  };
  const [url, token, secret] = [read('url'), read('token'), read('secret')];
  checkUrl([...base, 'url'], url, completing);
  const report: Report = (path, message, hint) =>
    completing.faults.push(faultAt(completing.source, path, message, hint));
  const reading = { read: completing.read, report, base };
  const { mail, from } =
    use === 'email' ? mailOf(own as Parameters<typeof mailOf>[0], reading) : { mail: noMailServer, from: '' };
  // A recipient is known by its place here and in the envelope, which has each address once.
  const to = Array.isArray(own.to)
    ? [...new Map(own.to.map((one) => [mailAddressOf(String(one)), String(one)])).values()]
    : [];
  return { url, mail, token, secret, from, to, chat: textAt('chat') ?? '', thread: textAt('thread') ?? '' };
}

/** Checks an address read from a file, which the schema has not seen. */
function checkUrl(path: readonly string[], url: string, { source, faults }: Completing): void {
  if (url !== '' && !webAddress().safeParse(url).success)
    faults.push(faultAt(source, path, 'must be an http or https address', 'Copy the whole address again.'));
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
function hoursOf(quiet: string) {
  const [from = '', to = ''] = quiet.split('-');
  return { from: minutesOf(from), to: minutesOf(to) };
}

/** Settings of a target that are secrets. */
export const targetSecrets = [
  'fail',
  'smtp',
  'password',
  'client_secret',
  'refresh_token',
  'token',
  'secret',
];
