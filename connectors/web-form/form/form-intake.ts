import { hash } from 'node:crypto';
import type { HttpIntake, IntakeRequest, IntakeResult, MirrorView } from '../../../src/connector.ts';
import type { FieldFault, Submission } from '../../../src/domain/booking.ts';
import { bookingRefPattern } from '../../../src/domain/booking-ref.ts';
import { toText } from '../../../src/platform/html.ts';
import { canonical, type Json, type JsonObject } from '../../../src/platform/json.ts';
import { bearer, proofFault, unauthorized } from '../authentication/proof.ts';
import { type ParsedBody, parseBody, parseSaved } from '../body.ts';
import { asText } from '../mapping/fields.ts';
import type { Mapped } from '../mapping/mapping.ts';
import { type IntakeParts, nothingHere, purposeOf } from '../tool-intake.ts';
import { type ClinicFacts, createClinicFacts } from './clinic-facts.ts';
import { formPage } from './form-page.ts';
import { createFormPasses, type FormPasses, type HiddenFields, type Pass } from './form-pass.ts';
import { originFault } from './origin.ts';
import { clinicsPage, type PageStyle, pageStyle, thanksPage } from './page.ts';
import type { TextName } from './texts.ts';

/** A hidden field that only programs fill in. */
const TRAP = '_gotcha';
/** How many forms are remembered with their first content, to notice a second submission that differs. */
const REMEMBERED = 1_000;
const DEFAULT_HORIZON_DAYS = 365;

const whyAgain: Record<Exclude<Pass['state'], 'good'>, TextName> = {
  early: 'error_early',
  late: 'error_late',
  none: 'error_review',
};

interface FormParts extends IntakeParts {
  clinics: readonly { clinic: string; timezone: string; horizonDays?: number }[];
}

/** The form of one connector while the daemon runs. */
interface State extends FormParts {
  style: PageStyle;
  facts: ClinicFacts;
  passes: FormPasses;
  /** The content first submitted with a rendered form, by its id. */
  sentBefore: Map<string, string>;
}

/**
 * A form in a web page, ours or the clinic's own. It has no secret, so three things stand in for one: its origin, a token
 * that we signed, and the time it takes to fill in. Without them the filled-in form is shown again; a person sends it once
 * more, a program does not.
 */
export function formIntake(parts: FormParts): HttpIntake {
  const { name, settings, clock } = parts;
  const passes = createFormPasses({ key: settings.token ?? '', connector: name, clock });
  const style = pageStyle(settings.form);
  const facts = createClinicFacts(clock, style.lang);
  const state: State = { ...parts, style, facts, passes, sentBefore: new Map() };
  const { visitor_10_minutes, visitor_day, form_hour } = settings.limits;
  return {
    visitors: { tenMinutes: visitor_10_minutes, day: visitor_day, everybodyHour: form_hour },
    framedBy: settings.origins,
    authorize: (request) => proofFault([bearer], request, settings, clock.now()),
    receive: (request, mirror) =>
      purposeOf(request) === 'rehearsal' ? rehearse(state, request) : receive(state, request, mirror),
    accepted: parts.seen.accepted,
    async sample(request): Promise<IntakeResult> {
      const parsed = await parseSaved(request);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'submission', ...parts.map({ kind: 'booking', fields: withoutHidden(parsed.body) }) };
    },
    page: (request, mirror) => pageAt(state, request, mirror),
  };
}

/** With the token, and without the rules that keep programs out. */
async function rehearse(
  { settings, preset, map, seen, clock }: State,
  request: IntakeRequest,
): Promise<IntakeResult> {
  const refusal = proofFault([bearer], request, settings, clock.now());
  const parsed: ParsedBody = refusal ? { ok: false, refusal } : await parseBody(request, preset.bodies);
  if (!parsed.ok) return parsed.refusal;
  const mapped = map({ kind: 'booking', fields: withoutHidden(parsed.body) });
  seen.submission(mapped, { purpose: 'rehearsal' });
  return { kind: 'submission', ...mapped };
}

