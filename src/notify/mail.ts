import type { NotifyTarget } from '../config/notify.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { codeOf, Failure } from '../platform/failure.ts';
import { unreachableFailure } from '../platform/unreachable.ts';
import { unsure } from './post-message.ts';
import { type Outgoing, paragraphs } from './requests.ts';

/** Some servers delay their greeting for strangers (RFC 5321, 4.5.3.2.1 asks senders to wait five minutes). */
const GREETING_MS = 5 * MINUTE;
const CONNECT_MS = 5 * MINUTE;
const SILENCE_MS = 2 * MINUTE;

/** The used part of nodemailer, loaded with the first message. */
const load = async () => ({
  SmtpConnection: (await import('nodemailer/lib/smtp-connection')).default,
  MailComposer: (await import('nodemailer/lib/mail-composer')).default,
});
type Smtp = InstanceType<Awaited<ReturnType<typeof load>>['SmtpConnection']>;

type Settings = Pick<NotifyTarget['settings'], 'smtp' | 'from' | 'to'>;

/** Sends one mail. Resolves to the number of refused recipients when at least one was accepted. Throws `Failure`. */
export async function sendMail(
  { smtp, from, to }: Settings,
  { id, words }: Outgoing,
  signal: AbortSignal,
): Promise<number> {
  const { MailComposer } = await load();
  const mail = await new MailComposer({
    from,
    to,
    subject: words.title,
    text: `${paragraphs(words).join('\n\n')}\n`,
    messageId: `<${id}@clinic-sync>`,
    priority: words.urgent ? 'high' : 'normal',
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
    .compile()
    .build();
  return connected(smtp, signal, async (connection, fault) => {
    const { rejected } = await new Promise<{ rejected?: readonly unknown[] }>((resolve, reject) => {
      connection.send({ from, to }, mail, (error, info) => {
        if (error === null || error === undefined) resolve(info ?? {});
        else reject(fault(error));
      });
    });
    return rejected?.length ?? 0;
  });
}

/** Connects, signs in, and disconnects. Throws `Failure`. */
export const reachMailServer = ({ smtp }: Settings, signal: AbortSignal): Promise<void> =>
  connected(smtp, signal, async () => {});

async function connected<T>(
  smtp: string,
  signal: AbortSignal,
  use: (connection: Smtp, fault: (error: Error) => Failure) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { SmtpConnection } = await load();
  const { hostname, host, port, protocol, username, password } = new URL(smtp);
  const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const isSecure = protocol === 'smtps:';
  const connection = new SmtpConnection({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A password is never sent unencrypted, except to this machine.
    requireTLS: credentials.user !== '' && !/^(localhost|127\.|\[::1\])/.test(hostname),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    socketCloseTimeout: SECOND,
  });
  const stop = () => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  const done = Promise.withResolvers<T>();
  let isInUse = false;
  // Once mail is handed over, the server's answer is a refusal; without an answer the outcome is unknown.
  const fault = (error: Error & { responseCode?: number }) =>
    isInUse && typeof error.responseCode !== 'number' ? unsure(host) : refusal(error, host);
  connection.on('error', (error: Error) => done.reject(fault(error)));
  connection.once('end', () => done.reject(fault(new Error('closed'))));
  const run = async () => {
    await new Promise<void>((resolve) => connection.connect(() => resolve()));
    if (credentials.user !== '')
      await new Promise<void>((resolve, reject) =>
        connection.login({ credentials }, (error) => (error ? reject(refusal(error, host)) : resolve())),
      );
    isInUse = true;
    return use(connection, fault);
  };
  run().then(done.resolve, done.reject);
  try {
    return await done.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    connection.quit();
    connection.close();
  }
}

/** The server's own words are not shown, because some repeat addresses. */
function refusal(error: Error & { responseCode?: number | undefined }, host: string): Failure {
  const { responseCode } = error;
  if (typeof responseCode === 'number')
    return new Failure({
      kind: 'transient',
      message: `${host} refused the mail (${responseCode}).`,
      hint:
        responseCode === 535 || responseCode === 534
          ? 'Check the user and the password in smtp.'
          : 'Check from and to, and that this server may send for us.',
    });
  if (codeOf(error) === 'EAUTH')
    return new Failure({
      kind: 'transient',
      message: `${host} refused the sign-in.`,
      hint: 'Check the user and the password in smtp.',
    });
  if (codeOf(error) === 'ETLS')
    return new Failure({
      kind: 'transient',
      message: `${host} offers no encryption, and the password is never sent without it.`,
      hint: 'Use smtps://, or another port.',
    });
  return unreachableFailure(error.cause ?? error, host);
}
