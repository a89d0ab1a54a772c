import type { TargetKind } from '../../config/notify.ts';
import { Failure } from '../../platform/failure.ts';
import type { PostAnswer } from '../../platform/network/post.ts';
import { retryAfterMs } from '../../platform/network/retry-after.ts';
import { isWebPage } from '../../platform/network/web-page.ts';
import { cutText } from '../../platform/text/inert-text.ts';
import type { TextName } from '../../texts/texts.ts';
import { remedyOf } from './remedies.ts';

/**
 * What a refusal is about. `later`: it passes by itself · `lasting`: nothing arrives until a person changes something ·
 * `content`: this message alone · `partly`: some were told, others will not be until a person changes something.
 */
type Scope = 'later' | 'lasting' | 'content' | 'partly';

/** A kind of target: what proves that it took a message, and what its refusals mean. */
interface AnswerRules {
  /** What people call it. */
  service: string;
  /** The id of the message there, or an empty text, if the answer proves that it took the message. */
  proof: (text: string, answer: PostAnswer) => string | undefined;
  /** Its own word for a refusal: a code or a sentence of the service, never what we sent. */
  word: (text: string, answer: PostAnswer) => string | undefined;
  /** Words that mean more than the status; the first that fits. */
  known: readonly [word: RegExp, scope: Scope, remedy: TextName][];
}

export type HttpKind = Exclude<TargetKind, 'email'>;

/** A message that may have arrived is repeated under the same id, by which these show or file it once. */
export const repeatable: readonly TargetKind[] = ['email', 'webhook', 'ntfy'];

const read = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
const within = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;

const appriseWords: Readonly<Record<number, string>> = { 204: 'No Content', 424: 'Failed Dependency' };

const answerRules: Record<HttpKind, AnswerRules> = {
  slack: {
    service: 'Slack',
    // Rocket.Chat answers `{"success":true}`, Slack and Mattermost `ok`.
    proof: (text) => (text.trim() === 'ok' || read(text).success === true ? '' : undefined),
    word: (text) => /^[a-z_]{3,60}$/.exec(idOf(read(text).error) ?? text.trim())?.[0],
    known: [
      [/channel_is_archived/, 'lasting', 'slack_archived'],
      [/channel_not_found/, 'lasting', 'slack_channel'],
      [/action_prohibited|posting_to_general|team_disabled/, 'lasting', 'slack_forbidden'],
      [/no_service|no_active_hooks|invalid_token|no_team|user_not_found/, 'lasting', 'slack_gone'],
      [/invalid_payload|no_text|too_many_attachments|msg_too_long/, 'content', 'target_content'],
    ],
  },
  teams: {
    service: 'Teams',
    // A workflow answers 202 and nothing; the connectors before it, `1`.
    proof: (text, { status }) => (status === 202 || text.trim() === '1' ? '' : undefined),
    // The connectors before it wrote with 200 what Teams had answered.
    word: (text) =>
      /^\w{3,60}$/.exec(String(within(read(text).error, 'code') ?? ''))?.[0] ??
      /HTTP error \d{3}/.exec(text)?.[0],
    known: [
      [/HTTP error 4(00|13)/, 'content', 'target_content'],
      [/HTTP error (429|5)/, 'later', 'target_busy'],
      [/NotFound|NotEnabled|Disabled/, 'lasting', 'teams_off'],
      [/Authorization|Authentication|Forbidden|ApiVersion/, 'lasting', 'target_not_there'],
      [/SchemaMismatch|InvalidRequestContent|BodyTooLarge/, 'content', 'target_content'],
    ],
  },
  telegram: {
    service: 'Telegram',
    proof: (text) => (read(text).ok === true ? idOf(within(read(text).result, 'message_id')) : undefined),
    word: (text) => idOf(read(text).description),
    known: [
      [
        /chat not found|PEER_ID_INVALID|chat_id is empty|upgraded|initiate conversation|to bots/,
        'lasting',
        'telegram_chat',
      ],
      [/blocked|kicked|deactivated|not a member|chat was deleted/, 'lasting', 'telegram_out'],
      [/thread not found|TOPIC_(CLOSED|DELETED)/, 'lasting', 'telegram_topic'],
      [/rights|CHAT_(WRITE|SEND_\w+)_FORBIDDEN|CHAT_RESTRICTED|administrator/, 'lasting', 'telegram_rights'],
      [/^Unauthorized|^Not Found/, 'lasting', 'telegram_token'],
    ],
  },
  ntfy: {
    service: 'ntfy',
    proof: (text) => idOf(read(text).id),
    word: (text) => {
      const { code, error } = read(text);
      return [code, error].every((part) => idOf(part) !== undefined) ? `${code} ${error}` : undefined;
    },
    known: [[/daily|quota/, 'later', 'ntfy_quota']],
  },
  discord: {
    service: 'Discord',
    proof: (text) => idOf(read(text).id),
    word: (text) => idOf(read(text).message),
    known: [],
  },
  gotify: {
    service: 'Gotify',
    proof: (text) => idOf(read(text).id),
    word: (text) => idOf(read(text).error),
    known: [],
  },
  apprise: {
    service: 'Apprise',
    // 204: it knows nobody to tell. Its texts are in the language of the server.
    proof: (text, { status }) =>
      status === 204 || isWebPage(text) || idOf(read(text).error) !== undefined ? undefined : '',
    word: (_text, { status }) => appriseWords[status],
    known: [
      [/^No Content$/, 'lasting', 'apprise_nobody'],
      [/^Failed Dependency$/, 'partly', 'apprise_partly'],
    ],
  },
  webhook: {
    service: 'a webhook',
    proof: (text) => (isWebPage(text) ? undefined : ''),
    word: () => undefined,
    known: [],
  },
};

