import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { readFormattedDate as readCsvDate } from '../../../connectors/csv/inbox/content/date-format.ts';
import { openDropped } from '../../../connectors/csv/inbox/content/dropped-file.ts';
import { readRow } from '../../../connectors/csv/inbox/content/row.ts';
import { textCell as cellText, sameContent } from '../../../connectors/google-sheets/sheet/cells.ts';
import { parseBody } from '../../../connectors/web-form/body.ts';
import { otherSite } from '../../../connectors/web-form/form/origin.ts';
import { type PresetName, presetNames } from '../../../connectors/web-form/presets/presets.ts';
import { nearNames } from '../../../src/bookings/intake/near-names.ts';
import { readFields } from '../../../src/bookings/intake/read-fields.ts';
import { readJson } from '../../../src/clinic/http/json-body.ts';
import { safeWords } from '../../../src/clinic/http/redaction.ts';
import {
  readList,
  readSingle,
  readStatus,
  readToken,
  readTreatment,
} from '../../../src/clinic/read-answer.ts';
import { trustProxyFromText } from '../../../src/config/http.ts';
import { fromText } from '../../../src/config/load.ts';
import { submissionFields } from '../../../src/domain/bookings/booking.ts';
import { withoutNames } from '../../../src/domain/clinics/clinic-names.ts';
import { amountText, moneyText } from '../../../src/domain/clinics/money.ts';
import { isSameValue } from '../../../src/domain/clinics/spelling.ts';
import { readDate, readTime } from '../../../src/domain/date-time.ts';
import { readFormat } from '../../../src/domain/date-time-format.ts';
import { withoutPatient } from '../../../src/domain/patient.ts';
import { comparablePhone } from '../../../src/domain/phone.ts';
import { adminName, bearerToken, createAccess, fromThisSite } from '../../../src/http/access/access.ts';
import { sessionCookie } from '../../../src/http/access/cookies.ts';
import { hostCheck } from '../../../src/http/access/hosts.ts';
import { needOf } from '../../../src/http/access/roles.ts';
import { localPath } from '../../../src/http/answers.ts';
import { readBody } from '../../../src/http/body.ts';
import { addressKey } from '../../../src/http/limits/allowance.ts';
import { createBodyBudget } from '../../../src/http/limits/body-budget.ts';
import { createProxies } from '../../../src/http/limits/proxies.ts';
import { parseBytes } from '../../../src/platform/bytes.ts';
import { parseDuration } from '../../../src/platform/duration.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { Json } from '../../../src/platform/json.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { inNetworks, networkOf } from '../../../src/platform/network/networks.ts';
import { retryAfterMs } from '../../../src/platform/network/retry-after.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import { localeOf } from '../../../src/platform/text/locale.ts';
import { printable } from '../../../src/platform/text/printable.ts';
import { choiceKey, isNoChoice } from '../../../src/reading/choice.ts';
import { readDay } from '../../../src/reading/day.ts';
import { readMoment } from '../../../src/reading/moment.ts';
import { doubtOfName, nameInParts } from '../../../src/reading/person-name.ts';
import { phoneInParts, readPhone } from '../../../src/reading/read-phone.ts';
import { saysOff } from '../../../src/reading/read-status.ts';
import { decodeOnce, readText, withoutHidden } from '../../../src/reading/text.ts';
import { readTimeOfDay } from '../../../src/reading/time-of-day.ts';
import { fakeClock } from '../fake-clock.ts';
import { formToken, intakeRequest, openPreset } from '../forms/web-form.ts';

/** Everything that reads input from outside. */
export type Reader = (text: string) => unknown;

const now = Date.UTC(2026, 2, 2);
const never = new AbortController().signal;

/** The text as JSON where it is JSON, else as one string in an object: both ways must hold. */
function asJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return {
      success: true,
      data: [{ treatment_id: text, treatment_name: text, base_fee: text }],
      site: text,
    };
  }
}

