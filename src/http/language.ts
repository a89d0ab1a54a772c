import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageFor } from '../platform/text/languages.ts';
import { type Locale, localeOf } from '../platform/text/locale.ts';
import { type Language, languages, loadTexts } from '../texts/texts.ts';
import { readCookie } from './access/cookies.ts';
import { wantsHtml } from './answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent when the address of the request is unreadable. */
    lang?: Language;
  }
}

const COOKIE = 'clinic_sync_lang';
const YEAR_S = 365 * 24 * 60 * 60;

/** Chooses the language of each page: `?lang=`, which is stored in a cookie, then the cookie, then the browser's. */
export function speakLanguages(app: FastifyInstance, publicUrl: URL | undefined): void {
  app.decorateRequest('lang', 'en');
  const speak = async (request: FastifyRequest, reply: FastifyReply) => {
    const { lang: wish } = request.query as { lang?: unknown };
    const asked = languages.find((one) => one === wish);
    const kept = readCookie(request.headers, COOKIE);
    const accepted = request.headers['accept-language'];
    const lang = languageFor(languages, { asked: asked ?? kept, accepted });
    await loadTexts(lang);
    request.lang = lang;
    // A clinic's form has its own languages.
    if (asked !== undefined && asked !== kept && !request.url.startsWith('/in/'))
      reply.header(
        'set-cookie',
        `${COOKIE}=${asked}; Path=${publicUrl?.pathname ?? '/'}; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`,
      );
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!wantsHtml(request)) return done();
    speak(request, reply).then(() => done(), done);
  });
}

/** The locale of a request's page. */
export const localeFor = ({ lang }: Pick<FastifyRequest, 'lang'>, zone?: string): Locale =>
  localeOf(lang ?? 'en', zone);

/** The address of a page without its `lang` parameter. */
export function addressOf(url: string): string {
  const [path = '/', query = ''] = url.split('?', 2);
  const kept = new URLSearchParams(query);
  kept.delete('lang');
  return kept.size === 0 ? path : `${path}?${kept}`;
}
