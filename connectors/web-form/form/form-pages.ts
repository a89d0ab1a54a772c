import type { IntakePage, IntakeRequest, MirrorView } from '../../../src/connector.ts';
import { bookingRefPattern } from '../../../src/domain/booking-ref.ts';
import { adParameters, type SentCampaign } from '../../../src/domain/campaign.ts';
import { type Part, toText } from '../../../src/platform/html.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import { languageFor } from '../../../src/platform/languages.ts';
import { isOwnHost } from '../../../src/platform/request-origin.ts';
import type { IntakeParts } from '../tool-intake.ts';
import type { FormFault } from './answers.ts';
import { calendarFile, type RequestedVisit } from './calendar.ts';
import { campaignOf } from './campaign.ts';
import { captchaElement, isProvider } from './captcha.ts';
import type { ClinicFacts } from './clinic-facts.ts';
import { embedScript } from './embed.ts';
import { formPage } from './form-page.ts';
import type { FormPasses, HiddenFields } from './form-pass.ts';
import type { FormSettings } from './form-settings.ts';
import { isListed } from './origin.ts';
import { clinicsPage, offeredLanguages, type PageStyle, pageStyle, say, thanksPage } from './page.ts';
import { type ProofOfWork, proofElement } from './proof-of-work.ts';
import type { TextName } from './texts.ts';

const DEFAULT_HORIZON_DAYS = 365;
/** The longest list of open days that is still readable. */
const LISTED_DAYS = 90;

/** The last selectable day, in days from today, of a calendar and of a list of open days. */
export function lastDaysOf(
  { days_ahead }: FormSettings,
  { horizonDays = DEFAULT_HORIZON_DAYS }: ServedClinic,
): Record<'calendar' | 'list', number> {
  const calendar = Math.min(days_ahead ?? horizonDays, horizonDays);
  return { calendar, list: Math.min(days_ahead ?? LISTED_DAYS, calendar) };
}

export interface FormParts extends IntakeParts {
  proof: ProofOfWork;
  clinics: readonly { clinic: string; timezone: string; horizonDays?: number }[];
  facts: ClinicFacts;
  passes: FormPasses;
}

export type ServedClinic = FormParts['clinics'][number];

export const clinicNamed = (clinics: readonly ServedClinic[], name: string | null | undefined) =>
  clinics.find(({ clinic }) => clinic === name);

/** The style in the requested language, or else in one that the browser accepts. */
export function styleFor(
  { settings }: Pick<FormParts, 'settings'>,
  { headers }: Pick<IntakeRequest, 'headers'>,
  asked: string | null,
): PageStyle {
  const accepted = headers['accept-language'];
  const lang = languageFor(offeredLanguages(settings.form), { asked, accepted });
  return pageStyle(settings.form, lang, settings.origins.length > 0);
}

/** The page at a path: the choice of a clinic, the form, or the thanks. */
export async function pageAt(
  parts: FormParts,
  request: IntakeRequest,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const { name, clinics, passes } = parts;
  const { path, query } = request;
  if (path === 'embed.js') return { status: 200, type: 'text/javascript', html: embedScript(adParameters) };
  const style = styleFor(parts, request, query.get('lang'));
  const clinic = clinics.length === 1 ? clinics[0] : clinicNamed(clinics, query.get('clinic'));
  if (path === 'thanks') return thanksAt(parts, style, query, mirror);
  if (path === CALENDAR) return calendarAt(parts, style, query, mirror);
  // A form that is shown again is at '', where a reload must work.
  if (path !== 'form' && path !== '') return undefined;
  const address = path === '' ? `${name}/form` : 'form';
  const kept = { ...chosenIn(query), ...arrivedWith(request, parts.settings) };
  if (clinic === undefined) {
    const more = { ...kept, ...(query.has('lang') && { lang: style.lang }) };
    return { status: 200, html: toText(clinicsPage(style, mirror.clinics, address, more)) };
  }
  const html = await render(parts, style, mirror, clinic, {
    address,
    query: clinics.length === 1 ? kept : { ...kept, clinic: clinic.clinic },
    action: path === '' ? name : `../${name}`,
    hidden: passes.issue(clinic.clinic),
    values: kept,
  });
  return { status: 200, html };
}

