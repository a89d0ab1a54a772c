import { createHmac } from 'node:crypto';
import type {
  HttpIntake,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  PageSources,
} from '../../../src/connector.ts';
import type { FieldFault, Submission } from '../../../src/domain/bookings/booking.ts';
import { phoneEnd } from '../../../src/domain/phone.ts';
import { SECOND } from '../../../src/platform/duration.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import { html, toText } from '../../../src/platform/text/html.ts';
import { bearer, proofFault, unauthorized } from '../authentication/proof.ts';
import { type ParsedBody, parseBody, parseSaved } from '../body.ts';
import { fieldText } from '../mapping/fields.ts';
import type { MappedForm } from '../mapping/mapping.ts';
import type { WebFormSettings } from '../settings.ts';
import { purposeOf } from '../tool-intake.ts';
import { everyAnswer, readAnswers, withAnswers } from './answers.ts';
import { withCampaign } from './campaign.ts';
import { captchaCheck, captchaSources, isProvider } from './captcha.ts';
import { createClinicFacts } from './clinic-facts.ts';
import { doubts, type FormDoubt, heldFor } from './doubts.ts';
import { createFormPasses } from './form-pass.ts';
import { PAGE_FIELD } from './here.ts';
import { isFormHost } from './origin.ts';
import { type FormParts, pageAt } from './pages/form-pages.ts';
import { pageSources } from './pages/look.ts';
import { proofOfWork } from './proof-of-work.ts';
import {
  isBrowser,
  mustCorrect,
  type SentForm,
  type State,
  sentWith,
  withoutHiddenFields,
  withReadVisit,
} from './sent.ts';
import { againFor, type Shown, sentAsGet, showAgain } from './shown-again.ts';
import { troubleOf } from './troubles.ts';

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
  const proofOf: State['proofOf'] = async (answer, formId) => {
    if (asked) return asked(formId, answer);
    return captcha === undefined || (await proof.isSolved(formId, answer)) ? {} : undefined;
  };
  const map: State['map'] = (reading) => withReadVisit(parts.map(reading));
  const state: State = { ...parts, map, facts, passes, proof, proofOf };
  const { visitor_10_minutes, visitor_day, form_hour, shared } = settings.limits;
  return {
    visitors: { tenMinutes: visitor_10_minutes, day: visitor_day, everybodyHour: form_hour, shared },
    framedBy: settings.origins,
    pageSources: sourcesOf(settings),
    authorize: (request) => proofFault([bearer], request, settings, clock.now()),
    receive: (request, mirror) =>
      purposeOf(request) === 'rehearsal' ? rehearse(state, request) : receive(state, request, mirror),
    setup: (address, link) => ({ embed: embedCode(address, link), sites: settings.origins }),
    accepted: parts.seen.accepted,
    trouble: parts.seen.trouble,
    // As old as if a visitor had taken ten seconds.
    probe: (lead) => ({
      ...probeOf(lead, {
        hidden: {
          ...everyAnswer(settings.form),
          ...passes.issue(lead.clinic, { submissionId: lead.id, ageMs: 10 * SECOND }),
        },
      }),
      page: `form?clinic=${encodeURIComponent(lead.clinic)}`,
    }),
    async sample(request): Promise<IntakeResult> {
      const parsed = await parseSaved(request);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'submission', ...tried(state, parsed.body) };
    },
    again: (request, mirror, refused) => againFor(state, request, mirror, refused),
    async phone(mirror) {
      const [only, ...others] = state.clinics;
      if (only === undefined || others.length > 0) return undefined;
      return (await facts(mirror, only.clinic)).phone ?? undefined;
    },
    page: async (request, mirror) =>
      (await sentAsGet(state, request, mirror)) ?? pageAt(state, request, mirror),
  };
}

/** A link, and a frame whose height the script sets. */
const embedCode = (address: string, link: string): string =>
  [
    html`<a href="${address}/form">${link}</a>`,
    '',
    html`<iframe src="${address}/form" title="${link}" width="100%" height="1600" frameborder="0"></iframe>`,
    html`<script src="${address}/embed.js" async></script>`,
  ]
    .map((line) => (typeof line === 'string' ? line : toText(line)))
    .join('\n');

