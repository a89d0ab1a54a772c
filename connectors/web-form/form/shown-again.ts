import type {
  IntakePage,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  RefusedVisitor,
} from '../../../src/connector.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import { fieldsOfPairs, parseBody } from '../body.ts';
import { nothingHere } from '../tool-intake.ts';
import { doubts, type FormDoubt } from './doubts.ts';
import type { Pass } from './form-pass.ts';
import { PAGE_FIELD, SENT_HERE } from './here.ts';
import { clinicNamed, isAnotherPage, render } from './pages/form-pages.ts';
import type { FormTextName } from './pages/languages.ts';
import { isBrowser, type SentForm, type State, sentWith, valuesOf } from './sent.ts';
import { sentByGet } from './troubles.ts';

export type Shown = Extract<IntakeResult, { kind: 'page' }>;

/** Shows the form again after a submission that is not accepted yet. */
export async function showAgain(
  state: State,
  mirror: MirrorView,
  sent: SentForm,
  doubt: FormDoubt | undefined,
): Promise<Shown | IntakeRefusal> {
  const again = doubt === undefined ? 'error_title' : doubts[doubt].again;
  const html = await filledIn(state, mirror, sent, { again, doubt });
  return html === undefined ? nothingHere : { kind: 'page', status: 422, html };
}

/** Characters of a text that comes back from what was too large: sent again, it must not be too large again. */
const LONGEST_READ = 2_000;

const whyRefused: Readonly<Record<RefusedVisitor['why'], FormTextName>> = {
  too_many: 'error_wait',
  unstored: 'error_store',
  unread: 'error_lost',
};

/** The form for a visitor who is refused for now, with as much of what was typed as arrived. */
export async function againFor(
  state: State,
  request: IntakeRequest,
  mirror: MirrorView,
  { why, waitMs = MINUTE }: RefusedVisitor,
): Promise<string | undefined> {
  const parsed = await parseBody(request, state.preset.bodies);
  const body = parsed.ok ? parsed.body : {};
  if (!isBrowser(request, body)) return undefined;
  const sent = await sentWith(state, request, body, mirror);
  const longest = why === 'unread' ? LONGEST_READ : undefined;
  return filledIn(state, mirror, { ...sent, faults: [] }, { again: whyRefused[why], waitMs, longest });
}

/**
 * A form that arrived as GET: a redirect on the way, to https or another host, made a GET of its POST, with its fields
 * in the address, or without. Undefined for the page itself.
 */
export async function sentAsGet(
  state: State,
  request: IntakeRequest,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  if (isAnotherPage(request)) return undefined;
  const { path, query } = request;
  const isOurs = query.has(SENT_HERE) || query.has('form_token');
  const body = fieldsOfPairs([...query].filter(([name]) => !ofAddress.includes(name)));
  const sent = await sentWith(state, request, body, mirror);
  const { patient_name, patient_phone } = sent.submission.fields;
  const hasFields = patient_name !== undefined || patient_phone !== undefined;
  // A form of the website's own may have other names for them; a link has none of these.
  const isNamed = path === '' || query.has('patient_name') || query.has('patient_phone');
  if (!isOurs && !(hasFields && isNamed)) return undefined;
  const again = isOurs ? (hasFields ? 'error_lost' : 'error_unsent') : 'error_review';
  const html = await filledIn(state, mirror, { ...sent, faults: [] }, { again });
  if (html === undefined) return undefined;
  const trouble = isOurs ? sentByGet : undefined;
  if (trouble) state.seen.trouble(trouble);
  return { status: 200, html, trouble };
}

const ofAddress = ['lang', 'theme', PAGE_FIELD, SENT_HERE];

interface Again {
  again: FormTextName;
  waitMs?: number;
  doubt?: FormDoubt | undefined;
  longest?: number | undefined;
}

async function filledIn(
  state: State,
  mirror: MirrorView,
  { pass, faults, style, submission, answers, campaign }: SentForm,
  { again, waitMs, doubt, longest }: Again,
): Promise<string | undefined> {
  const { clinics, passes } = state;
  const clinic = clinicNamed(clinics, pass.state === 'none' ? submission.clinic : pass.clinic) ?? clinics[0];
  if (clinic === undefined) return undefined;
  return render(state, style, mirror, clinic, {
    query: campaign,
    hidden: { ...passes.issue(clinic.clinic, passOf(pass, doubt)), form_again: 'yes' },
    values: { ...cutTo(longest, { ...valuesOf(submission), ...answers.values }), ...campaign },
    again,
    waitMs,
    faults,
  });
}

const cutTo = (longest: number | undefined, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, text.slice(0, longest).toWellFormed()]),
  );

/** The same form, shown again; whoever was too quick need not wait anew. */
const passOf = (pass: Pass, doubt: FormDoubt | undefined): Parameters<State['passes']['issue']>[1] => ({
  asked: true,
  ...(pass.state !== 'none' && doubt !== 'used' && { submissionId: pass.submissionId }),
  ...(pass.state === 'early' && { ageMs: pass.ageMs }),
});
