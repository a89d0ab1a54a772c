import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { layout } from './parts/layout.ts';

interface MessagePage {
  locale: Locale;
  title: string;
  text?: Part;
  link?: { href: string; label: string };
  /** Without a header, for the clinic's visitors. */
  bare?: boolean;
}

export const messagePage = ({ locale, title, text, link, bare = false }: MessagePage): string =>
  layout({
    title,
    locale,
    bare,
    body: html`<section class="message"><h1>${title}</h1>${text && html`<p>${text}</p>`}${
      link && html`<p><a href="${link.href}">${link.label}</a></p>`
    }</section>`,
  });

/** Shown after a visitor's form when the clinic has no thank-you page. */
export function thanksPage(locale: Locale, ref: string | undefined): string {
  const { t, rich } = locale;
  const strong = (value: string): Html => html`<strong class="ref"><bdi dir="ltr">${value}</bdi></strong>`;
  return layout({
    title: t('thanks_title'),
    locale,
    bare: true,
    body: html`<section class="message"><h1>${t('thanks_title')}</h1><p>${t('thanks_text')}</p>${
      ref !== undefined && html`<p>${rich('thanks_ref', { ref: strong(ref) })}</p>`
    }</section>`,
  });
}
