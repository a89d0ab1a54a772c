import type { NotifyTarget } from '../../config/notify.ts';
import { signer, signingKey } from '../../platform/network/signature.ts';
import { cutText } from '../../platform/text/inert-text.ts';
import type { Message, Words } from '../message.ts';
import type { HttpKind } from './target-answers.ts';

export interface Outgoing {
  /** Id of the delivery, the same on each attempt. */
  id: string;
  attempt: number;
  message: Message;
  words: Words;
  nowMs: number;
  /** Number of the message at the target that this one replaces. */
  replaces?: string | undefined;
  /** The target refused the full form. */
  isPlain: boolean;
}

export interface NotificationRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Build = (target: NotifyTarget, outgoing: Outgoing) => NotificationRequest;

const json = (url: string, body: unknown): NotificationRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Escapes Slack's markup; a `<` in a sentence would start a link. */
const forSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Headers are ASCII; ntfy decodes RFC 2047. */
const header = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** The links of a message, the page first. */
export const linksOf = ({ url, links, open }: Words): { label: string; url: string }[] => [
  ...(url === null ? [] : [{ label: open, url }]),
  ...links,
];

/** A message as plain text: each line with its address, then the links. */
export const paragraphs = (words: Words): string[] =>
  [
    ...words.lines.map(({ text, url }) => (url === undefined ? text : `${text}\n${url}`)),
    words.links.length === 0
      ? (words.url ?? '')
      : linksOf(words)
          .map(({ label, url }) => `${label}: ${url}`)
          .join('\n'),
  ].filter((paragraph) => paragraph !== '');

const slack: Build = ({ settings: { url } }, { words }) =>
  json(url, {
    text: [
      `*${forSlack(words.title)}*`,
      ...words.lines.map(({ text, url: own }) =>
        [words.lines.length > 1 && '•', forSlack(text), own && `<${own}|${words.open}>`]
          .filter(Boolean)
          .join(' '),
      ),
      linksOf(words)
        .map(({ label, url: link }) => `<${link}|${label}>`)
        .join('   '),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  });

/** Text blocks of a card are Markdown; a text run is not, so what people typed cannot become a link. */
const cardText = (text: string, more?: object) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...more }],
});

/** The workflow accepts only adaptive cards. */
const teams: Build = ({ settings: { url } }, { words }) =>
  json(url, {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: words.title, weight: 'Bolder', size: 'Medium', wrap: true },
            ...words.lines.map(({ text, url: own }) =>
              cardText(text, own === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url: own } }),
            ),
          ],
          actions: linksOf(words).map(({ label, url: link }) => ({
            type: 'Action.OpenUrl',
            title: label,
            url: link,
          })),
        },
      },
    ],
  });

/** Longer messages are refused; emoji count twice. */
const TELEGRAM_CHARACTERS = 4_096;
const lengthOf = (text: string): number => text.length;

/** Editing removes the buttons and makes no sound. */
const telegram: Build = ({ settings: { url, token, chat, thread } }, { words, replaces, isPlain }) =>
  json(
    `${url.replace(/(?<!\/)\/+$/, '')}/bot${token}/${replaces === undefined ? 'sendMessage' : 'editMessageText'}`,
    {
      chat_id: chat,
      ...(thread !== '' && !isPlain && replaces === undefined && { message_thread_id: Number(thread) }),
      ...(replaces !== undefined && { message_id: Number(replaces) }),
      text: fitting([words.title, ...paragraphs({ ...words, links: [] })], TELEGRAM_CHARACTERS, lengthOf),
      disable_notification: words.calm,
      ...(words.links.length > 0 && {
        reply_markup: {
          inline_keyboard: [words.links.map(({ label, url: link }) => ({ text: label, url: link }))],
        },
      }),
      link_preview_options: { is_disabled: true },
    },
  );