async function receive(state: State, request: IntakeRequest, mirror?: MirrorView): Promise<IntakeResult> {
  const { passes, map, seen } = state;
  if (request.path !== '') return nothingHere;
  const parsed = await read(state, request);
  if (!parsed.ok) {
    seen.refusal(parsed.refusal.message);
    return parsed.refusal;
  }
  const { body } = parsed;
  if (asText(body[TRAP]) !== '') return { kind: 'ignored', message: 'Thank you' };

  const pass = passes.read({
    submission_id: asText(body.submission_id),
    form_token: asText(body.form_token),
  });
  const mapped = map({ kind: 'booking', fields: withoutHidden(body) });
  const visitor = isBrowser(request) ? mirror : undefined;
  if (pass.state !== 'good') {
    if (visitor) return showAgain(state, visitor, mapped, pass);
    seen.refusal(tokenFault);
    return unauthorized(
      tokenFault,
      'Load the form at /in/CONNECTOR/form and send its hidden fields, some seconds later.',
    );
  }
  // Without a name and a phone number the clinic cannot call back, so there is no lead to keep.
  if (visitor && missingContact(mapped.submission).length === 2)
    return showAgain(state, visitor, mapped, pass);
  return accepted(state, mapped, pass, purposeOf(request) === 'submission');
}

const tokenFault = 'The form’s token is missing, too new or too old';

async function read({ settings, preset }: State, request: IntakeRequest): Promise<ParsedBody> {
  const refusal = originFault(request, settings.origins);
  return refusal ? { ok: false, refusal } : parseBody(request, preset.bodies);
}

/** `isSent` is false when a script only asks whether it would be accepted. */
function accepted(state: State, mapped: Mapped, pass: GoodPass, isSent: boolean): IntakeResult {
  const { name, settings, seen } = state;
  const submission = identified(state, mapped.submission, pass, isSent);
  const receipt = isSent ? seen.submission(mapped) : undefined;
  const own = `${name}/thanks?${new URLSearchParams({ clinic: pass.clinic })}&ref={ref}`;
  return { kind: 'submission', submission, thanks: settings.thanks ?? own, ...(receipt && { receipt }) };
}

type GoodPass = Extract<Pass, { state: 'good' | 'early' | 'late' }>;

/**
 * The submission id is the form's id and a hash of the content, so the same form sent twice is one booking. Sent again
 * with other content (back button, correction) it is held for a person.
 */
function identified({ sentBefore }: State, mapped: Submission, pass: GoodPass, isSent: boolean): Submission {
  const submission: Submission = { ...mapped, clinic: pass.clinic };
  const content = hash('sha256', canonical(submission.fields as Json), 'base64url').slice(0, 16);
  const first = sentBefore.get(pass.submissionId) ?? content;
  if (isSent) sentBefore.set(pass.submissionId, first);
  const oldest = sentBefore.size > REMEMBERED ? sentBefore.keys().next().value : undefined;
  if (oldest !== undefined) sentBefore.delete(oldest);

  submission.submission_id = `${pass.submissionId}.${content}`;
  if (first !== content) submission.problems = [...(submission.problems ?? []), correction];
  return submission;
}

const correction: FieldFault = {
  field: 'booking',
  message:
    'The visitor sent the same form before with other details; this may be a correction of that request.',
};

/** Shows the form again after a submission that is not accepted yet. */
async function showAgain(
  state: State,
  mirror: MirrorView,
  { submission }: Mapped,
  pass: Pass,
): Promise<IntakeResult> {
  const { clinics, passes, name } = state;
  const clinic = clinicNamed(clinics, pass.state === 'none' ? submission.clinic : pass.clinic) ?? clinics[0];
  if (clinic === undefined) return nothingHere;
  const html = await render(state, mirror, clinic, {
    // This page is at /in/NAME itself.
    action: name,
    hidden: passes.issue(clinic.clinic, pass.state === 'none' ? undefined : pass.submissionId),
    values: valuesOf(submission),
    again: pass.state === 'good' ? 'error_title' : whyAgain[pass.state],
    faults: missingContact(submission),
  });
  return { kind: 'page', status: 422, html };
}

