import { adParameters, campaignFields, type SentCampaign } from '../../../src/domain/campaign.ts';
import type { Json } from '../../../src/platform/json.ts';
import { fieldText } from '../mapping/fields.ts';

/** Characters; the longest click ids have several hundred. Longer values are not carried from page to page. */
const LONGEST = 600;

/** Reads a campaign from an address, or from a form's hidden fields. */
export function campaignOf(read: (name: string) => Json | null | undefined): SentCampaign {
  const found: SentCampaign = {};
  for (const name of campaignFields) {
    const value = fieldText(read(name) ?? undefined);
    if (value !== '' && value.length <= LONGEST) found[name] = value;
  }
  return found;
}

/** The configured thank-you address with the campaign added; its own parameters, such as `{ref}`, stay. */
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
