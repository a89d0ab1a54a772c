import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { domainToASCII } from 'node:url';
import { isThisMachine, type MailServer } from '../../config/mail.ts';
import type { NotifyTarget } from '../../config/notify.ts';
import type { Memory } from '../../connector.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import type { Failure } from '../../platform/failure.ts';
import { type Html, html, toText } from '../../platform/text/html.ts';
import type { Words } from '../message.ts';
import { type MailError, mailFailure, recipientFailure, type Step } from './mail-failures.ts';
import { mailToken } from './mail-token.ts';
import { linksOf, type Outgoing, paragraphs } from './requests.ts';
import { unsure } from './target-answers.ts';

/** Servers delay their greeting for strangers, and look for spam before they answer (RFC 5321, 4.5.3.2). */
const SILENCE_MS = 5 * MINUTE;
/** While a person waits for the result. */
export const WATCHED_MS = MINUTE;

/** The used part of nodemailer, loaded with the first message. */
const load = async () => (await import('nodemailer/lib/smtp-connection')).default;
type Smtp = InstanceType<Awaited<ReturnType<typeof load>>>;

type Settings = Pick<NotifyTarget['settings'], 'mail' | 'from' | 'to'>;

interface Session {
  signal: AbortSignal;
  /** Keeps the newest permission to sign in by token. */
  memory?: Memory | undefined;
  patienceMs?: number;
}

/** A recipient that did not get the mail, by its place in `to`; `lasting` when it never will. */
export interface Refused {
  place: number;
  failure: Failure;
}

/** What became of a mail that at least one recipient has. */
export interface Mailed {
  refused: readonly Refused[];
  /** It left unencrypted. */
  isOpen: boolean;
}

/**
 * Sends one mail to these places of `to`. Throws `Failure`, `ambiguous` only between the last byte of the mail and the
 * reply to it.
 */
export async function sendMail(
  settings: Settings,
  outgoing: Outgoing,
  places: readonly number[],
  session: Session,
): Promise<Mailed> {
  const letter = await letterOf(settings, outgoing);
  return connected(settings.mail, session, async (connection, progress) => {
    const body = Readable.from(
      (function* () {
        progress('DATA');
        yield letter.bytes;
      })(),
    );
    body.once('end', () => progress('end of mail'));
    const to = places.map((place) => letter.to[place] ?? '');
    progress('MAIL');
    // If others have it, a refusal of all the rest is not one of the mail.
    const isRest = places.length < settings.to.length;
    const info = await new Promise<Pick<MailError, 'rejectedErrors'>>((resolve, reject) => {
      connection.send({ from: letter.from, to, size: letter.bytes.length }, body, (error, sent) =>
        error && !(isRest && (error as MailError).rejectedErrors)
          ? reject(error)
          : resolve(sent ?? error ?? {}),
      );
    });
    const refused = (info.rejectedErrors ?? []).map((error) => {
      const place = places[to.indexOf(error.recipient ?? '')] ?? 0;
      return {
        place,
        failure: recipientFailure(error, { place, count: settings.to.length, host: settings.mail.host }),
      };
    });
    return { refused, isOpen: isOpen(connection, settings.mail) };
  });
}

/** Connects, signs in, and disconnects. Resolves to whether mail would leave unencrypted. Throws `Failure`. */
export const reachMailServer = ({ mail }: Settings, session: Session): Promise<boolean> =>
  connected(mail, { ...session, patienceMs: WATCHED_MS }, async (connection) => isOpen(connection, mail));

const isOpen = ({ secure }: Smtp, { host }: MailServer): boolean => !secure && !isThisMachine(host);

async function connected<T>(
  server: MailServer,
  { signal, memory, patienceMs = SILENCE_MS }: Session,
  use: (connection: Smtp, progress: (step: Step) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const token = server.oauth && (await mailToken(server.oauth, memory, signal));
  const SmtpConnection = await load();
  const connection = new SmtpConnection(optionsOf(server, patienceMs));
  const stop = () => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  let step: Step = 'greeting';
  const fault = (error: MailError): Failure =>
    step === 'end of mail' && error.responseCode === undefined
      ? unsure(server.host)
      : mailFailure(error, { host: server.host, step });
  const closed = Promise.withResolvers<never>();
  connection.on('error', closed.reject);
  // A reply that closes the connection comes first, and says more.
  connection.once('end', () => setImmediate(() => closed.reject(new Error('closed'))));
  const run = async () => {
    await new Promise<void>((resolve, reject) => {
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    step = 'sign-in';
    await signIn(connection, server, token);
    return use(connection, (next) => {
      step = next;
    });
  };
  try {
    return await Promise.race([run(), closed.promise]);
  } catch (error) {
    throw fault(error as MailError);
  } finally {
    signal.removeEventListener('abort', stop);
    closed.promise.catch(() => {});
    connection.quit();
    connection.close();
  }
}

async function signIn(
  connection: Smtp,
  { user, password }: MailServer,
  token: string | undefined,
): Promise<void> {
  if (user === '') return;
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2');
  const proof =
    token === undefined
      ? { credentials: { user, pass: password } }
      : { method: 'XOAUTH2', oauth2: new XOAuth2({ user, accessToken: token }) };
  await new Promise<void>((resolve, reject) => {
    connection.login({ user, ...proof }, (error) => (error ? reject(error) : resolve()));
  });
}

function optionsOf({ host, port, secure, tls, ca, user, hello }: MailServer, patienceMs: number) {
  const isLocal = isThisMachine(host);
  return {
    ...{ host, port, secure, name: hello },
    // A password is never sent unencrypted, except to this machine.
    requireTLS: tls === 'required' || (tls === 'auto' && user !== '' && !isLocal),
    ignoreTLS: tls === 'off',
    // A relay on this machine has the certificate that its package made for itself, and nobody is in between.
    ...(isLocal && user === '' && !secure && tls === 'auto' && { tls: { rejectUnauthorized: false } }),
    ...(ca !== '' && { tls: { ca: [...rootCertificates, ca] } }),
    // Until the greeting, which the first counts, too.
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    socketCloseTimeout: SECOND,
  };
}

/** A mail, with the addresses of its envelope. */
interface Letter {
  bytes: Buffer;
  from: string;
  to: string[];
}

/** A mail as text and as HTML with buttons; in plain form, as text alone. */
async function letterOf(
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

/** Outlook pads cells alone, and colours them; all others make the whole button a link. */
const button = {
  table: 'display:inline-block;margin:0 8px 8px 0',
  cell: 'background:#0b57d0;border-radius:6px;mso-padding-alt:10px 16px',
  link: 'display:inline-block;padding:10px 16px;color:#fff;text-decoration:none',
};

function page(words: Words): Html {
  const links = linksOf(words);
  const lineOf = ({ text, url }: Words['lines'][number]) => {
    const link = url && html`<br><a href="${url}">${words.open}</a>`;
    return html`<p dir="auto">${text}${link}</p>\n`;
  };
  const linkOf = ({ label, url }: (typeof links)[number]) =>
    html`
      <table role="presentation" cellpadding="0" cellspacing="0" style="${button.table}"><tr>
        <td style="${button.cell}"><a href="${url}" style="${button.link}">${label}</a></td>
      </tr></table>
    `;
  return html`<!doctype html>
<html><body dir="auto" style="font:16px/1.5 sans-serif">
${words.lines.map(lineOf)}
${links.length > 0 && html`<div dir="auto">${links.map(linkOf)}</div>`}
</body></html>`;
}
