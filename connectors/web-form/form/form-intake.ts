import type {
  HttpIntake,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  PageSources,
} from '../../../src/connector.ts';
import type { FieldFault, Submission } from '../../../src/domain/booking.ts';
import type { SentCampaign } from '../../../src/domain/campaign.ts';
import { readDate, readTime } from '../../../src/domain/date-time.ts';
import { SECOND } from '../../../src/platform/duration.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { isOwnHost } from '../../../src/platform/request-origin.ts';
import { wantsPage } from '../../../src/platform/wants-page.ts';
import { bearer, proofFault, unauthorized } from '../authentication/proof.ts';
import { type ParsedBody, parseBody, parseSaved } from '../body.ts';
import { asText } from '../mapping/fields.ts';
import type { Mapped } from '../mapping/mapping.ts';
import type { WebFormSettings } from '../settings.ts';
import { nothingHere, purposeOf } from '../tool-intake.ts';
import { type Answers, type FormFault, readAnswers, withAnswers } from './answers.ts';
import type { RequestedVisit } from './calendar.ts';
import { campaignOf, withCampaign } from './campaign.ts';
import { captchaCheck, captchaField, captchaSources, isProvider } from './captcha.ts';
import { type ClinicShown, chosenOf, createClinicFacts } from './clinic-facts.ts';
import { type Doubt, doubts } from './doubts.ts';
import { heightScriptSource } from './embed.ts';
import {
  clinicNamed,
  type FormParts,
  lastDaysOf,
  pageAt,
  render,
  type ServedClinic,
  styleFor,
} from './form-pages.ts';
import { createFormPasses, type Pass } from './form-pass.ts';
import { isClosedAt, openDays } from './hours.ts';
import { pageSources } from './look.ts';
import { isListed, otherSite } from './origin.ts';
import type { PageStyle } from './page.ts';
import { ALTCHA_FIELD, proofOfWork } from './proof-of-work.ts';
import type { TextName } from './texts.ts';

/** A hidden field that only bots fill in. */
const TRAP = '_gotcha';
/** A hidden field of a form that is shown again. */
const AGAIN = 'form_again';

/** The form of one connector while the daemon runs. */
interface State extends FormParts {
  /** Whether this form came with a valid proof, if one is required. */
  isPerson: (answer: string, formId: string) => Promise<boolean>;
}

/** One submission by a visitor. */
interface Sent {
  pass: Pass;
  mapped: Mapped;
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
  /** False when a script only asks whether it would be accepted. */
  isSent: boolean;
  /** Whether the field was filled in that people do not see. */
  isTrapped: boolean;
  /** Where it came from, when that is neither our page nor a listed website. */
  otherSite: URL | undefined;
  /** Whether the form was shown again to its visitor. */
  wasAsked: boolean;
}

/**
 * A form in a web page, ours or the clinic's own. Instead of a secret it has three proofs: its origin, a token that we
 * signed, and the time it takes to fill in. Without them the filled-in form is shown again; a person sends it again, a
 * bot does not.
 */
export function formIntake(parts: Omit<FormParts, 'facts' | 'passes' | 'proof'>): HttpIntake {
  const { name, settings, clock, probeOf } = parts;
  const passes = createFormPasses({ key: settings.token ?? '', connector: name, clock });
  const facts = createClinicFacts(clock);
  const { captcha } = settings.form;
  const proof = proofOfWork({ key: settings.token ?? '', connector: name });
  const asked =
    captcha && isProvider(captcha) ? captchaCheck(captcha, settings.secret ?? '', clock) : undefined;
  const isPerson: State['isPerson'] = async (answer, formId) =>
    captcha === undefined || (asked ? await asked(formId, answer) : await proof.isSolved(formId, answer));
  const state: State = { ...parts, facts, passes, proof, isPerson };
  const { visitor_10_minutes, visitor_day, form_hour } = settings.limits;
  return {
    visitors: { tenMinutes: visitor_10_minutes, day: visitor_day, everybodyHour: form_hour },
    framedBy: settings.origins,
    pageSources: sourcesOf(settings),
    authorize: (request) => proofFault([bearer], request, settings, clock.now()),
    receive: (request, mirror) =>
      purposeOf(request) === 'rehearsal' ? rehearse(state, request) : receive(state, request, mirror),
    accepted: parts.seen.accepted,
    // As old as if a visitor had taken ten seconds.
    probe: (lead) => ({
      ...probeOf(lead, passes.issue(lead.clinic, { submissionId: lead.id, ageMs: 10 * SECOND })),
      page: `form?clinic=${encodeURIComponent(lead.clinic)}`,
    }),
    async sample(request): Promise<IntakeResult> {
      const parsed = await parseSaved(request);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'submission', ...tried(state, parsed.body) };
    },
    page: (request, mirror) => pageAt(state, request, mirror),
  };
}

