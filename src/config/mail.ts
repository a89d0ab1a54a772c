import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { secretFile, textSetting, webAddress } from '../domain/clinics/setting.ts';
import type { ReadSecret, Report } from './secrets.ts';

const secretText = (what: string) => z.string().optional().describe(what);

/**
 * The address in `Front desk <desk@clinic.example>`, with its domain as mail servers know it; undefined if it is none.
 */
export function mailAddressOf(mailbox: string): string | undefined {
  const address = /^(?:[^<>\r\n]*<)([^<>]+)>$/.exec(mailbox.trim())?.[1] ?? mailbox.trim();
  const [, local = '', domain = ''] = /^([^\s@<>",;:]{1,64})@([^\s@<>]{1,255})$/.exec(address) ?? [];
  const ascii = domainToASCII(domain);
  return local === '' || ascii === '' || !/^[a-z\d.-]+$/.test(ascii) ? undefined : `${local}@${ascii}`;
}

const mailbox = z
  .string()
  .refine((given) => mailAddressOf(given) !== undefined, 'must be an address such as desk@clinic.example');

const OAuth = z
  .strictObject({
    token_url: webAddress().describe(
      'Where tokens are asked for, such as https://login.microsoftonline.com/TENANT/oauth2/v2.0/token or ' +
        'https://oauth2.googleapis.com/token.',
    ),
    client_id: textSetting.describe('The application that was registered there.'),
    client_secret: secretText('Its secret.'),
    client_secret_file: secretFile('secret of the application'),
    refresh_token: secretText(
      'The permission of the mailbox; without it, the application signs in for itself.',
    ),
    refresh_token_file: secretFile('permission of the mailbox'),
    scope: textSetting
      .optional()
      .describe('What is asked for, such as https://outlook.office.com/SMTP.Send offline_access.'),
  })
  .describe('Sign-in by token (XOAUTH2) for `user`, as Microsoft 365 and Google ask for.');

/** Settings of `use: email` besides the common ones. */
export const mailSettings = {
  smtp: secretText(
    'The mail server in one line: smtps://USER:PASSWORD@HOST, or smtp://HOST:587 (with STARTTLS where it has ' +
      'it). Or `host`:',
  ),
  smtp_file: secretFile('address of the mail server'),
  host: textSetting
    .refine(
      (host) => isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0 || !/[\s/:@]/.test(host),
      'must be a name or an address; its port goes into port',
    )
    .optional()
    .describe('The mail server.'),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Its port; 465 is encrypted from the start. Default: 587.'),
  user: textSetting.optional().describe('Who signs in; nobody unless given.'),
  password: secretText('The password of `user`.'),
  password_file: secretFile('password'),
  oauth: OAuth.optional(),
  tls: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      '`auto`: encrypted where the server offers it, and always with a password; `required`: always; `off`: never.',
    ),
  ca_file: textSetting
    .optional()
    .describe('File with the certificate (PEM) of the authority that signed the server’s.'),
  hello: textSetting.optional().describe('Our name in the greeting (EHLO). Default: the domain of `from`.'),
  from: mailbox
    .optional()
    .describe('The sender, also as `Name <address>`; default: the user of the mail server.'),
  to: z.array(mailbox).min(1).describe('Who gets it, each also as `Name <address>`.'),
};

/** Sign-in by token. */
export interface MailOAuth {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Empty: the application signs in for itself. */
  refreshToken: string;
  scope: string;
}

/** A mail server and how to speak with it. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Whether to switch to TLS: where it is offered, always, never. */
  tls: 'auto' | 'required' | 'off';
  /** Certificates of authorities besides the known ones; empty: none. */
  ca: string;
  /** Empty: no sign-in. */
  user: string;
  password: string;
  oauth: MailOAuth | undefined;
  /** The name to greet with. */
  hello: string;
}

export const noMailServer: MailServer = {
  ...{ host: '', port: 0, secure: false, tls: 'auto', ca: '' },
  ...{ user: '', password: '', oauth: undefined, hello: '' },
};

export const isThisMachine = (host: string): boolean => /^(localhost|127\.|::1$|\[::1\]$)/.test(host);

/** Whether mails to this server may be read on their way. */
export const isUnencrypted = ({ host, secure, tls, user }: MailServer): boolean =>
  !secure && !isThisMachine(host) && (tls === 'off' || (tls === 'auto' && user === ''));