type ServedClinic = FormParts['clinics'][number];

const clinicNamed = (clinics: readonly ServedClinic[], name: string | null | undefined) =>
  clinics.find(({ clinic }) => clinic === name);

/** The page at a path: the choice of a clinic, the form, or the thanks. */
async function pageAt(
  state: State,
  { path, query }: IntakeRequest,
  mirror: MirrorView,
): Promise<{ status: number; html: string } | undefined> {
  const { name, clinics, style, passes } = state;
  const clinic = clinics.length === 1 ? clinics[0] : clinicNamed(clinics, query.get('clinic'));
  if (path === 'thanks') return thanksAt(state, query, mirror, clinic ?? clinics[0]);
  // A form that was shown again is at '', and a reload there must work.
  if (path !== 'form' && path !== '') return undefined;
  if (clinic === undefined) {
    const form = path === '' ? `${name}/form` : 'form';
    return { status: 200, html: toText(clinicsPage(style, mirror.clinics, form)) };
  }
  const html = await render(state, mirror, clinic, {
    action: path === '' ? name : `../${name}`,
    hidden: passes.issue(clinic.clinic),
    values: chosen(query),
  });
  return { status: 200, html };
}

async function thanksAt(
  { style, facts }: State,
  query: URLSearchParams,
  mirror: MirrorView,
  clinic: ServedClinic | undefined,
): Promise<{ status: number; html: string } | undefined> {
  if (clinic === undefined) return undefined;
  const ref = query.get('ref')?.match(bookingRefPattern)?.[0];
  const shown = await facts(mirror, clinic.clinic);
  return { status: 200, html: toText(thanksPage(style, shown, ref)) };
}

interface Shown {
  action: string;
  hidden: HiddenFields;
  values: Record<string, string>;
  again?: TextName;
  faults?: { field: string; text: TextName }[];
}

async function render(
  { style, facts, settings, clock }: State,
  mirror: MirrorView,
  { clinic, timezone, horizonDays = DEFAULT_HORIZON_DAYS }: ServedClinic,
  shown: Shown,
): Promise<string> {
  return toText(
    formPage({
      style,
      settings: settings.form,
      wholeWindow: settings.thanks !== undefined,
      shown: await facts(mirror, clinic),
      nowMs: clock.now(),
      zone: timezone,
      daysAhead: Math.min(settings.form.days_ahead ?? horizonDays, horizonDays),
      ...shown,
    }),
  );
}

/** True for a browser that shows the response, false for a script. */
function isBrowser({ headers: { accept = '' } }: IntakeRequest): boolean {
  return accept.includes('text/html') && !accept.includes('application/json');
}

function withoutHidden({
  form_token: _token,
  submission_id: _id,
  [TRAP]: _trap,
  ...fields
}: JsonObject): JsonObject {
  return fields;
}

function missingContact({ fields }: Submission): { field: string; text: TextName }[] {
  return [
    ...(fields.patient_name === undefined ? [{ field: 'patient_name', text: 'error_name' } as const] : []),
    ...(fields.patient_phone === undefined ? [{ field: 'patient_phone', text: 'error_phone' } as const] : []),
  ];
}

/** What was typed, under this form's field names. */
const valuesOf = ({ fields }: Submission): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));

/** `form?treatment_id=7`: a link on a treatment's page can preselect it. */
function chosen(query: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of ['treatment_id', 'doctor_id']) {
    const value = query.get(name);
    if (value !== null) values[name] = value;
  }
  return values;
}
