import { type Html, html } from '../../../src/platform/html.ts';
import type { ClinicShown } from './clinic-facts.ts';
import { callUs, type PageStyle, page, say } from './page.ts';

/** Where a visitor ends when no page of the clinic's own is configured. */
export const thanksPage = (
  style: PageStyle,
  { name, phone, colour }: ClinicShown,
  ref: string | undefined,
): Html =>
  page(style, {
    title: say(style, 'thanks_title', name),
    colour,
    body: html`<h1>${say(style, 'thanks_title', name)}</h1>
<p>${say(style, 'thanks_text', name)}</p>
${ref !== undefined && html`<p>${style.texts.thanks_ref} <strong class="ref"><bdi>${ref}</bdi></strong></p>`}
${callUs(style, phone)}
<p><a href="form">${style.texts.thanks_again}</a></p>`,
  });

/** Several clinics share the connector: the visitor says first which one. */
export const clinicsPage = (
  style: PageStyle,
  clinics: readonly { clinic: string; name: string | null }[],
  /** The form's address from here. */
  form: string,
): Html =>
  page(style, {
    title: say(style, 'title', null),
    colour: null,
    body: html`<h1>${style.texts.which_clinic}</h1>
<ul class="choices">${clinics.map(({ clinic, name }) => html`<li><a href="${form}?clinic=${clinic}">${name ?? clinic}</a></li>\n`)}</ul>`,
  });
