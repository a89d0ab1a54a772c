import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '../domain/bookings/refusals.ts';
import type { Failure } from '../platform/failure.ts';
import { wantsPage } from '../platform/network/wants-page.ts';
import { html } from '../platform/text/html.ts';
import { type Locale, localeOf } from '../platform/text/locale.ts';
import { sentences } from '../platform/text/sentences.ts';
import { messagePage } from './pages/message-page.ts';

export const wantsHtml = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => wantsPage(headers);

export interface HttpRefusal {
  status: number;
  message: string;
  hint?: string | undefined;
  /** In seconds. */
  retryAfter?: number | undefined;
  /** The refusal in the catalogue. */
  said?: Failure['refusal'];
}

export const noSuch: HttpRefusal = { status: 404, message: 'There is nothing here' };

/** A refusal's text in the catalogue; undefined where it has none, and for English, whose message is more specific. */
export function refusalText({ isSource, t }: Locale, said: Failure['refusal']): string | undefined {
  const name = refusals.find((one) => one === said?.name);
  return name === undefined || isSource ? undefined : t(`refused_${name}`, { ref: said?.ref ?? '' });
}

/** Answers a refused request: JSON for programs, a small page for people. */
export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: HttpRefusal): FastifyReply {
  const { status, message, hint, retryAfter } = refusal;
  reply.code(status);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (wantsHtml(request)) return sendHtml(reply, refusalPage(request, refusal));
  return reply.send({ ok: false, message, ...(hint !== undefined && { hint }) });
}

/** The refusal in the reader's language; without such a text, the specific message in English. */
function refusalPage({ lang = 'en' }: FastifyRequest, { status, message, hint, said }: HttpRefusal): string {
  const locale = localeOf(lang);
  const known = status === 410 ? 409 : status;
  const code = statuses.find((one) => one === known) ?? (status < 500 ? 400 : 500);
  if (locale.isSource) return messagePage({ locale, title: message, text: hint });
  const text = refusalText(locale, said);
  const detail = text ?? html`<span lang="en" dir="ltr">${sentences(message, hint)}</span>`;
  return messagePage({ locale, title: locale.t(`refusal_${code}`), text: detail });
}

const statuses = [400, 401, 403, 404, 409, 429, 500, 503] as const;

/** One text parameter of the query. */
export const queryText = ({ query }: FastifyRequest, name: string): string | undefined => {
  const { [name]: value } = query as Record<string, unknown>;
  return typeof value === 'string' ? value : undefined;
};

export const sendHtml = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'text/html; charset=utf-8').send(text);

/** Maps a Failure to HTTP: 4xx means change the request, 503 means retry later. */
export function failureRefusal(failure: Failure): HttpRefusal {
  const { kind, message, hint, status, retryAfterMs, refusal } = failure;
  if (kind === 'transient') {
    return { status: 503, message, hint, retryAfter: Math.ceil((retryAfterMs ?? 5_000) / 1_000) };
  }
  const own = status !== undefined && status >= 400 && status < 500 ? status : 409;
  return { status: own, message, hint, said: refusal };
}

/** A redirect target on this server; anything that could lead elsewhere becomes `/`. */
export function localPath(path: string | undefined): string {
  if (path === undefined || path.length > 300) return '/';
  return /^\/(?![/\\])[\w\-./?=&%~:]*$/.test(path) ? path : '/';
}
