import { Failure } from '../../platform/failure.ts';
import { unreachableFailure } from '../../platform/network/unreachable.ts';
import type { TextName } from '../../texts/texts.ts';
import { remedyOf } from './remedies.ts';

/** How far the conversation with a mail server had come. */
export type Step = 'greeting' | 'sign-in' | 'MAIL' | 'DATA' | 'end of mail';

/** What nodemailer throws. */
export interface MailError extends Error {
  code?: string | undefined;
  /** The code of the system or of TLS. */
  originalCode?: string | undefined;
  /** What took too long: `CONNECT_TIMEOUT`. */
  timeoutType?: string | undefined;
  /** The command that was answered; CONN when the connection failed. */
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
  recipient?: string | undefined;
  rejectedErrors?: readonly MailError[] | undefined;
}

type Scope = 'later' | 'lasting' | 'content';

/**
 * Replies that mean more than their code; the first that fits. They are matched, never shown: some repeat addresses.
 */
const known: readonly [reply: RegExp, scope: Scope, remedy: TextName][] = [
  [
    /5\.7\.(139|4)\b|basic authentication is disabled|SmtpClientAuthentication|authentication (type|mechanism)/i,
    'lasting',
    'mail_basic_off',
  ],
  [/application.specific password|^534.5\.7\.(9|14)\b|InvalidSecondFactor/i, 'lasting', 'mail_app_password'],
  [/starttls (command )?first|must issue a starttls/i, 'lasting', 'mail_tls'],
  [
    /^530|authentication (is )?(required|needed)|not authenticated|must authenticate|5\.7\.57/i,
    'lasting',
    'mail_sign_in_needed',
  ],
  [
    /^(?=.*relay(ing)?\b).*(denied|not allowed|not permitted|prohibited)|unable to relay|5\.7\.54|5\.7\.64|cannot relay/is,
    'lasting',
    'mail_relay',
  ],
  [
    /5\.7\.(26|60|708)\b|SendAsDenied|not owned by|sender address rejected|sender identity|address is not verified|disallowed as|^(?=.*sender).*not (allowed|permitted)/is,
    'lasting',
    'mail_sender',
  ],
  [
    /5\.4\.5|(sending|daily|hourly|rate).(limit|quota)|too many (messages|mails)|throttl/i,
    'later',
    'mail_limit',
  ],
  [/5\.3\.4|message (is )?too (large|big)|size exceeds/i, 'content', 'mail_refused'],
  [/\b(helo|ehlo)\b|invalid domain name|^(?=.*5\.5\.2).*host/is, 'lasting', 'mail_hello'],
  [
    /spamhaus|block.?list|black.?list|\brbl\b|dnsbl|5\.7\.606|listed at|dynamic ip/i,
    'lasting',
    'mail_blocked',
  ],
];

/** `550 5.1.1`. */
const answerOf = ({ response = '', responseCode }: MailError): string =>
  [responseCode, /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]].filter(Boolean).join(' ');

interface Where {
  host: string;
  step: Step;
}

export function mailFailure(error: MailError, where: Where): Failure {
  const { responseCode, code, response = '' } = error;
  // It is larger than the server said that it takes.
  if (code === 'EMESSAGE' && responseCode === undefined)
    return failure('content', 'mail_refused', { ...error, responseCode: 552 }, where);
  const isReply = code !== 'EPROTOCOL' || /^[45]\d\d[ -]/.test(response);
  if (responseCode === undefined || !isReply) return brokenOff(error, where);
  const meaning = known.find(([reply]) => reply.test(response));
  const refusedRecipients = error.rejectedErrors ?? [];
  const [only] = refusedRecipients;
  if (meaning === undefined && only !== undefined && refusedRecipients.length === 1)
    return recipientFailure(only, { place: 0, count: 1, host: where.host });
  const [, scope, remedy] = meaning ?? refusal(error, where);
  // A name that is not accepted is answered with 421, too: said at once, and tried again.
  return failure(responseCode < 500 ? 'later' : scope, remedy, error, where);
}