type Given = z.infer<z.ZodObject<typeof mailSettings>>;

interface Reading {
  read: ReadSecret;
  report: Report;
  base: readonly string[];
}

/** Completes the settings and reports their faults. */
export function mailOf(given: Given, reading: Reading): { mail: MailServer; from: string } {
  const { read, report, base } = reading;
  const isOneLine = given.smtp !== undefined || given.smtp_file !== undefined;
  if (isOneLine && given.host !== undefined)
    report([...base, 'host'], 'is given beside smtp', 'Keep one of them.');
  const line =
    isOneLine || given.host === undefined ? read([...base, 'smtp'], given.smtp, given.smtp_file) : '';
  const server = given.host === undefined ? serverIn(line, reading) : serverBy(given, given.host, reading);
  const from = given.from ?? (mailAddressOf(server.user) === undefined ? '' : server.user);
  if (from === '' && server.host !== '')
    report([...base, 'from'], 'is required', 'Write the address that mail is sent from.');
  const ca = given.ca_file === undefined ? '' : read([...base, 'ca'], undefined, given.ca_file);
  const domain = mailAddressOf(from)?.split('@').at(-1) ?? '';
  const mail = { ...server, tls: given.tls, ca, hello: given.hello ?? domain };
  if (mail.tls === 'off' && mail.user !== '' && !isThisMachine(mail.host))
    report(
      [...base, 'tls'],
      'is off, but a password is never sent unencrypted',
      'Remove tls: off, or user and password.',
    );
  return { mail, from };
}

function serverBy(given: Given, host: string, { read, report, base }: Reading): MailServer {
  const { port = 587, user = '', oauth, password, password_file } = given;
  const hasPassword = password !== undefined || password_file !== undefined;
  if (user === '' && (hasPassword || oauth !== undefined))
    report([...base, 'user'], 'is required', 'Write who signs in, usually the address of the mailbox.');
  if (hasPassword && oauth !== undefined)
    report([...base, 'oauth'], 'is given beside a password', 'Keep one of them.');
  const needsPassword = user !== '' && oauth === undefined;
  return {
    ...noMailServer,
    ...{ host, port, secure: port === 465, user },
    password: needsPassword ? read([...base, 'password'], password, password_file) : '',
    oauth: oauth && oauthOf(oauth, { read, report, base: [...base, 'oauth'] }),
  };
}

function oauthOf(given: z.infer<typeof OAuth>, { read, base }: Reading): MailOAuth {
  const { token_url, client_id, scope = '' } = given;
  const hasRefresh = given.refresh_token !== undefined || given.refresh_token_file !== undefined;
  return {
    ...{ tokenUrl: token_url, clientId: client_id, scope },
    clientSecret: read([...base, 'client_secret'], given.client_secret, given.client_secret_file),
    refreshToken: hasRefresh
      ? read([...base, 'refresh_token'], given.refresh_token, given.refresh_token_file)
      : '',
  };
}

const LINE = /^(smtps?):\/\/(?:(.*)@)?(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?\/?$/i;

/** A password may have any characters: what it is ends at the last `@`. */
function serverIn(line: string, { report, base }: Reading): MailServer {
  if (line === '') return noMailServer;
  const [, scheme = '', credentials = '', host = '', givenPort] = LINE.exec(line) ?? [];
  const ascii = host.startsWith('[') ? host.slice(1, -1) : domainToASCII(host);
  if (ascii === '') {
    const hint =
      'Write smtps://USER:PASSWORD@HOST:465 or smtp://HOST:587, or give host, port, user and password.';
    report([...base, 'smtp'], 'must be the address of a mail server', hint);
    return noMailServer;
  }
  const secure = scheme.toLowerCase() === 'smtps';
  const port = Number(givenPort ?? (secure ? 465 : 587));
  if (secure ? port === 587 || port === 25 : port === 465)
    report(
      [...base, 'smtp'],
      secure
        ? `says smtps:, but port ${port} is not encrypted from the start`
        : 'says smtp:, but port 465 is encrypted from the start',
      secure ? `Write smtp://…:${port}.` : 'Write smtps://…:465.',
    );
  const colon = credentials.indexOf(':');
  const [user, password] =
    colon < 0 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
  return { ...noMailServer, host: ascii, port, secure, user: decoded(user), password: decoded(password) };
}

/** A percent sign that begins no `%XX` stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
