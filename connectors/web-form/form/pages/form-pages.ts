import type { IntakePage, IntakeRequest, MirrorView, VisitorTrouble } from '../../../../src/connector.ts';
import { bookingRefPattern } from '../../../../src/domain/bookings/booking-ref.ts';
import { adParameters, type SentCampaign } from '../../../../src/domain/campaign.ts';
import { parsedJson } from '../../../../src/platform/json.ts';
import { isOwnHost } from '../../../../src/platform/network/request-origin.ts';
import { type Part, toText } from '../../../../src/platform/text/html.ts';
import { languageFor } from '../../../../src/platform/text/languages.ts';
import type { IntakeParts } from '../../tool-intake.ts';
import type { FormFault } from '../answers.ts';
import { calendarFile, type RequestedVisit } from '../calendar.ts';
import { campaignOf, withCampaign } from '../campaign.ts';
import { captchaElement, isProvider } from '../captcha.ts';
import type { FormClinicFacts } from '../clinic-facts.ts';
import type { FormPasses, HiddenFields } from '../form-pass.ts';
import type { FormSettings } from '../form-settings.ts';
import { hereWith, PAGE_FIELD } from '../here.ts';
import { isListed } from '../origin.ts';
import { type ProofOfWork, proofElement } from '../proof-of-work.ts';
import { browserScript, embedScript } from './browser-script.ts';
import { formPage } from './form-page.ts';
import type { FormTextName } from './languages.ts';
import { formClinicsPage, formThanksPage, offeredLanguages, type PageStyle, pageStyle, say } from './page.ts';

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
  facts: FormClinicFacts;
  passes: FormPasses;
}

export type ServedClinic = FormParts['clinics'][number];

export const clinicNamed = (clinics: readonly ServedClinic[], name: string | null | undefined) =>
  clinics.find(({ clinic }) => clinic === name);

/** The style in the requested language, or else in one that the browser accepts. */
export function styleFor(
  { settings }: Pick<FormParts, 'settings'>,
  { headers, query }: Pick<IntakeRequest, 'headers' | 'query'>,
  /** By the form that was sent; the address says it of a form whose fields did not arrive. */
  sent: { lang?: string; theme?: string } = {},
): PageStyle {
  const accepted = headers['accept-language'];
  const asked = (name: 'lang' | 'theme') => sent[name] || query.get(name)?.match(/^[\w-]+/)?.[0];
  const lang = languageFor(offeredLanguages(settings.form), { asked: asked('lang'), accepted });
  const theme = themes.find((one) => one === asked('theme'));
  return pageStyle(settings.form, { lang, theme, here: hereWith(query) });
}

const themes = ['light', 'dark'] as const;

/** The page at a path: the choice of a clinic, the form, or the thanks. */
export async function pageAt(
  parts: FormParts,
  request: IntakeRequest,
  mirror: MirrorView,
): Promise<IntakePage | undefined> {
  const { name, clinics, passes } = parts;
  const { query } = request;
  const page = pageIn(request);
  if (page === 'embed.js')
    return { status: 200, type: 'text/javascript', html: embedScript(name, adParameters) };
  if (page === 'form.js') return { status: 200, type: 'text/javascript', html: browserScript };
  const style = styleFor(parts, request);
  const clinic = clinics.length === 1 ? clinics[0] : clinicNamed(clinics, query.get('clinic'));
  if (page === 'thanks') return thanksAt(parts, style, query, mirror);
  if (page === CALENDAR) return calendarAt(parts, style, query, mirror);
  // At every other address, too: a person may have mistyped it, or a proxy added to it.
  const status = page === 'form' || page === '' ? 200 : 404;
  if (status === 404 && !isPage(request)) return undefined;
  const kept = { ...valuesIn(query, PRESELECTED), ...arrivedWith(request, parts.settings) };
  if (clinic === undefined) {
    const more = {
      ...kept,
      ...(query.has('lang') && { lang: style.lang }),
      ...(style.theme && { theme: style.theme }),
    };
    return { status, html: toText(formClinicsPage(style, mirror.clinics, more)) };
  }
  const html = await render(parts, style, mirror, clinic, {
    query: kept,
    hidden: passes.issue(clinic.clinic, { fetched: request.headers['sec-fetch-dest'] === undefined }),
    values: kept,
    notice: mayBeLost(request) ? 'error_unsent' : undefined,
  });
  const trouble = frameTrouble(request, parts.settings.origins);
  if (trouble) parts.seen.trouble(trouble);
  return { status, html, trouble };
}

