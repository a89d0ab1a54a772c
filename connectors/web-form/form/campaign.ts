import { adParameters, campaignFields, type SentCampaign } from '../../../src/domain/campaign.ts';
import type { Json } from '../../../src/platform/json.ts';
import { asText } from '../mapping/fields.ts';

/** Characters; the longest click ids have some hundred. A longer value is not carried from page to page. */
const LONGEST = 600;

/** From an address, or from the hidden fields of a form. */
export function campaignOf(read: (name: string) => Json | null | undefined): SentCampaign {
  const found: SentCampaign = {};
  for (const name of campaignFields) {
    const value = asText(read(name) ?? undefined);
    if (value !== '' && value.length <= LONGEST) found[name] = value;
  }
  return found;
}

/** The configured thank-you page with the campaign behind it; what its address says itself, such as `{ref}`, stays. */
export function withCampaign(address: string, campaign: SentCampaign): string {
  const [page = '', ...fragment] = address.split('#');
  const own = new URLSearchParams(page.split('?').slice(1).join('?'));
  const more = new URLSearchParams();
  for (const name of adParameters) {
    const value = campaign[name];
    if (value !== undefined && !own.has(name)) more.set(name, value);
  }
  if (more.size === 0) return address;
  const joined = `${page}${page.includes('?') ? '&' : '?'}${more}`;
  return [joined, ...fragment].join('#');
}
