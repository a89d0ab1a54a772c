import type { IntakePage, IntakeRequest, MirrorView } from '../../../src/connector.ts';
import { bookingRefPattern } from '../../../src/domain/booking-ref.ts';
import { adParameters, type SentCampaign } from '../../../src/domain/campaign.ts';
import { type Part, toText } from '../../../src/platform/html.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import { languageFor } from '../../../src/platform/languages.ts';
import { isOwnHost } from '../../../src/platform/request-origin.ts';
import type { IntakeParts } from '../tool-intake.ts';
import type { FormFault } from './answers.ts';
import { browserScript } from './browser-script.ts';
import { calendarFile, type RequestedVisit } from './calendar.ts';
import { campaignOf, withCampaign } from './campaign.ts';
import { captchaElement, isProvider } from './captcha.ts';
import type { ClinicFacts } from './clinic-facts.ts';
import { embedScript } from './embed.ts';
import { formPage } from './form-page.ts';
import type { FormPasses, HiddenFields } from './form-pass.ts';
import type { FormSettings } from './form-settings.ts';
import { frameTrouble } from './frame-trouble.ts';
import { isListed } from './origin.ts';
import {
  clinicsPage,
  noSuchPage,
  offeredLanguages,
  type PageStyle,
  pageStyle,
  say,
  thanksPage,
} from './page.ts';
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
  { settings, name }: Pick<FormParts, 'settings' | 'name'>,
  { headers, path }: Pick<IntakeRequest, 'headers' | 'path'>,
  asked: { lang: string | null; theme: string | null },
): PageStyle {
  const accepted = headers['accept-language'];
  const lang = languageFor(offeredLanguages(settings.form), { asked: asked.lang, accepted });
  const theme = themes.find((one) => one === asked.theme);
  return pageStyle(settings.form, { lang, theme, folder: path === '' ? `${name}/` : '' });
}

const themes = ['light', 'dark'] as const;

/** The page at a path: the choice of a clinic, the form, or the thanks. */
export async function pageAt(
  parts: FormParts,
  request: IntakeRequest,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const { name, clinics, passes } = parts;
  const { path, query } = request;
  if (path === 'embed.js')
    return { status: 200, type: 'text/javascript', html: embedScript(name, adParameters) };
  if (path === 'form.js') return { status: 200, type: 'text/javascript', html: browserScript };
  const style = styleFor(parts, request, { lang: query.get('lang'), theme: query.get('theme') });
  const clinic = clinics.length === 1 ? clinics[0] : clinicNamed(clinics, query.get('clinic'));
  if (path === 'thanks') return thanksAt(parts, style, query, mirror);
  if (path === CALENDAR) return calendarAt(parts, style, query, mirror);
  // A form that is shown again is at '', where a reload must work.
  if (path !== 'form' && path !== '') return noPage(style, request, name);
  const address = path === '' ? `${name}/form` : 'form';
  const kept = { ...chosenIn(query), ...arrivedWith(request, parts.settings) };
  if (clinic === undefined) {
    const more = {
      ...kept,
      ...(query.has('lang') && { lang: style.lang }),
      ...(style.theme && { theme: style.theme }),
    };
    return { status: 200, html: toText(clinicsPage(style, mirror.clinics, address, more)) };
  }
  const html = await render(parts, style, mirror, clinic, {
    address,
    query: {
      ...kept,
      ...(style.theme && { theme: style.theme }),
      ...(clinics.length > 1 && { clinic: clinic.clinic }),
    },
    action: path === '' ? name : `../${name}`,
    hidden: passes.issue(clinic.clinic),
    values: kept,
  });
  const trouble = frameTrouble(request, parts.settings.origins);
  if (trouble) parts.seen.trouble(trouble);
  return { status: 200, html, trouble };
}

/** Leads a visitor who mistyped an address to the form. */
function noPage(style: PageStyle, { path, headers }: IntakeRequest, name: string): IntakePage | undefined {
  if (headers.accept?.includes('application/json')) return undefined;
  const folder = `${'../'.repeat(path.split('/').length)}${name}/`;
  return { status: 404, html: toText(noSuchPage({ ...style, folder })) };
}

async function thanksAt(
  { clinics, facts, passes, settings }: FormParts,
  style: PageStyle,
  query: URLSearchParams,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const clinic = clinicNamed(clinics, query.get('clinic')) ?? clinics[0];
  if (clinic === undefined) return undefined;
  const ref = query.get('ref')?.match(bookingRefPattern)?.[0];
  const shown = await facts(mirror, clinic.clinic);
  const campaign = campaignOf((name) => query.get(name));
  const again = {
    ...(query.has('lang') && { lang: style.lang }),
    ...(style.theme && { theme: style.theme }),
    ...campaign,
  };
  const visit = visitIn(query, passes);
  const asked = visit && { visit, calendar: `${CALENDAR}?${query}` };
  const own = settings.thanks && withCampaign(settings.thanks, campaign).replaceAll('{ref}', ref ?? '');
  return { status: 200, html: toText(thanksPage(style, shown, { ref, again, asked, own })) };
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
  /** How long a refused visitor has to wait. */
  waitMs?: number | undefined;
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