/** By the command that was answered. */
function refusal(
  { responseCode = 500, command = '', code }: MailError,
  { step }: Where,
): (typeof known)[number] {
  if (responseCode < 500) return [/^/, 'later', 'mail_later'];
  if (code === 'ETLS') return [/^/, 'lasting', 'mail_no_tls'];
  // Before anything was said: RFC 5321 leaves that to servers that take nothing from where we are.
  if (command === 'CONN') return [/^/, 'lasting', 'mail_blocked'];
  if (code === 'EPROTOCOL') return [/^/, 'later', 'mail_no_smtp'];
  if (command.startsWith('AUTH')) return [/^/, 'lasting', 'mail_sign_in'];
  return [/^/, step === 'end of mail' ? 'content' : 'lasting', 'mail_refused'];
}

/** Why one of the recipients did not get it. */
export function recipientFailure(
  error: MailError,
  { place, count, host }: { place: number; count: number; host: string },
): Failure {
  const isFull = /^552|5\.2\.2|mailbox (is )?full|quota exceeded|over quota/i.test(error.response ?? '');
  const [, scope, meaning = isFull ? ('mail_recipient_full' as const) : ('mail_recipient' as const)] =
    known.find(([reply]) => reply.test(error.response ?? '')) ?? [];
  // A limit of the account passes, whatever its code.
  const isTemporary = (error.responseCode ?? 400) < 500 || scope === 'later';
  return new Failure({
    kind: 'transient',
    lasting: !isTemporary,
    ...remedyOf(isTemporary ? 'mail_recipient_later' : meaning, {
      ...{ n: String(place + 1), all: String(count), host },
      answer: answerOf(error),
    }),
  });
}

function failure(scope: Scope, remedy: TextName, error: MailError, { host, step }: Where): Failure {
  const command = error.command?.replace(/ .*/, '') ?? step;
  return new Failure({
    kind: scope === 'content' ? 'refused' : 'transient',
    lasting: scope === 'lasting',
    ...remedyOf(remedy, { host, answer: answerOf(error), step: command === 'CONN' ? step : command }),
  });
}

/** No reply to what was said last: the server cannot have taken the mail. */
function brokenOff(error: MailError, { host, step }: Where): Failure {
  const { originalCode, code, timeoutType } = error;
  const where = { host, step };
  if (code === 'EPROTOCOL' || originalCode === 'EPROTO')
    return failure('later', 'mail_no_smtp', error, where);
  if (code === 'EAUTH') return failure('lasting', 'mail_sign_in', error, where);
  const isSilent = code === 'ETIMEDOUT' && timeoutType !== 'CONNECT_TIMEOUT';
  const isConnecting = step === 'greeting' && !isSilent;
  if (isSilent) return failure('later', 'mail_silent', error, where);
  const system = code === 'ETLS' ? certificateCode(error.message) : systemCode(error);
  if (system !== undefined && isConnecting)
    return unreachableFailure(
      Object.assign(new Error(error.message, { cause: undefined }), { code: system }),
      { name: host, setting: 'host', trust: 'ca_file' },
    );
  return failure('later', code === 'ETLS' ? 'mail_tls' : 'mail_closed', error, where);
}

const systemCode = ({ originalCode, code }: MailError): string | undefined => {
  if ([code, originalCode].includes('ETIMEDOUT')) return 'CONNECT_TIMEOUT';
  return originalCode ?? (code === 'ECONNECTION' ? undefined : code);
};

/** After STARTTLS, nodemailer keeps only the words of OpenSSL. */
const certificateCode = (message: string): string | undefined =>
  (
    [
      [/self.signed certificate in/, 'SELF_SIGNED_CERT_IN_CHAIN'],
      [/self.signed/, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      [/expired/, 'CERT_HAS_EXPIRED'],
      [/altnames|does not match/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [/issuer|verify/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ] as const
  ).find(([words]) => words.test(message))?.[1];
