import { domainToASCII } from 'node:url';
import type { NotifyTarget } from '../../config/notify.ts';
import { type Html, html, toText } from '../../platform/text/html.ts';
import type { Words } from '../message.ts';
import { linksOf, type Outgoing, paragraphs } from './requests.ts';

/** A mail, with the addresses of its envelope. */
export interface Letter {
  bytes: Buffer;
  from: string;
  to: string[];
}

/** A mail as text and as HTML with buttons; in plain form, as text alone. */
export async function letterOf(
  { from, to }: Pick<NotifyTarget['settings'], 'from' | 'to'>,
  { id, message, words, isPlain }: Outgoing,
): Promise<Letter> {
  const MailComposer = (await import('nodemailer/lib/mail-composer')).default;
  const domain = domainToASCII(addressOf(from).split('@').at(-1) ?? '');
  const [first] = message.items;
  // Everything about one booking is one thread, whichever of its mails is still there.
  const thread =
    message.count === 1 && first !== undefined
      ? `<${[first.kind, first.clinic ?? '', first.subject].map(encodeURIComponent).join('.')}@${domain}>`
      : undefined;
  const mail = new MailComposer({
    from,
    to,
    subject: words.title,
    text: `${paragraphs(words).join('\n\n')}\n`,
    ...(!isPlain && { html: toText(page(words)) }),
    messageId: `<${id}@${domain}>`,
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    priority: words.urgent ? 'high' : 'normal',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }).compile();
  // With domains in the form that mail servers know.
  const envelope = mail.getEnvelope();
  return { bytes: await mail.build(), from: envelope.from || '', to: envelope.to };
}

/** The address in `Front desk <desk@clinic.example>`. */
const addressOf = (mailbox: string): string => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox;

const button =
  'display:inline-block;margin:0 8px 8px 0;padding:10px 16px;border-radius:6px;background:#0b57d0;color:#fff;text-decoration:none';

function page(words: Words): Html {
  const links = linksOf(words);
  return html`<!doctype html>
<html><body dir="auto" style="font:16px/1.5 sans-serif">
${words.lines.map(({ text, url }) => html`<p dir="auto">${text}${url && html`<br><a href="${url}">${words.open}</a>`}</p>\n`)}
${links.length > 0 && html`<p dir="auto">${links.map(({ label, url }) => html`<a href="${url}" style="${button}">${label}</a> `)}</p>`}
</body></html>`;
}
