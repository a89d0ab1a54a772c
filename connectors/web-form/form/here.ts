import { campaignFields } from '../../../src/domain/campaign.ts';

/** The page at an address, and the mark of the one that forms are sent to. */
export const PAGE_FIELD = 'form_page';
export const SENT_HERE = 'form_sent';

/** What an address of ours, or a form that was sent by GET, has in its query. */
const ours = new Set<string>([
  ...campaignFields,
  ...['lang', 'theme', 'clinic', 'treatment_id', 'doctor_id', 'treatment', 'doctor', 'visit', 'ref', 'v'],
  ...['submission_id', 'address', 'email', 'note', 'consent', 'time_wish', 'altcha', '_gotcha'],
  ...['validate', 'rehearse'],
]);
const isOurs = (name: string): boolean =>
  ours.has(name) || /^(?:form|patient|appointment|question)_|-response$/.test(name);

/** A site's way to name a page, as `?page=booking` or `?q=/booking`. */
const PAGE_NAME = /^\/?[\w-]+(?:\/[\w-]+)*$/;
const LONGEST = 40;

/** Links to another page of the form. */
export type Here = (parameters: Readonly<Record<string, string>>) => string;

/**
 * The form's pages share the address by which a visitor has opened one, and differ in their query: so they work under
 * whatever address a proxy gives to the form, with or without a slash. What the website itself has in the query stays.
 */
export function hereWith(query: URLSearchParams): Here {
  const kept = [...query].filter((pair) => {
    const [name, value] = pair;
    return !isOurs(name) && pair.every((text) => text.length <= LONGEST) && PAGE_NAME.test(value);
  });
  return (parameters) => `?${new URLSearchParams([...kept, ...Object.entries(parameters)])}`;
}
