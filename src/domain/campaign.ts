import type { Instant } from '../platform/clock.ts';
import { westernDigits } from '../platform/digits.ts';
import { fold, foldName } from '../platform/fold.ts';
import { normalise } from '../platform/json.ts';

/** The ad click ids, the one to keep first when an address has several. */
export const clickIds = ['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid'] as const;
export type ClickIdKind = (typeof clickIds)[number];

/** What advertisements add to an address. */
export const adParameters = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...clickIds,
] as const;

/** What a source may say about where a lead came from. `campaign` is the same as `utm_campaign`. */
export const campaignFields = [...adParameters, 'campaign', 'landing_page', 'referrer'] as const;
export type CampaignField = (typeof campaignFields)[number];

/** Names that forms and tables use for them, beside their own. */
export const campaignLabels: Readonly<Partial<Record<CampaignField, readonly string[]>>> = {
  campaign: ['campaign name'],
  landing_page: ['landing page url', 'page url', 'source url'],
  referrer: ['referer', 'referrer url', 'http referrer'],
};

/** As a source sent it. */
export type SentCampaign = Partial<Record<CampaignField, string>>;

/** Where a lead came from, as it is stored: no more of an address than is about the campaign, nothing of the patient. */
export interface Campaign {
  utm_source: string | null;
  utm_medium: string | null;
  /** utm_campaign */
  campaign: string | null;
  utm_term: string | null;
  utm_content: string | null;
  /** `google / cpc`: utm_source and utm_medium; one alone where the other is missing. */
  channel: string | null;
  click_id: string | null;
  click_id_kind: ClickIdKind | null;
  landing_page: string | null;
  referrer: string | null;
}

export const noCampaign: Readonly<Campaign> = {
  utm_source: null,
  utm_medium: null,
  campaign: null,
  utm_term: null,
  utm_content: null,
  channel: null,
  click_id: null,
  click_id_kind: null,
  landing_page: null,
  referrer: null,
};

/** The newest campaign of a lead, and the one with which its phone number first came to the clinic. */
export interface Touches extends Campaign {
  first_campaign: string | null;
  first_channel: string | null;
  /** Null: it never came with a campaign. */
  first_touch_at: Instant | null;
}

export const untouched: Readonly<Touches> = {
  ...noCampaign,
  first_campaign: null,
  first_channel: null,
  first_touch_at: null,
};

export const hasCampaign = (campaign: Campaign): boolean =>
  Object.values(campaign).some((value) => value !== null);

/** Characters of a value that are kept; names of campaigns are far shorter. */
const LONGEST_VALUE = 200;
/** Longer ones are no click ids: those of today have up to some 250 characters. A cut one would be wrong. */
const LONGEST_CLICK_ID = 512;
/** Of an address without its query. */
const LONGEST_ADDRESS = 300;
/** Characters that are looked at. */
const LONGEST_READ = 4_000;

interface Patient {
  patient_name: string | null;
  patient_phone: string | null;
}

/**
 * Reads what a source sent. What the form's fields do not say is looked for in the address of the page; where they
 * contradict each other, the fields count. A value with the patient's name or phone number, or with an e-mail address, is
 * left out, and so is one that is no more than a part of that name. Does not throw.
 */
export function readCampaign(sent: SentCampaign, patient: Patient): Campaign {
  const isPrivate = privateFor(patient);
  const page = pageOf(sent.landing_page);
  const value = (name: CampaignField): string | null => {
    for (const given of [sent[name], page?.searchParams.get(name)]) {
      const text = plain(given);
      if (text !== '' && !isPrivate(text, name)) return shortened(text, LONGEST_VALUE);
    }
    return null;
  };
  const clickId = (name: ClickIdKind): string | undefined =>
    [sent[name], page?.searchParams.get(name)]
      .map((given) => given?.trim() ?? '')
      .find((id) => /^\w[\w.-]*$/.test(id) && id.length <= LONGEST_CLICK_ID && !isPrivate(id));

  const [utm_source, utm_medium] = [value('utm_source'), value('utm_medium')];
  const kind = clickIds.find((name) => clickId(name) !== undefined);
  return {
    utm_source,
    utm_medium,
    campaign: value('utm_campaign') ?? value('campaign'),
    utm_term: value('utm_term'),
    utm_content: value('utm_content'),
    channel: [utm_source, utm_medium].filter((part) => part !== null).join(' / ') || null,
    click_id: (kind && clickId(kind)) ?? null,
    click_id_kind: kind ?? null,
    landing_page: landingPage(page, isPrivate),
    referrer: addressOf(pageOf(sent.referrer), isPrivate),
  };
}

