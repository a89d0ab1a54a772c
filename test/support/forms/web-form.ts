import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import type { PresetName } from '../../../connectors/web-form/presets/presets.ts';
import { webForm } from '../../../connectors/web-form/web-form.ts';
import { emptyView } from '../../../src/app/empty-view.ts';
import type {
  BookingPort,
  Connector,
  HttpIntake,
  IntakeRequest,
  Memory,
  MirrorView,
  Row,
} from '../../../src/connector.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';

export const formToken = 'a-token-of-the-form';
export const formSecret = 'a-secret-of-the-tool';
export const clinicZone = 'Asia/Dhaka';

export interface OpenedWebForm {
  connector: Connector;
  intake: Required<HttpIntake>;
  clock: FakeClock;
  memory: Memory & { notes: Map<string, string> };
}

interface OpenOptions {
  clock?: FakeClock;
  clinics?: { clinic: string; timezone: string }[];
  memory?: OpenedWebForm['memory'];
  bookings?: BookingPort;
}

/** A web-form connector with settings as a person writes them. */
export async function openWebForm(
  settings: Record<string, unknown>,
  {
    clock = fakeClock(),
    clinics = [{ clinic: 'main', timezone: clinicZone }],
    memory = notebook(),
    bookings,
  }: OpenOptions = {},
): Promise<OpenedWebForm> {
  const connector = await webForm.create({
    name: 'website',
    settings: webForm.settings.parse(settings),
    clinics,
    includePatient: false,
    instance: 'test',
    bookings: bookings as BookingPort,
    memory,
    clock,
    log: silentLog,
    wake() {},
  });
  return { connector, intake: connector.intake as Required<HttpIntake>, clock, memory };
}

/** Durable notes that are only kept in memory. */
export function notebook(): OpenedWebForm['memory'] {
  const notes = new Map<string, string>();
  return {
    notes,
    get: async (key) => notes.get(key),
    async set(entries) {
      for (const [key, value] of Object.entries(entries)) {
        if (value === undefined) notes.delete(key);
        else notes.set(key, value);
      }
    },
    list: async (prefix) => Object.fromEntries([...notes].filter(([key]) => key.startsWith(prefix))),
  };
}

export function intakeRequest(
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
  more: Partial<IntakeRequest> = {},
): IntakeRequest {
  return {
    method: 'POST',
    path: '',
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(body),
    remoteAddress: '203.0.113.7',
    ...more,
  };
}

/** What a form carries unseen, as its visitor's browser sends it back. */
export const hiddenFields = (form: string): [name: string, value: string][] =>
  [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);

export const fixture = (file: string): Buffer =>
  readFileSync(new URL(`../../../connectors/web-form/fixtures/${file}`, import.meta.url));

/** The content type a tool sends a fixture with. */
export function contentTypeOf(file: string, body: Buffer): string {
  if (file.endsWith('.json')) return 'application/json; charset=utf-8';
  if (file.endsWith('.urlencoded')) return 'application/x-www-form-urlencoded';
  if (file.endsWith('.txt')) return 'text/plain';
  return `multipart/form-data; boundary=${body.toString('latin1').split('\r\n')[0]?.slice(2)}`;
}

const hmac = (secret: string, encoding: 'hex' | 'base64', ...parts: (string | Buffer)[]): string => {
  const digest = createHmac('sha256', secret);
  for (const part of parts) digest.update(part);
  return digest.digest(encoding);
};

/** What each tool adds to a request to prove that it is the tool; made here as their documentation says. */
export const proofOf: Record<
  string,
  (body: Buffer, atMs: number, secret?: string) => { headers?: Record<string, string>; path?: string }
