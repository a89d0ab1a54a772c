import { asText } from '../mapping/fields.ts';

/** What advertisements add to an address. None of it says anything about the visitor's health. */
export const campaignFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
] as const;

export type Campaign = Readonly<Partial<Record<(typeof campaignFields)[number], string>>>;

/** Characters; the longest click ids have some hundred. */
const LONGEST = 300;

/** From an address, or from the hidden fields of a form. */
export function campaignOf(read: (name: string) => unknown): Campaign {
  const found: Partial<Record<(typeof campaignFields)[number], string>> = {};
  for (const name of campaignFields) {
    const value = asText(read(name) as Parameters<typeof asText>[0]);
    if (value !== '' && value.length <= LONGEST) found[name] = value;
  }
  return found;
}

/** The configured thank-you page with the campaign behind it; what its address says itself, such as `{ref}`, stays. */
export function withCampaign(address: string, campaign: Campaign): string {
  const [page = '', ...fragment] = address.split('#');
  const own = new URLSearchParams(page.split('?').slice(1).join('?'));
  const more = new URLSearchParams(Object.entries(campaign).filter(([name]) => !own.has(name)));
  if (more.size === 0) return address;
  const joined = `${page}${page.includes('?') ? '&' : '?'}${more}`;
  return [joined, ...fragment].join('#');
}