/** An address of the web; without a user, a password and a fragment. */
function pageOf(given: string | undefined): URL | undefined {
  const url = URL.parse(given?.trim().slice(0, LONGEST_READ) ?? '');
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

/** Site and path; the site alone when the path has something private in it or is very long. */
function addressOf(url: URL | undefined, isPrivate: (text: string) => boolean): string | null {
  if (url === undefined || isPrivate(url.hostname)) return null;
  const address = url.origin + url.pathname;
  const fits =
    address.length <= LONGEST_ADDRESS &&
    !isPrivate(url.pathname) &&
    !url.pathname.split('/').some((part) => isPrivate(part));
  return fits ? address : shortened(`${url.origin}/`, LONGEST_ADDRESS);
}

/** With the parameters of advertisements, and no others. */
function landingPage(
  url: URL | undefined,
  isPrivate: (text: string, name?: string) => boolean,
): string | null {
  const address = addressOf(url, isPrivate);
  if (url === undefined || address === null) return null;
  const query = new URLSearchParams();
  for (const name of adParameters) {
    const value = plain(url.searchParams.get(name));
    if (value !== '' && value.length <= LONGEST_VALUE && !isPrivate(value, name)) query.set(name, value);
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

/** One line without invisible characters, which no campaign has in its name. */
const plain = (given: string | null | undefined): string =>
  normalise((given ?? '').slice(0, LONGEST_READ))
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

const shortened = (text: string, most: number): string => text.slice(0, most).toWellFormed().trim();

/** As many digits of a phone number are looked for: with or without its country. */
const TELLING_DIGITS = 8;
const FEWEST_DIGITS = 6;
/** Of a name without spaces: `annlee` may be in a longer word by chance, `annabellelee` is not. */
const TELLING_LETTERS = 7;

/** Mailings fill these with the reader's name: what is a month elsewhere may be a person here. */
const ofOneReader: readonly string[] = ['utm_term', 'utm_content'] satisfies CampaignField[];

const listed = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words around the name of a reader, in what mailings and shops fill in. */
const addressing = listed(
  'hi hello hey dear welcome back for to from by and the of your you my a mr mrs ms miss mx happy birthday thanks thank lead ' +
    'customer client patient user name friend referral referred invited invite',
);
/** Of longer names; languages, countries and articles elsewhere. */
const particles = listed('van von der den del dos das bin ibn');
/** Words of the calendar and of advertising that people are called by, too: who reads them learns of nobody. */
const common = listed(
  'spring summer autumn fall winter january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday easter christmas noel eve valentine valentines ramadan eid holi diwali ' +
    'google bing meta yahoo brand mail cpc organic',
);

/** Whether a text may say who the patient is; `parameter`: what it is the value of. */
function privateFor({ patient_name, patient_phone }: Patient): (text: string, parameter?: string) => boolean {
  const digits = digitsOf(patient_phone ?? '').slice(-TELLING_DIGITS);
  // O'Neil and Anne-Marie are o'neil, oneil and annemarie in an address.
  const names = [patient_name ?? '', fold(patient_name ?? '').replaceAll(/['-]/g, '')].map(wordsOf);
  const parts = new Set(names.flat());
  const joined = names.flatMap((name) => [name.join(''), name.toReversed().join('')]);
  const hasPhone = (text: string) => digits.length >= FEWEST_DIGITS && digitsOf(text).includes(digits);
  const hasName = (words: readonly string[]) =>
    names.some((name) => name.length > 0 && name.every((word) => words.includes(word))) ||
    joined.some((whole) => whole.length >= TELLING_LETTERS && words.join('').includes(whole));
  /** No more than a part of the name, with numbers and words of address around it. */
  const isOfName = (text: string, parameter: string) => {
    const words = lettersOf(text).filter((word) => word.length > 1 && !addressing.has(word));
    const isOfReader = ofOneReader.includes(parameter);
    if (words.length === 0 || !words.every((word) => parts.has(word))) return false;
    if (isOfReader) return true;
    // `an` or `de` alone tells of nobody, but of a source and a language.
    return (
      words.some((word) => word.length > 2 && !particles.has(word)) &&
      !words.every((word) => common.has(word))
    );
  };
  return (text, parameter = '') =>
    writings(text).some(
      (one) => /\S@\S/.test(one) || hasPhone(one) || hasName(wordsOf(one)) || isOfName(one, parameter),
    );
}

const digitsOf = (text: string): string => westernDigits(text).replace(/\D/g, '');
const wordsOf = (text: string): string[] => foldName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
/** Without numbers: `ann2026` is Ann. */
const lettersOf = (text: string): string[] => foldName(text).match(/[\p{L}\p{M}]+/gu) ?? [];

/** The text, and what it is when it was encoded for an address, once or twice. */
function writings(text: string): string[] {
  const all = [text];
  for (let last = text; all.length < 3; all.push(last))
    try {
      last = decodeURIComponent(last.replaceAll('+', ' '));
    } catch {
      break;
    }
  return all;
}