/** What a status means where the target’s word does not say more. */
function byStatus(status: number): [Scope, TextName] {
  if (status < 300) return ['later', 'target_unproven'];
  if (status < 400) return ['lasting', 'target_redirect'];
  if (status === 408 || status === 425 || status === 429) return ['later', 'target_busy'];
  if (status === 401 || status === 403 || status === 407) return ['lasting', 'target_denied'];
  if (status === 404 || status === 410) return ['lasting', 'target_not_there'];
  if ([400, 413, 414, 422, 431].includes(status)) return ['content', 'target_content'];
  return status < 500 ? ['lasting', 'target_refuses'] : ['later', 'target_broken'];
}

const kindOf = { later: 'transient', lasting: 'transient', content: 'refused', partly: 'ambiguous' } as const;

const LONGEST_WAIT_MS = 3_600_000;
const LONGEST_WORD = 120;

interface Asked {
  use: HttpKind;
  host: string;
  /** What must never be shown, even if the target repeats it. */
  secrets: readonly string[];
  nowMs: number;
}

/**
 * The id of the message at the target. Throws `Failure`: `refused` for its content, `transient` and perhaps `lasting`
 * for the target, `ambiguous` when the proof was cut off or only some were told.
 */
export function proofIn(answer: PostAnswer, { use, host, secrets, nowMs }: Asked): string {
  const { service, proof, word, known } = answerRules[use];
  const { status, text } = answer;
  const isTaken = status >= 200 && status < 300;
  const id = isTaken ? proof(text, answer) : undefined;
  if (id !== undefined) return id;
  if (isTaken && !answer.complete) throw unsure(host);
  const saidByTarget = word(text, answer);
  const [, scope, remedy] = (saidByTarget !== undefined &&
    known.find(([pattern]) => pattern.test(saidByTarget))) || ['', ...byStatus(status)];
  const shown = [status, saidByTarget && clean(saidByTarget, secrets)].filter(Boolean).join(' ');
  throw new Failure({
    kind: kindOf[scope],
    lasting: scope === 'lasting' || scope === 'partly',
    status,
    ...remedyOf(remedy, { host, service, answer: shown }),
    retryAfterMs: waitMs(answer, nowMs),
    cause: newNumber(text),
  });
}

/** Named in the header, or in the body, where Telegram and Discord repeat it. */
function waitMs({ retryAfter, text }: PostAnswer, now: number): number | undefined {
  const { parameters, retry_after } = read(text);
  const seconds = Number(within(parameters, 'retry_after') ?? retry_after);
  return retryAfterMs(retryAfter ?? (seconds > 0 ? String(Math.ceil(seconds)) : undefined), {
    now,
    longestMs: LONGEST_WAIT_MS,
  });
}

/** The number of a Telegram group that became a supergroup. */
const newNumber = (text: string): string | undefined =>
  idOf(within(read(text).parameters, 'migrate_to_chat_id'));

/** Where a group of Telegram went that could not be written to. */
export const movedTo = ({ cause }: Failure): string | undefined =>
  typeof cause === 'string' ? cause : undefined;

const clean = (word: string, secrets: readonly string[]): string =>
  cutText(
    secrets
      .filter((secret) => secret.length > 3)
      .reduce((text, secret) => text.replaceAll(secret, '…'), word)
      .replaceAll(/\s+/g, ' ')
      .replace(/\.$/, ''),
    LONGEST_WORD,
  );

export const unsure = (host: string): Failure =>
  new Failure({ kind: 'ambiguous', ...remedyOf('target_unsure', { host }) });