/** A refusal is an answer, too; anything else that is thrown is a crash. */
const orRefused =
  (read: (value: Json) => unknown): Reader =>
  (text) => {
    try {
      return read(asJson(text));
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };

const contentTypes = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  text: 'text/plain',
};

const body =
  (type: string): Reader =>
  (text) =>
    parseBody({ headers: { 'content-type': type }, body: Buffer.from(text) }, [
      'json',
      'form',
      'multipart',
      'text',
    ]);

const cookie = sessionCookie({ secure: true, path: '/' });
const isOurHost = hostCheck({ allowed: ['clinic.example'], publicUrl: undefined, listen: '127.0.0.1' });
const proxies = createProxies({ trust: ['10.0.0.0/8'], clock: fakeClock(), log: silentLog });
const isOurs = inNetworks(['10.0.0.0/8', 'fd00::/8']);
const behindProxy = createAccess({
  people: [],
  signInHeader: { name: 'Remote-User', from: ['127.0.0.0/8'], role: 'desk' },
  oidc: undefined,
  sessions: {} as Parameters<typeof createAccess>[0]['sessions'],
});

/** A request with the text in every header that is read before it is known who sends it. */
function headersRead(text: string): unknown[] {
  const headers = {
    cookie: text,
    host: text,
    origin: text,
    authorization: text,
    'sec-fetch-site': undefined,
  };
  const forwarded = { 'x-forwarded-for': text, forwarded: text, 'x-forwarded-host': text };
  const message = {
    headers: { ...headers, ...forwarded },
    headersDistinct: { 'remote-user': [text] },
    socket: { remoteAddress: '127.0.0.1' },
  };
  const asRequest = { headers: {}, raw: message, query: {} } as unknown as FastifyRequest;
  proxies.drop(message as unknown as IncomingMessage);
  return [
    cookie.read(headers),
    isOurHost(text),
    fromThisSite(headers, 'clinic.example'),
    bearerToken(headers),
    otherSite({ headers: { ...headers, ...forwarded, referer: text } }, 'website', {
      listed: ['https://clinic.example'],
      isFetched: true,
    }),
    proxies.trusts(text, 0),
    behindProxy.identify(asRequest, cookie),
  ];
}

/** What a preset makes of it, without asking who sent it: proofs are of a fixed size. */
async function presetReader(preset: PresetName): Promise<Reader> {
  const { intake } = await openPreset(preset);
  return async (text) => {
    const request = intakeRequest(text, { authorization: `Bearer ${formToken}` });
    const saved = { ...request, headers: { ...request.headers, 'content-type': undefined } };
    return [
      await intake.sample(saved),
      await intake.sample(intakeRequest(JSON.stringify({ text, [text]: text }))),
    ];
  };
}

