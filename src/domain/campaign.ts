import * as z from 'zod';
import { normalise } from '../platform/json.ts';
import { type Patient, privateFor } from './campaign-privacy.ts';
import { field, schemasOf } from './fields.ts';
import { instantSchema, orNull, textSchema } from './outward.ts';

/** Ad click ids, in order of preference when an address has several. */
const clickIds = ['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid'] as const;
export type ClickIdKind = (typeof clickIds)[number];

/** Parameters that advertisements add to an address. */
export const adParameters = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...clickIds,
] as const;

/** Fields in which a source may state a lead's origin. `campaign` is an alias of `utm_campaign`. */
export const campaignFields = [...adParameters, 'campaign', 'landing_page', 'referrer'] as const;
export type CampaignField = (typeof campaignFields)[number];

/** Other names that forms and tables use for these fields. */
export const campaignLabels: Readonly<Partial<Record<CampaignField, readonly string[]>>> = {
  campaign: ['campaign name'],
  landing_page: ['landing page url', 'page url', 'source url'],
  referrer: ['referer', 'referrer url', 'http referrer'],
};

/** As sent by a source. */
export type SentCampaign = Partial<Record<CampaignField, string>>;

/** The latest campaign of a lead. Its texts are an advertiser's, but any visitor can write an address. */
const originFields = {
  utm_source: field(orNull(textSchema), { from: 'visitor' }),
  utm_medium: field(orNull(textSchema), { from: 'visitor' }),
  campaign: field(orNull(textSchema).meta({ description: 'utm_campaign' }), { from: 'visitor' }),
  utm_term: field(orNull(textSchema), { from: 'visitor' }),
  utm_content: field(orNull(textSchema), { from: 'visitor' }),
  /** `google / cpc`: utm_source and utm_medium, or whichever is present. */
  channel: field(orNull(textSchema).meta({ example: 'google / cpc' }), { from: 'visitor' }),
  click_id: field(orNull(textSchema), { from: 'visitor' }),
  click_id_kind: field(orNull(z.enum(clickIds))),
  landing_page: field(orNull(textSchema), { from: 'visitor' }),
  referrer: field(orNull(textSchema), { from: 'visitor' }),
};
const originSchemas = schemasOf(originFields);
/** A lead's origin as stored: only the campaign-related parts of addresses, and nothing about the patient. */
export type Campaign = z.infer<z.ZodObject<typeof originSchemas>>;

export const touchFields = {
  ...originFields,
  first_campaign: field(orNull(textSchema), { from: 'visitor' }),
  first_channel: field(orNull(textSchema), { from: 'visitor' }),
  /** Null: never came with a campaign. */
  first_touch_at: field(orNull(instantSchema), { kind: 'instant' }),
};
const touchSchemas = schemasOf(touchFields);
/** A lead's latest campaign, and the first one with which its phone number came to the clinic. */
export type Touches = z.infer<z.ZodObject<typeof touchSchemas>>;

const empty = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
export const noCampaign = empty(originFields) as Readonly<Campaign>;
export const untouched = empty(touchFields) as Readonly<Touches>;

export const hasOrigin = (origin: Campaign): boolean => Object.values(origin).some((value) => value !== null);

/** False for a lead of which only the pages are known. */
export const hasCampaign = ({ campaign, channel, click_id, utm_term, utm_content }: Campaign): boolean =>
  [campaign, channel, click_id, utm_term, utm_content].some((value) => value !== null);

/** Maximum length of a stored value; campaign names are far shorter. */
const LONGEST_VALUE = 200;
/** Longer values are no click ids (today's have up to about 250 characters), and a truncated id is useless. */
const LONGEST_CLICK_ID = 512;
/** Maximum length of an address without its query. */
const LONGEST_ADDRESS = 300;
/** Maximum characters that are examined. */
const LONGEST_READ = 4_000;

/**
 * Reads the campaign from what a source sent: form fields first, then the page's address. Omits values that contain the
 * patient's name or phone number or an e-mail address, or that consist only of part of that name. Does not throw.
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

/** A web address. */
function pageOf(given: string | undefined): URL | undefined {
  const url = URL.parse(given?.trim().slice(0, LONGEST_READ) ?? '');
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}

/** Origin and path; the origin alone if the path contains something private or is too long. */
function addressOf(url: URL | undefined, isPrivate: (text: string) => boolean): string | null {
  if (url === undefined || isPrivate(url.hostname)) return null;
  const address = url.origin + url.pathname;
  const fits =
    address.length <= LONGEST_ADDRESS &&
    !isPrivate(url.pathname) &&
    !url.pathname.split('/').some((part) => isPrivate(part));
  return fits ? address : shortened(`${url.origin}/`, LONGEST_ADDRESS);
}

/** The address with its advertising parameters only. */
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

/** A single line without invisible characters, which no campaign name contains. */
const plain = (given: string | null | undefined): string =>
  normalise((given ?? '').slice(0, LONGEST_READ))
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

const shortened = (text: string, most: number): string => text.slice(0, most).toWellFormed().trim();
