import type { IntakeRequest, MirrorView } from '../../../src/connector.ts';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import type { SentCampaign } from '../../../src/domain/campaign.ts';
import { readDate, readTime } from '../../../src/domain/date-time.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { isOwnHost } from '../../../src/platform/network/request-origin.ts';
import { wantsPage } from '../../../src/platform/network/wants-page.ts';
import { readDay } from '../../../src/reading/day.ts';
import { readTimeOfDay } from '../../../src/reading/time-of-day.ts';
import { fieldText } from '../mapping/fields.ts';
import type { MappedForm } from '../mapping/mapping.ts';
import { purposeOf } from '../tool-intake.ts';
import { type Answers, type FormFault, readAnswers } from './answers.ts';
import type { RequestedVisit } from './calendar.ts';
import { campaignOf } from './campaign.ts';
import { captchaField, type PersonProof } from './captcha.ts';
import { type ClinicShown, chosenOf } from './clinic-facts.ts';
import type { Pass } from './form-pass.ts';
import { SENT_HERE } from './here.ts';
import { isClosedAt, openDays } from './hours.ts';
import { isListed, otherSite } from './origin.ts';
import { clinicNamed, type FormParts, lastDaysOf, type ServedClinic, styleFor } from './pages/form-pages.ts';
import type { FormTextName } from './pages/languages.ts';
import type { PageStyle } from './pages/page.ts';
import { ALTCHA_FIELD } from './proof-of-work.ts';

/** A hidden field that only bots fill in. */
const TRAP = '_gotcha';
/** A hidden field of a form that is shown again. */
const AGAIN = 'form_again';

/** The form of one connector while the daemon runs. */
export interface State extends FormParts {
  /** The proof that this form came with, if one is required. */
  proofOf: (answer: string, formId: string) => Promise<PersonProof | undefined>;
}

/** One submission by a visitor. */
export interface SentForm {
  pass: Pass;
  mapped: MappedForm;
  submission: Submission;
  answers: Answers;
  /** Style of the page that it was sent from. */
  style: PageStyle;
  campaign: SentCampaign;
  /** The field that the captcha added to the form. */
  captcha: string;
  /** Undefined when the day or the time is unreadable. */
  visit: RequestedVisit | undefined;
  faults: readonly FormFault[];
  /** Whether it is our form, and its address has lost its query on the way. */
  hasLostQuery: boolean;
  /** False when a script only asks whether it would be accepted. */
  isSent: boolean;
  /** Whether the field was filled in that people do not see. */
  isTrapped: boolean;
  /** Where it came from, when that is neither our page nor a listed website; empty when it hides its name. */
  otherSite: string | undefined;
  /** Whether the form was shown again to its visitor. */
  wasAsked: boolean;
  /** Whether it was sent within a frame that may not leave for another page. */
  isFramed: boolean;
  /** The other website on which the check for people was passed. */
  provenOn?: string;
  /** Set when somebody else sent the same rendered form before. */
  otherPerson?: string | undefined;
}

/** A day or time in another notation, as `10h30`, becomes one where it can mean only one. */
export function withReadVisit(mapped: MappedForm): MappedForm {
  const { fields } = mapped.submission;
  const date = readDay(fieldText(fields.appointment_date));
  const time = readTimeOfDay(fieldText(fields.appointment_time));
  if (date !== undefined) fields.appointment_date = date;
  if (time !== undefined) fields.appointment_time = time;
  return mapped;
}

export async function sentWith(
  state: State,
  request: IntakeRequest,
  body: JsonObject,
  mirror: MirrorView | undefined,
): Promise<SentForm> {
  const pass = state.passes.read({
    submission_id: fieldText(body.submission_id),
    form_token: fieldText(body.form_token),
  });
  const answers = readAnswers(state.settings.form, withoutHiddenFields(body));
  const { origins } = state.settings;
  const page = pageOf(request, origins);
  const mapped = state.map({ kind: 'booking', fields: answers.rest, page });
  const { submission } = mapped;
  const named = clinicNamed(state.clinics, request.query.get('clinic'));
  if (named) submission.clinic ??= named.clinic;
  const { captcha } = state.settings.form;
  const served = pass.state === 'none' ? undefined : clinicNamed(state.clinics, pass.clinic);
  const wasAsked = pass.state === 'none' ? fieldText(body[AGAIN]) !== '' : pass.asked;
  const shown = mirror && served && (await state.facts(mirror, served.clinic));
  return {
    pass,
    mapped,
    submission,
    answers,
    style: styleFor(state, request, { lang: fieldText(body.form_lang), theme: fieldText(body.form_theme) }),
    isFramed: fieldText(body.form_frame) !== '',
    // A form that is shown again is on another page.
    campaign: { ...(page && { landing_page: page }), ...campaignOf((name) => body[name]) },
    visit: requestedVisit(submission, shown?.treatments),
    captcha: captcha === undefined ? '' : fieldText(body[captchaField(captcha)]),
    faults: [
      ...missingContact(submission),
      ...(served && shown ? closedFaults(state, served, shown, submission) : []),
      // Without a pass, it could be asked for ever.
      ...(served || !wasAsked ? unreadableFaults(submission) : []),
      ...answers.faults,
    ],
    hasLostQuery: fieldText(body.form_lang) !== '' && request.path !== '' && !request.query.has(SENT_HERE),
    isSent: purposeOf(request) === 'submission',
    isTrapped: fieldText(body[TRAP]) !== '',
    otherSite: otherSite(request, state.name, {
      listed: origins,
      isFetched: pass.state !== 'none' && pass.fetched,
    }),
    wasAsked,
  };
}