export async function allReaders(): Promise<Readonly<Record<string, Reader>>> {
  const presets = await Promise.all(
    presetNames.map(async (name): Promise<[string, Reader]> => [`preset ${name}`, await presetReader(name)]),
  );
  const { intake } = await openPreset('native');
  return {
    'fields of a booking': (text) =>
      submissionFields.map((field) => readFields({ patient_name: 'Ann', [field]: text })),
    'dates and times': (text) => [readDate(text), readTime(text), readCsvDate(text, 'DD/MM/YYYY')],
    'formatted dates': (text) => [
      readFormat(text, 'dddd, MMMM Do YYYY h:mm A'),
      readMoment(text, { format: 'DD.MM.YYYY HH:mm', zone: 'Europe/London' }, 'Asia/Dhaka'),
    ],
    'texts as sent': (text) => [decodeOnce(text), withoutHidden(text), readText(text), doubtOfName(text)],
    'numbers as sent': (text) => [readPhone(text), phoneInParts({ country: text, number: text })],
    'days, times and moments': (text) => [
      readDay(text),
      readTimeOfDay(text),
      readMoment(text, {}, 'Europe/London'),
    ],
    choices: (text) => [
      isNoChoice(text),
      choiceKey(text),
      saysOff('status', text),
      nameInParts({ first: text }),
    ],
    phones: (text) => [comparablePhone(text, 'BD'), comparablePhone(text, undefined)],
    names: (text) => [fold(text), printable(text), withoutPatient({ doctor: text, appointment_date: text })],
    ...Object.fromEntries(Object.entries(contentTypes).map(([name, type]) => [`body ${name}`, body(type)])),
    ...Object.fromEntries(presets),
    'authorization header': (text) => intake.authorize(intakeRequest('', { authorization: text })),
    'signature header': (text) =>
      intake.authorize(
        intakeRequest('', { 'webhook-signature': text, 'webhook-id': text, 'webhook-timestamp': text }),
      ),
    'dropped CSV': (text) => openDropped(Buffer.from(text), {}, never),
    'CSV row': (text) =>
      readRow([text, text, text, text], {
        headers: ['name', 'phone', 'date', 'time'],
        map: {
          patient_name: [0],
          patient_phone: [1],
          appointment_date: [2],
          appointment_time: [3],
          ref: [0],
        },
        dateFormat: 'DD/MM/YYYY',
      }),
    'sheet cell': (text) => [
      cellText(text),
      sameContent({ formula: `=${text}` }, { formula: `=${text} ` }),
      sameContent(text, `${text} `),
    ],
    amounts: (text) => [
      amountText(text, 'BHD'),
      moneyText(text, 'BHD', localeOf('de')),
      isSameValue('base_fee', text, `${text}1`),
    ],
    'names to choose from': (text) => [
      withoutNames(text),
      nearNames(text, [{ id: 1, name: text, removed: false }]),
    ],
    'clinic answer': (text) => readJson(Buffer.from(text)),
    'clinic treatments': orRefused((value) => readList('treatments', value, '/treatments')),
    'clinic dentists': orRefused((value) => readList('dentists', value, '/dentists')),
    'clinic website': orRefused((value) => readSingle('website', value, '/website')),
    'clinic treatment': orRefused((value) => readTreatment(value, '/treatments/1')),
    'clinic status': orRefused((value) => readStatus(value, '/appointments/1')),
    'clinic token': orRefused((value) => readToken(value, '/token')),
    'clinic words': (text) =>
      safeWords(text, {
        secrets: ['secret'],
        patient: {
          name: 'Ann Mary Lee',
          phone: '+8801712345678',
          texts: ['3 Some Lane', text.slice(0, 500)],
        },
      }),
    'Retry-After': (text) => retryAfterMs(text, { date: text, now }),
    'path to go to': (text) => [localPath(text), needOf(text)],
    headers: (text) => Promise.all(headersRead(text)),
    addresses: (text) => [addressKey(text), networkOf(text), isOurs(text), trustProxyFromText(text)],
    'names of people': (text) => adminName(text),
    'durations and sizes': (text) => [parseDuration(text), parseBytes(text)],
    'query string': (text) => localPath(new URLSearchParams(text).get('next') ?? undefined),
    'body with files': (text) =>
      readBody(
        {
          payload: Readable.from([Buffer.from(text)]),
          contentType: 'multipart/form-data; boundary=x',
          length: Number.NaN,
          address: '192.0.2.1',
        },
        { bodyBytes: 20, multipartBytes: 100_000 },
        createBodyBudget(1_000_000),
      ).catch((error: { statusCode?: number }) => {
        if (error.statusCode === undefined) throw error;
      }),
    configuration: (text) =>
      fromText(
        text.length % 2 === 0 ? text : `version: 1\nclinics: { main: { base_url: "${text}" } }\n`,
        'fuzz.yaml',
        {
          environment: {},
          findKind: async () => undefined,
          knownKinds: ['csv'],
        },
      ),
  };
}
