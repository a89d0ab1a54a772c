import { isObject, type Json } from '../../platform/json.ts';
import { isWebPage } from '../../platform/network/web-page.ts';
import type { Answer } from './exchange.ts';
import { readJson } from './json-body.ts';

/** A refusal that says nothing about what was asked for: the same call may work soon. */
export type SoftRefusal = 'token' | 'throttled' | 'maintenance';

/** Longer bodies are answers, not refusals. */
const MOST_BYTES = 16_000;

/** In codes such as `rate_limit_exceeded`, and in messages, where a word must not be about the visit itself. */
const words: readonly { means: SoftRefusal; codes: readonly RegExp[]; messages: readonly RegExp[] }[] = [
  {
    means: 'token',
    codes: [
      /token|jwt|unauthenticated|unauthori[sz]ed|auth_?(failed|required|expired|error)|not_?authenticated/,
      /session_?(expired|timeout|timed_out|invalid)|login_?required/,
    ],
    // Practices hand out token numbers to patients; those are not expired or invalid.
    messages: [
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(expired?|invalid|revoked|missing)\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(blacklisted|not valid|required)\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(abgelaufen|ungültig|expirad[oa])\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(inválid[oa]|expiré|invalide)\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(scadut[oa]|non valid[oa]|verlopen)\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(ongeldig|wygasł|nieprawidłowy)\b/i,
      /\b(access.?token|bearer|jwt|token)\b(?! (number|no\b))[^.]{0,40}\b(süresi doldu|geçersiz)\b/i,
      /\b(expired?|invalid|revoked|missing) (access.?|bearer |auth\w* )?(token|jwt)\b(?! (number|no\b))/i,
      /\bunauthenticated\b|\bnot authenticated\b|\bauthentication (failed|required|expired)\b/i,
      /\bunauthori[sz]ed\b|\b(log|sign) ?in again\b|(?<!treatment )\bsession (has |is |was )?(expired|timed out)\b/i,
      /\bsitzung (ist )?abgelaufen\b|\bsession (a )?expirée?|\bsesión (ha )?(expirad[oa]|caducad[oa])\b/i,
      /\bsessione (è )?scaduta\b|\bsessão (expirou|expirada)\b|\bsessie (is )?verlopen\b|\bsesja wygasła/i,
    ],
  },
  {
    means: 'throttled',
    codes: [/\b429\b|rate_?limit|throttl|too_?many_?(requests|calls|attempts)|quota|request_?limit/],
    messages: [
      /\btoo many (requests|calls|attempts)\b|\b(rate|request|call) limit\b|\bthrottl|\bquota exceeded\b/i,
      /\bslow down\b|zu viele (anfragen|aufrufe)|trop de requ[eê]tes|demasiadas (solicitudes|peticiones)/i,
      /troppe richieste|demasiad[oa]s? (pedidos|solicitações)|muitas solicitações|te veel verzoeken/i,
      /zbyt wiele (żądań|zapytań)|çok fazla istek|طلبات كثيرة|बहुत अधिक अनुरोध|অনেক বেশি অনুরোধ/i,
    ],
  },
  {
    means: 'maintenance',
    codes: [
      /\b503\b|maintenance|service_?unavailable/,
      /temporar(y|ily)_?(unavailable|error|failure)|server_?(busy|overload)|overloaded/,
    ],
    messages: [
      /\bmaintenance\b|\bservice (is )?(temporarily |currently )unavailable\b|^service unavailable\b/i,
      /\b(server|system|api|application|database)\b[^.]{0,30}\b(unavailable|busy|overloaded|offline|down)\b/i,
      /\bwartung|\bmantenimiento\b|\bmanutenzione\b|\bmanutenção\b|\bonderhoud\b|\bprzerwa techniczna/i,
      /konserwacj|\bbakım|الصيانة|रखरखाव|রক্ষণাবেক্ষণ/i,
    ],
  },
];

/** Of a complete answer that refuses, whatever its status; undefined for a final refusal and for anything else. */
export function softRefusal({ status, body }: Answer): SoftRefusal | undefined {
  if (body.length > MOST_BYTES || (status >= 200 && status < 300 && !body.includes('false')))
    return undefined;
  const json = readJson(body, { lenient: true });
  if (!json.ok || !isObject(json.value)) return undefined;
  if (status >= 200 && status < 300 && !saysNo(json.value)) return undefined;
  const { error, errors } = json.value;
  const parts = [json.value, error ?? null, ...(Array.isArray(errors) ? errors : [])];
  const said = parts.flatMap((part) =>
    isObject(part) ? [part.error_code, part.code, part.message] : [part],
  );
  const isCode = (one: string) => !one.includes(' ');
  const all = said.filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
  const name = all.filter(isCode).join(' ').toLowerCase().replaceAll(/[.-]/g, '_');
  const texts = all.filter((one) => !isCode(one) || !one.includes('_'));
  const fits = (patterns: readonly RegExp[], text: string) => patterns.some((one) => one.test(text));
  return words.find(({ codes, messages }) => fits(codes, name) || texts.some((text) => fits(messages, text)))
    ?.means;
}

/** Whether this refusal may be about the token: then another one is worth a try. A web page knows of no token. */
export const mayConcernToken = (answer: Answer): boolean =>
  answer.status === 403 ? !isWebPage(answer.body) : softRefusal(answer) === 'token';

/** Only an explicit `success: false`; a server that leaves it out has still answered. */
export const saysNo = (value: Json): boolean =>
  isObject(value) && (value.success === false || value.success === 0 || value.success === 'false');