async function thanksAt(
  { clinics, facts, passes }: FormParts,
  style: PageStyle,
  query: URLSearchParams,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const clinic = clinicNamed(clinics, query.get('clinic')) ?? clinics[0];
  if (clinic === undefined) return undefined;
  const ref = query.get('ref')?.match(bookingRefPattern)?.[0];
  const shown = await facts(mirror, clinic.clinic);
  const again = { ...(query.has('lang') && { lang: style.lang }), ...campaignOf((name) => query.get(name)) };
  const visit = visitIn(query, passes);
  const asked = visit && { visit, calendar: `${CALENDAR}?${query}` };
  return { status: 200, html: toText(thanksPage(style, shown, ref, again, asked)) };
}

const CALENDAR = 'calendar.ics';

/** The requested visit, sealed into the address of the thank-you page. */
const visitIn = (query: URLSearchParams, passes: FormPasses): RequestedVisit | undefined => {
  const text = passes.unsealed(query.get('visit') ?? '');
  return text === undefined ? undefined : (parsedJson(text) as RequestedVisit | undefined);
};

async function calendarAt(
  { clinics, facts, passes, clock }: FormParts,
  style: PageStyle,
  query: URLSearchParams,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const clinic = clinicNamed(clinics, query.get('clinic')) ?? clinics[0];
  const visit = visitIn(query, passes);
  const ref = query.get('ref')?.match(bookingRefPattern)?.[0];
  if (clinic === undefined || visit === undefined || ref === undefined) return undefined;
  const { name, address } = await facts(mirror, clinic.clinic);
  const text = calendarFile({
    visit,
    zone: clinic.timezone,
    nowMs: clock.now(),
    id: ref,
    title: say(style, 'calendar_title', name),
    about: say(style, 'calendar_text', name),
    location: address,
  });
  return { status: 200, type: 'text/calendar', html: text };
}

export interface Shown {
  action: string;
  address: string;
  query: Readonly<Record<string, string>>;
  hidden: HiddenFields & { form_again?: string };
  values: Readonly<Record<string, string>>;
  again?: TextName;
  faults?: readonly FormFault[];
}

export async function render(
  { facts, settings, clock, proof }: FormParts,
  style: PageStyle,
  mirror: MirrorView,
  served: ServedClinic,
  shown: Shown,
): Promise<string> {
  return toText(
    formPage({
      style,
      settings: settings.form,
      wholeWindow: settings.thanks !== undefined,
      shown: await facts(mirror, served.clinic),
      check: await checkFor(settings.form, { style, proof, formId: shown.hidden.submission_id }),
      nowMs: clock.now(),
      zone: served.timezone,
      daysAhead: lastDaysOf(settings.form, served),
      ...shown,
    }),
  );
}

async function checkFor(
  { captcha }: FormSettings,
  { style, proof, formId }: { style: PageStyle; proof: ProofOfWork; formId: string },
): Promise<Part> {
  if (captcha === undefined) return undefined;
  const { check_help: without, check_wait: wait } = style.texts;
  if (isProvider(captcha)) return captchaElement(captcha, style.lang, without);
  return proofElement(await proof.challenge(formId), { wait, without });
}

/**
 * The campaign in the form's address, or else in that of the page before it, whose link may lack it. A page that frames
 * the form is its landing page; one that links to it is the referrer.
 */
function arrivedWith(
  { query, headers, publicHost }: IntakeRequest,
  { origins }: Pick<FormParts['settings'], 'origins'>,
): SentCampaign {
  const before = URL.parse(headers.referer?.slice(0, LONGEST_REFERRER) ?? '');
  if (before === null || isOwnHost(headers, before, publicHost)) return campaignOf((name) => query.get(name));
  const ads: readonly string[] = adParameters;
  const campaign = campaignOf(
    (name) => query.get(name) ?? (ads.includes(name) ? before.searchParams.get(name) : null),
  );
  // Only sent to addresses with https.
  const { 'sec-fetch-dest': destination } = headers;
  const isFramed = destination === undefined ? isListed(origins, before) : destination !== 'document';
  return { [isFramed ? 'landing_page' : 'referrer']: before.href, ...campaign };
}

/** Characters; longer addresses are not carried from page to page. */
const LONGEST_REFERRER = 600;

/** Preselects a treatment for links such as `form?treatment_id=7`. */
function chosenIn(query: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of ['treatment_id', 'doctor_id']) {
    const value = query.get(name);
    if (value !== null) values[name] = value;
  }
  return values;
}