/** What the form's pages load besides their own styles and pictures. */
function sourcesOf({ form }: WebFormSettings): PageSources {
  const { 'script-src': captcha = [], ...more } = form.captcha ? captchaSources(form.captcha) : {};
  return { ...pageSources(form.look), ...more, 'script-src': ["'self'", ...captcha] };
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
function tried({ map, settings }: State, body: JsonObject): MappedForm {
  const answers = readAnswers(settings.form, withoutHiddenFields(body));
  const mapped = map({ kind: 'booking', fields: answers.rest });
  return { ...mapped, submission: withAnswers(mapped.submission, answers) };
}

async function receive(state: State, request: IntakeRequest, mirror?: MirrorView): Promise<IntakeResult> {
  const { seen } = state;
  const parsed = await parseBody(request, state.preset.bodies);
  if (!parsed.ok) {
    seen.refusal(parsed.refusal.message);
    const html = mirror && (await againFor(state, request, mirror, { why: 'unread' }));
    return html === undefined ? parsed.refusal : { kind: 'page', status: parsed.refusal.status, html };
  }
  const visitor = isBrowser(request, parsed.body) ? mirror : undefined;
  const sent = await sentWith(state, request, parsed.body, mirror);
  const doubt = doubtOf(sent) ?? (await unprovenDoubt(state, sent, request, mirror));
  const trouble = troubleOf(doubt, sent, request, { name: state.name, origins: state.settings.origins });
  const isProven = visitor !== undefined || sent.pass.state === 'good';
  if (trouble && isProven) seen.trouble(trouble);
  const result = await judged(state, sent, doubt, visitor);
  return result.kind === 'refused' ? result : { ...result, trouble };
}

async function judged(
  state: State,
  sent: SentForm,
  doubt: FormDoubt | undefined,
  visitor: MirrorView | undefined,
): Promise<Shown | Accepted | IntakeRefusal> {
  if (visitor && (mustCorrect(sent) || mustAsk(sent, doubt))) return showAgain(state, visitor, sent, doubt);
  const isVisitor = visitor !== undefined;
  if (doubt === undefined) return { ...accepted(state, sent), isVisitor };
  const held = heldFor(doubt, sent.captcha);
  if (held && (isVisitor || sent.pass.state === 'good')) return { ...accepted(state, sent, held), isVisitor };
  state.seen.refusal(tokenFault);
  return unauthorized(
    tokenFault,
    'Load the form at /in/CONNECTOR/form and send its hidden fields, some seconds later.',
  );
}

/** What the submission itself gives reason to doubt. */
function doubtOf({ pass, isTrapped, otherSite, wasAsked }: SentForm): FormDoubt | undefined {
  if (pass.state === 'none') return 'no_pass';
  if (pass.state !== 'good') return pass.state;
  if (isTrapped) return 'trap';
  return otherSite !== undefined && !wasAsked ? 'other_site' : undefined;
}

/** Looked for only in what is otherwise complete, because the answer to a captcha may be good for one question. */
async function unprovenDoubt(
  { settings, proofOf }: State,
  sent: SentForm,
  request: IntakeRequest,
  mirror: MirrorView | undefined,
): Promise<FormDoubt | undefined> {
  const { pass, isSent, captcha, submission } = sent;
  if (!isSent || pass.state !== 'good' || mustCorrect(sent)) return undefined;
  const proof = await proofOf(captcha, pass.submissionId);
  if (proof === undefined) return 'no_proof';
  if (proof.host !== undefined && !isFormHost(request, proof.host, settings.origins)) {
    sent.provenOn = proof.host;
    return 'other_host';
  }
  const { clinic, submissionId } = pass;
  const form = { clinic, submissionId, key: settings.token ?? '' };
  sent.otherPerson = mirror && (await otherPerson(mirror, form, submission));
  // An answer to a captcha is good for one booking.
  return sent.otherPerson !== undefined && settings.form.captcha ? 'used' : undefined;
}

const mustAsk = ({ wasAsked }: SentForm, doubt: FormDoubt | undefined): boolean =>
  doubt !== undefined && !(wasAsked && doubts[doubt].held !== undefined);

type Accepted = Extract<IntakeResult, { kind: 'submission' }>;

const tokenFault = 'The form’s token is missing, too new or too old';

function accepted(state: State, sent: SentForm, held?: FieldFault): Accepted {
  const { settings, seen, passes, clinics } = state;
  const { pass, campaign, isSent } = sent;
  const submission: Submission = withAnswers(sent.submission, sent.answers);
  // The form's own id: sent twice it is one booking; with other content (back button), it is held beside the first. A
  // cached page gives it to strangers, too: another person's submission is a lead of its own.
  if (pass.state !== 'none')
    Object.assign(submission, {
      clinic: pass.clinic,
      submission_id: [pass.submissionId, sent.otherPerson].filter(Boolean).join('.'),
    });
  if (held) submission.problems = [...(submission.problems ?? []), held];
  const receipt = isSent ? seen.submission(sent.mapped) : undefined;
  const visit = sent.visit && { visit: passes.sealed(JSON.stringify(sent.visit)) };
  const clinic = submission.clinic ?? clinics[0]?.clinic ?? '';
  const { lang, theme } = sent.style;
  const own = { [PAGE_FIELD]: 'thanks', clinic, lang, ...(theme && { theme }), ...visit };
  const ownPage = `${sent.style.here(own)}&ref={ref}`;
  const thanks = withCampaign(sent.isFramed ? ownPage : (settings.thanks ?? ownPage), campaign);
  return { kind: 'submission', submission, thanks, ...(receipt && { receipt }) };
}

interface Person {
  name: string;
  phone: string;
}

const personOf = (name: string, phone: string): Person => ({
  name: fold(name),
  phone: phoneEnd(phone),
});

/** Nothing is shared by two who left a field empty. */
const isOne = (one: Person, other: Person): boolean =>
  [one.name, one.phone].every((text) => text === '') ||
  (one.name !== '' && one.name === other.name) ||
  (one.phone !== '' && one.phone === other.phone);

/**
 * What tells a person from the one who first sent the same rendered form; undefined for that one. A page that something
 * in front keeps for everybody has the same id for strangers: who shares neither name nor number with the stored lead
 * is another person.
 */
async function otherPerson(
  view: MirrorView,
  { clinic, submissionId, key }: { clinic: string; submissionId: string; key: string },
  { fields }: Pick<Submission, 'fields'>,
): Promise<string | undefined> {
  const [first] = await view.ownBookingsBySubmission(clinic, [submissionId]);
  const person = personOf(fieldText(fields.patient_name), fieldText(fields.patient_phone));
  if (first === undefined || isOne(personOf(first.patient_name ?? '', first.patient_phone ?? ''), person))
    return undefined;
  return createHmac('sha256', key)
    .update(`clinic-sync person\n${person.name || person.phone}`)
    .digest('base64url')
    .slice(0, 16);
}