/** What the form's pages load besides their own styles and pictures. */
function sourcesOf({ form, origins }: WebFormSettings): PageSources {
  const scripts = origins.length > 0 ? [heightScriptSource] : [];
  const { 'script-src': captcha = [], ...more } = form.captcha ? captchaSources(form.captcha) : {};
  const all = [...scripts, ...captcha];
  return { ...pageSources(form.look), ...more, ...(all.length > 0 && { 'script-src': all }) };
}

/** Tries a submission that has the token, without the rules against bots. */
async function rehearse(state: State, request: IntakeRequest): Promise<IntakeResult> {
  const { settings, preset, seen, clock } = state;
  const refusal = proofFault([bearer], request, settings, clock.now());
  const parsed: ParsedBody = refusal ? { ok: false, refusal } : await parseBody(request, preset.bodies);
  if (!parsed.ok) return parsed.refusal;
  const mapped = tried(state, parsed.body);
  seen.submission(mapped, { purpose: 'rehearsal' });
  return { kind: 'submission', ...mapped };
}

/** What a submission would become, without a visitor. */
function tried({ map, settings }: State, body: JsonObject): Mapped {
  const answers = readAnswers(settings.form, withoutHidden(body));
  const mapped = map({ kind: 'booking', fields: answers.rest });
  return { ...mapped, submission: withAnswers(mapped.submission, answers) };
}

async function receive(state: State, request: IntakeRequest, mirror?: MirrorView): Promise<IntakeResult> {
  const { seen } = state;
  if (request.path !== '') return nothingHere;
  const parsed = await parseBody(request, state.preset.bodies);
  if (!parsed.ok) {
    seen.refusal(parsed.refusal.message);
    return parsed.refusal;
  }
  const visitor = isBrowser(request, parsed.body) ? mirror : undefined;
  const sent = await sentWith(state, request, parsed.body, mirror);
  const doubt = doubtOf(sent) ?? (await unprovenDoubt(state, sent));
  if (visitor && (mustCorrect(sent) || mustAsk(sent, doubt)))
    return showAgain(state, visitor, sent, doubt === undefined ? 'error_title' : doubts[doubt].again);
  const { held } = doubt === undefined ? {} : doubts[doubt];
  const isProven = visitor !== undefined || sent.pass.state === 'good';
  if (doubt === undefined || (held && isProven)) return accepted(state, sent, held);
  seen.refusal(tokenFault);
  return unauthorized(
    tokenFault,
    'Load the form at /in/CONNECTOR/form and send its hidden fields, some seconds later.',
  );
}

/** What the submission itself gives reason to doubt. */
function doubtOf({ pass, isTrapped, otherSite, wasAsked }: Sent): Doubt | undefined {
  if (pass.state === 'none') return 'no_pass';
  if (pass.state !== 'good') return pass.state;
  if (isTrapped) return 'trap';
  return otherSite !== undefined && !wasAsked ? 'other_site' : undefined;
}

/** Asked only about what is otherwise complete, because some answers are good for one question. */
async function unprovenDoubt(state: State, sent: Sent): Promise<Doubt | undefined> {
  const { pass, isSent, captcha } = sent;
  if (!isSent || pass.state !== 'good' || mustCorrect(sent)) return undefined;
  return (await state.isPerson(captcha, pass.submissionId)) ? undefined : 'no_proof';
}

const mustAsk = ({ wasAsked }: Sent, doubt: Doubt | undefined): boolean =>
  doubt !== undefined && !(wasAsked && doubts[doubt].held !== undefined);

