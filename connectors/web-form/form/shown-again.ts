import type {
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  RefusedVisitor,
} from '../../../src/connector.ts';
import { MINUTE } from '../../../src/platform/duration.ts';
import { parseBody } from '../body.ts';
import { nothingHere } from '../tool-intake.ts';
import { type Doubt, doubts } from './doubts.ts';
import { clinicNamed, render } from './form-pages.ts';
import type { Pass } from './form-pass.ts';
import { isBrowser, type Sent, type State, sentWith, valuesOf } from './sent.ts';
import type { TextName } from './texts.ts';

export type Shown = Extract<IntakeResult, { kind: 'page' }>;

/** Shows the form again after a submission that is not accepted yet. */
export async function showAgain(
  state: State,
  mirror: MirrorView,
  sent: Sent,
  doubt: Doubt | undefined,
): Promise<Shown | IntakeRefusal> {
  const again = doubt === undefined ? 'error_title' : doubts[doubt].again;
  const html = await filledIn(state, mirror, sent, { again, doubt });
  return html === undefined ? nothingHere : { kind: 'page', status: 422, html };
}

const whyRefused: Readonly<Record<RefusedVisitor['why'], TextName>> = {
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
  return filledIn(state, mirror, { ...sent, faults: [] }, { again: whyRefused[why], waitMs });
}

async function filledIn(
  state: State,
  mirror: MirrorView,
  { pass, faults, style, submission, answers, campaign }: Sent,
  { again, waitMs, doubt }: { again: TextName; waitMs?: number; doubt?: Doubt | undefined },
): Promise<string | undefined> {
  const { clinics, passes, name } = state;
  const clinic = clinicNamed(clinics, pass.state === 'none' ? submission.clinic : pass.clinic) ?? clinics[0];
  if (clinic === undefined) return undefined;
  return render(state, style, mirror, clinic, {
    // This page is at /in/NAME itself.
    action: name,
    address: `${name}/form`,
    query: {},
    hidden: { ...passes.issue(clinic.clinic, passOf(pass, doubt)), form_again: 'yes' },
    values: { ...valuesOf(submission), ...answers.values, ...campaign },
    again,
    waitMs,
    faults,
  });
}

/** The same form, shown again; whoever was too quick need not wait anew. */
const passOf = (pass: Pass, doubt: Doubt | undefined): Parameters<State['passes']['issue']>[1] => ({
  asked: true,
  ...(pass.state !== 'none' && doubt !== 'used' && { submissionId: pass.submissionId }),
  ...(pass.state === 'early' && { ageMs: pass.ageMs }),
});