/** A message with the sequence of an earlier one replaces it (ntfy 2.16 and later; older versions show both). */
const ntfy: Build = ({ settings: { url, token } }, { id, message, words, replaces = id }) => ({
  url,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    ...(message.type !== 'test' && { 'x-sequence-id': replaces }),
    title: header(words.title),
    priority: words.urgent ? 'high' : words.calm ? 'low' : 'default',
    tags: words.calm ? 'white_check_mark' : 'bell',
    ...(words.url !== null && { click: words.url }),
    ...(words.links.length > 0 && {
      actions: header(words.links.map(({ label, url: link }) => `view, ${label}, ${link}`).join('; ')),
    }),
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  },
  body: fitting(
    words.lines.map(({ text }) => text),
    NTFY_BYTES,
    Buffer.byteLength,
  ),
});

/** A longer message would become an attached file. */
const NTFY_BYTES = 4_096;

/** The first lines that fit into the limit. */
function fitting(lines: readonly string[], most: number, sizeOf: (text: string) => number): string {
  let text = '';
  for (const line of lines) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (sizeOf(longer) > most - 4) return `${text}\n…`;
    text = longer;
  }
  return text;
}

/** Longer messages are refused. */
const DISCORD_CHARACTERS = 2_000;

/** With `wait`, it answers with the message, which proves that it took it. */
const discord: Build = ({ settings: { url } }, { words }) => {
  const address = new URL(url);
  address.searchParams.set('wait', 'true');
  const links = linksOf(words).map(({ label, url: link }) => `[${label}](<${link}>)`);
  const end = links.length === 0 ? '' : `\n${links.join(' · ')}`;
  const text = [`**${words.title}**`, ...words.lines.map(({ text: line }) => line)].join('\n');
  // Emoji may count twice there.
  const twice = text.length - [...text].length;
  const content = `${cutText(text, DISCORD_CHARACTERS - end.length - twice)}${end}`;
  return json(address.href, { content, allowed_mentions: { parse: [] } });
};

const gotify: Build = ({ settings: { url, token } }, { words }) => {
  const request = json(`${url.replace(/(?<!\/)\/+$/, '')}/message`, {
    title: words.title,
    message: paragraphs(words).join('\n'),
    priority: words.urgent ? 8 : words.calm ? 1 : 5,
    ...(words.url !== null && { extras: { 'client::notification': { click: { url: words.url } } } }),
  });
  return { ...request, headers: { ...request.headers, 'x-gotify-key': token } };
};

/** Its services cut what is too long for them. */
const apprise: Build = ({ settings: { url } }, { message, words }) => {
  const request = json(url, {
    title: words.title,
    body: paragraphs(words).join('\n') || words.title,
    type: message.type === 'test' ? 'info' : words.urgent ? 'failure' : words.calm ? 'success' : 'warning',
    format: 'text',
  });
  return { ...request, headers: { ...request.headers, accept: 'application/json' } };
};

/** Signed like events, when there is a secret. */
const webhook: Build = ({ settings: { url, secret } }, { id, message, words, nowMs, isPlain }) => {
  const { type, at, count, kinds } = message;
  const items = isPlain ? [] : message.items;
  const body = JSON.stringify({
    type,
    timestamp: at,
    clinic: count === 1 ? (items[0]?.clinic ?? null) : null,
    data: {
      title: words.title,
      text: words.lines.map(({ text }) => text).join('\n'),
      count,
      kinds,
      url: words.url,
      links: words.links,
      // Codes are internal.
      items: items.map(({ state: _state, reason: _reason, fields: _fields, said: _said, ...item }, at) => ({
        ...item,
        ...words.items[at],
      })),
    },
  });
  const key = secret === '' ? undefined : signingKey(secret);
  const signed = key === undefined ? { 'webhook-id': id } : signer([key])({ id, body, nowMs });
  return { url, headers: { 'content-type': 'application/json', ...signed }, body };
};

/** The request for each kind of target; mail is sent otherwise. */
export const requests: Record<HttpKind, Build> = {
  slack,
  teams,
  telegram,
  ntfy,
  discord,
  gotify,
  apprise,
  webhook,
};