const pageIn = ({ query, path }: IntakeRequest): string => query.get(PAGE_FIELD) ?? path;

/** Whether it is not the form. */
export const isAnotherPage = (request: IntakeRequest): boolean =>
  ['embed.js', 'form.js', 'thanks', CALENDAR].includes(pageIn(request));

/** Whether a window or a frame shows the answer, and not a program, a picture or a style sheet. */
const isPage = ({ headers: { accept = '', 'sec-fetch-dest': destination } }: IntakeRequest): boolean =>
  !accept.includes('application/json') && /^(?:|document|i?frame|object|embed)$/.test(destination ?? '');

/** Where websites post forms of their own; who typed the address sent nothing. */
const mayBeLost = ({ path, query, headers }: IntakeRequest): boolean =>
  path === '' && !query.has(PAGE_FIELD) && headers['sec-fetch-site'] !== 'none';

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
    [PAGE_FIELD]: 'form',
    ...(query.has('lang') && { lang: style.lang }),
    ...(style.theme && { theme: style.theme }),
    ...campaign,
  };
  const visit = visitIn(query, passes);
  const calendar = style.here({
    [PAGE_FIELD]: CALENDAR,
    ...valuesIn(query, ['clinic', 'lang', 'theme', 'visit', 'ref']),
  });
  const asked = visit && { visit, calendar };
  const own = settings.thanks && withCampaign(settings.thanks, campaign).replaceAll('{ref}', ref ?? '');
  return { status: 200, html: toText(formThanksPage(style, shown, { ref, again, asked, own })) };
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

interface ShownForm {
  /** What the page's address says, besides its theme and clinic. */
  query: Readonly<Record<string, string>>;
  hidden: HiddenFields & { form_again?: string };
  values: Readonly<Record<string, string>>;
  again?: FormTextName;
  notice?: FormTextName | undefined;
  /** How long a refused visitor has to wait. */
  waitMs?: number | undefined;
  faults?: readonly FormFault[];
}

export async function render(
  { facts, settings, clock, proof, clinics }: FormParts,
  style: PageStyle,
  mirror: MirrorView,
  served: ServedClinic,
  shown: ShownForm,
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
      query: {
        ...shown.query,
        ...(style.theme && { theme: style.theme }),
        ...(clinics.length > 1 && { clinic: served.clinic }),
      },
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

/** In links such as `form?treatment_id=7`. */
const PRESELECTED = ['treatment_id', 'doctor_id'];

const valuesIn = (query: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']).filter(([, value]) => value !== ''));

/** The frame of a website that `origins` does not list stays empty. */
function frameTrouble({ headers }: IntakeRequest, origins: readonly string[]): VisitorTrouble | undefined {
  const { 'sec-fetch-dest': dest, 'sec-fetch-site': site } = headers;
  const around = URL.parse(headers.referer ?? '');
  if (dest !== 'iframe' || site === 'same-origin' || around === null || isListed(origins, around))
    return undefined;
  return {
    cause: 'frame',
    sentence:
      `Their browsers leave the frame of the form empty: it is on ${around.origin}, which \`origins\` does not ` +
      'list.',
    action:
      'Add that website to `origins` of this connector, and the host of the page builder around it, if there is one.',
  };
}