> = {
  native: () => ({ headers: { authorization: `Bearer ${formToken}` } }),
  'contact-form-7': () => ({ headers: { authorization: `Bearer ${formToken}` } }),
  'gravity-forms': () => ({ headers: { authorization: `Bearer ${formToken}` } }),
  elementor: () => ({ path: formToken }),
  jotform: () => ({ path: formToken }),
  wpforms(body, atMs, secret = formSecret) {
    const t = Math.floor(atMs / 1000);
    return { headers: { 'x-wpforms-webhook-signature': `t=${t},v=${hmac(secret, 'hex', `${t}.`, body)}` } };
  },
  typeform: (body, _atMs, secret = formSecret) => ({
    headers: { 'typeform-signature': `sha256=${hmac(secret, 'base64', body)}` },
  }),
  webflow: (body, atMs, secret = formSecret) => ({
    headers: {
      'x-webflow-timestamp': String(atMs),
      'x-webflow-signature': hmac(secret, 'hex', `${atMs}:`, body),
    },
  }),
  'google-forms': (body, atMs, secret = formSecret) => ({ headers: standardHeaders(body, atMs, secret) }),
  tally: (body, _atMs, secret = formSecret) => ({
    headers: { 'tally-signature': hmac(secret, 'base64', body) },
  }),
  calendly(body, atMs, secret = formSecret) {
    const t = Math.floor(atMs / 1000);
    return { headers: { 'calendly-webhook-signature': `t=${t},v1=${hmac(secret, 'hex', `${t}.`, body)}` } };
  },
  'cal.com': (body, _atMs, secret = formSecret) => ({
    headers: { 'x-cal-signature-256': hmac(secret, 'hex', body) },
  }),
};

/** Signed by the Standard Webhooks library itself. */
export function standardHeaders(body: Buffer, atMs: number, secret: string): Record<string, string> {
  const at = new Date(Math.floor(atMs / 1000) * 1000);
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': webhook.sign('msg_1', at, body.toString('utf8')),
  };
}

/** A request of a tool with everything right. */
export function toolRequest(preset: string, file: string, atMs: number): IntakeRequest {
  const body = fixture(file);
  const { headers = {}, path = '' } = proofOf[preset]?.(body, atMs) ?? {};
  return intakeRequest(body, { 'content-type': contentTypeOf(file, body), ...headers }, { path });
}

export const mirrorOf = (tables: Partial<Record<string, Row[]>> = {}): MirrorView => ({
  ...emptyView,
  clinics: [
    { clinic: 'main', timezone: clinicZone, name: 'Lakeside Dental', currency: 'BDT', currency_symbol: '৳' },
  ],
  rows: async (table) => tables[table] ?? [],
});

export const presetKeys: Partial<Record<PresetName, Record<string, string>>> = {
  native: { token: formToken },
  'html-form': { token: formToken },
  elementor: { token: formToken },
  'contact-form-7': { token: formToken },
  'gravity-forms': { token: formToken },
  jotform: { token: formToken },
};

/** A form of this tool, with the key it proves itself with. */
export const openPreset = (preset: PresetName, fields: Record<string, unknown> = {}) =>
  openWebForm({ preset, ...(presetKeys[preset] ?? { secret: formSecret }), fields });

/** What a tool's body becomes under `fields:`. */
export async function become(
  preset: PresetName,
  body: Buffer | string,
  {
    fields = {},
    contentType = 'application/json',
  }: { fields?: Record<string, unknown>; contentType?: string } = {},
) {
  const { intake, clock } = await openPreset(preset, fields);
  const sent = Buffer.from(body);
  const { headers, path = '' } = proofOf[preset]?.(sent, clock.now()) ?? {};
  const result = await intake.receive(
    intakeRequest(sent, { 'content-type': contentType, ...headers }, { path }),
  );
  if (result.kind !== 'submission') throw new Error(`The submission was ${result.kind}`);
  return result.submission;
}

export const becomeFixture = (preset: PresetName, file: string, fields: Record<string, unknown> = {}) =>
  become(preset, fixture(file), { fields, contentType: contentTypeOf(file, fixture(file)) });

export const faultsOf = ({ problems = [] }: { problems?: readonly { field: string }[] }) =>
  problems.map(({ field }) => field);
