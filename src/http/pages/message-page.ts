import { html } from '../../platform/html.ts';
import { layout } from './layout.ts';

/** A page with one message. */
export const messagePage = ({
  title,
  text,
  link,
}: {
  title: string;
  text: string;
  link?: { href: string; label: string };
}): string =>
  layout({
    title,
    body: html`<section class="message"><h1>${title}</h1>${text !== '' && html`<p>${text}</p>`}${
      link && html`<p><a href="${link.href}">${link.label}</a></p>`
    }</section>`,
  });

/** Shown after a visitor's form when the clinic has no thank-you page. */
export const thanksPage = (ref: string | undefined): string =>
  layout({
    title: 'Thank you',
    bare: true,
    body: html`<section class="message"><h1>Thank you</h1><p>Your request has arrived. The clinic will be in touch.</p>${
      ref !== undefined && html`<p>Your reference: <strong class="ref">${ref}</strong></p>`
    }</section>`,
  });