async function sentWith(
  state: State,
  request: IntakeRequest,
  body: JsonObject,
  mirror: MirrorView | undefined,
): Promise<Sent> {
  const pass = state.passes.read({
    submission_id: asText(body.submission_id),
    form_token: asText(body.form_token),
  });
  const answers = readAnswers(state.settings.form, withoutHidden(body));
  const { origins } = state.settings;
  const page = pageOf(request, origins);
  const mapped = state.map({ kind: 'booking', fields: answers.rest, page });
  const { submission } = mapped;
  const { captcha } = state.settings.form;
  const served = pass.state === 'none' ? undefined : clinicNamed(state.clinics, pass.clinic);
  const shown = mirror && served && (await state.facts(mirror, served.clinic));
  return {
    pass,
    mapped,
    submission,
    answers,
    style: styleFor(state, request, asText(body.form_lang)),
    // A form that is shown again is on another page.
    campaign: { ...(page && { landing_page: page }), ...campaignOf((name) => body[name]) },
    visit: requestedVisit(submission, shown?.treatments),
    captcha: captcha === undefined ? '' : asText(body[captchaField(captcha)]),
    faults: [
      ...missingContact(submission),
      ...(served && shown ? closedFaults(state, served, shown, submission) : []),
      ...answers.faults,
    ],
    isSent: purposeOf(request) === 'submission',
    isTrapped: asText(body[TRAP]) !== '',
    otherSite: otherSite(request, state.name, origins),
    wasAsked: pass.state === 'none' ? asText(body[AGAIN]) !== '' : pass.asked,
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
 * back), a closed day, or an unanswered required question.
 */
const mustCorrect = ({ faults }: Sent): boolean =>
  faults.some(({ text }) => !contactFaults.includes(text)) ||
  faults.filter(({ text }) => contactFaults.includes(text)).length === contactFaults.length;
const contactFaults: readonly TextName[] = ['error_name', 'error_phone'];

function requestedVisit(
  submission: Submission,
  treatments: ClinicShown['treatments'] = [],
): RequestedVisit | undefined {
  const { fields } = submission;
  const date = readDate(asText(fields.appointment_date));
  const time = readTime(asText(fields.appointment_time));
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
  const date = readDate(asText(fields.appointment_date));
  if (date === undefined) return [];
  const at = { openingHours, nowMs: clock.now(), zone: served.timezone };
  const isClosed = isClosedAt(at, date, readTime(asText(fields.appointment_time)));
  const hasOpenDay = openDays(at, lastDaysOf(settings.form, served).list)?.length !== 0;
  return isClosed && hasOpenDay ? [{ field: 'appointment_date', text: 'error_closed' }] : [];
}

const tokenFault = 'The form’s token is missing, too new or too old';

async function accepted(state: State, sent: Sent, held?: FieldFault): Promise<IntakeResult> {
  const { name, settings, seen, passes, clinics } = state;
  const { pass, campaign, isSent } = sent;
  const submission: Submission = withAnswers(sent.submission, sent.answers);
  // The form's own id: sent twice it is one booking; with other content (back button), it is held beside the first.
  if (pass.state !== 'none')
    Object.assign(submission, { clinic: pass.clinic, submission_id: pass.submissionId });
  if (held) submission.problems = [...(submission.problems ?? []), held];
  const receipt = isSent ? seen.submission(sent.mapped) : undefined;
  const visit = sent.visit && { visit: passes.sealed(JSON.stringify(sent.visit)) };
  const clinic = submission.clinic ?? clinics[0]?.clinic ?? '';
  const own = new URLSearchParams({ clinic, lang: sent.style.lang, ...visit });
  const thanks = withCampaign(settings.thanks ?? `${name}/thanks?${own}&ref={ref}`, campaign);
  return { kind: 'submission', submission, thanks, ...(receipt && { receipt }) };
}

/** Shows the form again after a submission that is not accepted yet. */
async function showAgain(
  state: State,
  mirror: MirrorView,
  sent: Sent,
  again: TextName,
): Promise<IntakeResult> {
  const { clinics, passes, name } = state;
  const { pass, faults, style, submission } = sent;
  const clinic = clinicNamed(clinics, pass.state === 'none' ? submission.clinic : pass.clinic) ?? clinics[0];
  if (clinic === undefined) return nothingHere;
  const html = await render(state, style, mirror, clinic, {
    // This page is at /in/NAME itself.
    action: name,
    address: `${name}/form`,
    query: {},
    hidden: { ...passes.issue(clinic.clinic, passOf(pass)), form_again: 'yes' },
    values: { ...valuesOf(submission), ...sent.answers.values, ...sent.campaign },
    again,
    faults,
  });
  return { kind: 'page', status: 422, html };
}

/** The same form, shown again; whoever was too quick need not wait anew. */
const passOf = (pass: Pass): Parameters<State['passes']['issue']>[1] => ({
  asked: true,
  ...(pass.state !== 'none' && { submissionId: pass.submissionId }),
  ...(pass.state === 'early' && { ageMs: pass.ageMs }),
});

/** Whether a browser shows the answer. A field of our own form tells, where a browser's headers do not. */
const isBrowser = ({ headers }: IntakeRequest, body: JsonObject): boolean =>
  wantsPage(headers) ||
  (body.form_lang !== undefined &&
    headers['sec-fetch-mode'] === undefined &&
    !headers.accept?.includes('application/json'));

function withoutHidden({
  form_token: _token,
  form_lang: _lang,
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

function missingContact({ fields }: Submission): FormFault[] {
  return [
    ...(fields.patient_name === undefined ? [{ field: 'patient_name', text: 'error_name' } as const] : []),
    ...(fields.patient_phone === undefined ? [{ field: 'patient_phone', text: 'error_phone' } as const] : []),
  ];
}

/** What was typed, by this form's field names. */
const valuesOf = ({ fields }: Submission): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