/** The page with the form, unless the form carries one in a field: ours does when another page surrounds it. */
function pageOf({ headers, publicHost }: IntakeRequest, origins: readonly string[]): string | undefined {
  const page = URL.parse(headers.referer ?? '');
  const isOurs = page !== null && (isOwnHost(headers, page, publicHost) || isListed(origins, page));
  return isOurs ? page.href : undefined;
}

/**
 * True when the visitor has to correct the form: both name and phone number missing (one of them is enough to call
 * back), a closed day, an unanswered required question, or something typed that cannot be an answer.
 */
export const mustCorrect = ({ faults }: SentForm): boolean =>
  faults.some(({ text, isTyped }) => isTyped || !contactFaults.includes(text)) ||
  faults.filter(({ text }) => contactFaults.includes(text)).length === contactFaults.length;
const contactFaults: readonly FormTextName[] = ['error_name', 'error_phone'];

function requestedVisit(
  submission: Submission,
  treatments: ClinicShown['treatments'] = [],
): RequestedVisit | undefined {
  const { fields } = submission;
  const date = readDate(fieldText(fields.appointment_date));
  const time = readTime(fieldText(fields.appointment_time));
  if (date === undefined || time === undefined) return undefined;
  const { minutes } = chosenOf(valuesOf(submission), 'treatment', treatments) ?? {};
  return { date, time, ...(minutes !== undefined && { minutes }) };
}

/** None while the clinic is closed on every day that could be chosen instead: intake then holds the request. */
function closedFaults(
  { settings, clock }: State,
  served: ServedClinic,
  { openingHours }: ClinicShown,
  { fields }: Submission,
): FormFault[] {
  const date = readDate(fieldText(fields.appointment_date));
  if (date === undefined) return [];
  const at = { openingHours, nowMs: clock.now(), zone: served.timezone };
  const isClosed = isClosedAt(at, date, readTime(fieldText(fields.appointment_time)));
  const hasOpenDay = openDays(at, lastDaysOf(settings.form, served).list)?.length !== 0;
  return isClosed && hasOpenDay ? [{ field: 'appointment_date', text: 'error_closed' }] : [];
}

/** Whether a browser shows the answer. A field of our own form tells, where a browser's headers do not. */
export const isBrowser = ({ headers }: IntakeRequest, body: JsonObject): boolean =>
  wantsPage(headers) ||
  (body.form_lang !== undefined &&
    headers['sec-fetch-mode'] === undefined &&
    !headers.accept?.includes('application/json'));

export function withoutHiddenFields({
  form_token: _token,
  form_lang: _lang,
  form_theme: _theme,
  form_frame: _frame,
  // Tokens of the captcha; hCaptcha sends its own twice.
  'cf-turnstile-response': _turnstile,
  'h-captcha-response': _hcaptcha,
  [ALTCHA_FIELD]: _altcha,
  'g-recaptcha-response': _twice,
  submission_id: _id,
  [TRAP]: _trap,
  [AGAIN]: _again,
  ...fields
}: JsonObject): JsonObject {
  return fields;
}

/** The shortest numbers of the smallest islands. */
const FEWEST_DIGITS = 4;
const digitsOf = (text: string): number => text.match(/\p{Nd}/gu)?.length ?? 0;

/** Its visitor is still there to be asked. */
function unreadableFaults({ fields }: Submission): FormFault[] {
  const date = fieldText(fields.appointment_date);
  const time = fieldText(fields.appointment_time);
  const phone = fieldText(fields.patient_phone);
  return [
    ...(phone !== '' && digitsOf(phone) < FEWEST_DIGITS
      ? [{ field: 'patient_phone', text: 'error_phone', isTyped: true } as const]
      : []),
    ...(date !== '' && readDate(date) === undefined
      ? [{ field: 'appointment_date', text: 'choose_day' } as const]
      : []),
    ...(time !== '' && readTime(time) === undefined
      ? [{ field: 'appointment_time', text: 'choose_time' } as const]
      : []),
  ];
}

function missingContact({ fields }: Submission): FormFault[] {
  return [
    ...(fields.patient_name === undefined ? [{ field: 'patient_name', text: 'error_name' } as const] : []),
    ...(fields.patient_phone === undefined ? [{ field: 'patient_phone', text: 'error_phone' } as const] : []),
  ];
}

/** What was typed, by this form's field names. */
export const valuesOf = ({ fields }: Submission): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldText(value)]));
