import type { NotifyTarget } from '../../config/notify.ts';
import type { Memory, OutgoingEvent } from '../../connector.ts';
import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Message, Words } from '../message.ts';
import { type Readers, wordsOf } from '../words.ts';
import { type Mailed, type Refused, sendMail, WATCHED_MS } from './mail.ts';
import { postMessage } from './post-message.ts';
import { remedyOf } from './remedies.ts';
import { type Outgoing, requests } from './requests.ts';
import type { TargetStanding } from './standing.ts';
import { type HttpKind, movedTo } from './target-answers.ts';

export interface Sending extends Omit<Readers, 'language'> {
  clock: Clock;
  signal: AbortSignal;
  /** Awaited before the first byte of a message leaves. */
  leaving?: (() => Promise<void>) | undefined;
  /** Number of the message there that this one replaces. */
  replaces?: string | undefined;
  /** What lasts beyond one message; absent where a message is sent only once. */
  memory?: Memory;
  standing?: TargetStanding;
}

export interface SentNotification {
  /** The id of the message at the target. */
  proof: string;
  /** Why only the plain form was accepted. */
  plain?: Failure;
  /** Recipients of a mail that did not get it. */
  refused: readonly Refused[];
  /** The mail left unencrypted. */
  isOpen?: boolean;
}

/**
 * Sends once; what is refused for its content, once more in plain form. Throws `Failure`: `refused` when the plain form
 * is refused, too.
 */
export async function sendNotification(
  target: NotifyTarget,
  { id, body, attempt = LAST_ATTEMPT }: Pick<OutgoingEvent, 'id' | 'body'> & { attempt?: number },
  sending: Sending,
): Promise<SentNotification> {
  const { clock, patientOf, linksOf, clinics, standing, replaces } = sending;
  const message = JSON.parse(body) as Message;
  const words = await wordsOf(message, {
    language: target.language,
    clinics,
    patientOf: target.includePatient ? patientOf : async () => undefined,
    linksOf,
  });
  // For ntfy, the id of the delivery is also the message's number.
  const former = target.use === 'ntfy' ? message.closes?.deliveries.at(-1) : replaces;
  const outgoing: Outgoing = {
    id,
    attempt,
    message,
    words,
    ...{ nowMs: clock.now(), replaces: former, isPlain: false },
  };
  try {
    return await attempted(target, outgoing, sending);
  } catch (error) {
    // An edit that is refused becomes a new message.
    if (!(error instanceof Failure) || error.kind !== 'refused' || replaces !== undefined) throw error;
    const sent = await attempted(
      target,
      { ...outgoing, words: plain(words, message), isPlain: true },
      sending,
    );
    const answer = /\(([^()]*)\)/.exec(error.message)?.[1] ?? String(error.status ?? '');
    const only = new Failure({
      kind: 'refused',
      ...remedyOf('target_plain', { host: hostOf(target), answer }),
    });
    await standing?.note('content', only);
    return { ...sent, plain: only };
  }
}

const hostOf = ({ use, settings }: NotifyTarget): string =>
  use === 'email' ? settings.mail.host : (URL.parse(settings.url)?.host ?? '');

/** Nothing that a target may dislike: no names, no links, only what it is about. */
const plain = (words: Words, { items, count }: Message): Words => {
  const subjects = items.map(({ subject }) => subject).join(', ');
  const text = count > items.length ? `${subjects} … (${count})` : subjects;
  return { ...words, lines: [{ text }], links: [], items: [], url: null };
};

async function attempted(
  target: NotifyTarget,
  outgoing: Outgoing,
  sending: Sending,
): Promise<SentNotification> {
  if (target.use === 'email') return { proof: '', ...(await mailed(target, outgoing, sending)) };
  return { proof: await posted({ ...target, use: target.use }, outgoing, sending), refused: [] };
}

/** Follows a Telegram group to its new number, and remembers it. */
async function posted(
  target: NotifyTarget & { use: HttpKind },
  outgoing: Outgoing,
  { signal, leaving, memory, standing }: Sending,
): Promise<string> {
  const { chat } = target.settings;
  const post = (to: string) => {
    const settings = { ...target.settings, chat: to };
    const request = requests[target.use]({ ...target, settings }, outgoing);
    return postMessage(request, target, { nowMs: outgoing.nowMs, signal, leaving });
  };
  const [from, known] = (await memory?.get('moved'))?.split(' ') ?? [];
  try {
    return await post(from === chat && known !== undefined ? known : chat);
  } catch (error) {
    const number = error instanceof Failure ? movedTo(error) : undefined;
    if (number === undefined) throw error;
    await memory?.set({ moved: `${chat} ${number}` });
    await standing?.note(
      'moved',
      new Failure({ kind: 'refused', ...remedyOf('telegram_moved', { answer: number }) }),
    );
    return post(number);
  }
}

/** Servers put off a stranger’s first mail for minutes; that is no news before half an hour. */
const GREYLISTED_ATTEMPTS = 9;
/** Of what is sent only once. */
const LAST_ATTEMPT = Number.POSITIVE_INFINITY;

/** To each recipient that does not have it yet. Throws a failure of this message alone while some are put off. */
async function mailed(
  target: NotifyTarget,
  outgoing: Outgoing,
  { signal, memory, standing }: Sending,
): Promise<Mailed> {
  const { settings } = target;
  const key = `accepted ${outgoing.id}`;
  const done = new Set<number>(JSON.parse((await memory?.get(key)) ?? '[]'));
  const places = settings.to.map((_to, place) => place).filter((place) => !done.has(place));
  if (places.length === 0) return { refused: [], isOpen: false };
  const patience = outgoing.attempt === LAST_ATTEMPT ? { patienceMs: WATCHED_MS } : {};
  const sent = await sendMail(settings, outgoing, places, { signal, memory, ...patience });
  const { refused } = sent;
  for (const place of places) {
    const failure = refused.find((one) => one.place === place)?.failure;
    if (failure === undefined || failure.lasting) done.add(place);
    const isUsual = failure?.lasting === false && outgoing.attempt < GREYLISTED_ATTEMPTS;
    await standing?.note(`recipient ${place}`, isUsual ? undefined : failure);
  }
  const putOff = refused.find(({ failure }) => !failure.lasting);
  if (memory === undefined || putOff === undefined) return sent;
  await memory.set({ [key]: JSON.stringify([...done]) });
  const { message, hint, said } = putOff.failure;
  throw new Failure({ kind: 'transient', single: true, message, hint, said });
}
