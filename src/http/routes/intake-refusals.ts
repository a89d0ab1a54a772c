import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  HttpIntake,
  IntakeRefusal,
  IntakeRequest,
  MirrorView,
  RefusedVisitor,
  VisitorTrouble,
} from '../../connector.ts';
import { type HttpRefusal, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { isNear } from '../limits/proxies.ts';
import type { Stray } from '../stray-visitors.ts';

interface Noting {
  intake: Pick<HttpIntake, 'trouble'>;
  note: (trouble: VisitorTrouble) => void;
  /** Set for our own probe. */
  probes: object | undefined;
}

interface Refused extends Noting {
  intake: HttpIntake;
  view: MirrorView;
  sent: IntakeRequest;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers the visitor of a public form with the form and what was typed into it; programs as everywhere. */
export async function refuseSender(
  asked: Refused,
  refusal: Omit<HttpRefusal, 'said'>,
  why: RefusedVisitor['why'] | undefined = whys[refusal.status],
): Promise<void> {
  const { intake, view, sent, request, reply } = asked;
  const { status, retryAfter } = refusal;
  if (status === 413 && intake.visitors !== undefined) noteOurs(asked, tooLarge);
  const about = why && { why, waitMs: retryAfter === undefined ? undefined : retryAfter * 1_000 };
  const page = await (about && intake.again?.(sent, view, about))?.catch(() => undefined);
  if (page === undefined) return void refuse(request, reply, refusal);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  sendHtml(reply.code(status), page);
}

const whys: Readonly<Record<number, RefusedVisitor['why']>> = {
  400: 'unread',
  413: 'unread',
  415: 'unread',
  429: 'too_many',
  500: 'unstored',
  503: 'unstored',
};

/** Refusals of submissions at `/in/`. */
export const compressed: IntakeRefusal = {
  kind: 'refused',
  status: 415,
  message: 'The body is compressed',
  hint: 'Send it as it is.',
};

export const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
};

export const noBooking = {
  status: 404,
  message: 'This connector has no such booking',
  hint: 'Check the reference.',
};

const noConnector = {
  status: 404,
  message: 'No connector of that name takes bookings here',
  hint: 'The address is /in/ and the connector’s name in the configuration.',
};

/** For visitors a page of few words, for programs the reason. Neither repeats the address, which may name a patient. */
export async function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  stray: Stray,
): Promise<FastifyReply> {
  // People have small and old browsers, too; programs send.
  const isRead = request.method === 'GET' && !/json/i.test(request.headers.accept ?? '');
  return isRead || wantsHtml(request) ? stray(request, reply) : refuse(request, reply, noConnector);
}

export const noRoom = {
  status: 503,
  message: 'There is no room to store the booking',
  hint: 'Send it again later; its operator has to free some disk space.',
  retryAfter: 60,
};

export const noStore = {
  status: 503,
  message: 'The booking could not be stored',
  hint: 'Send it again later; its operator has to repair its database.',
  retryAfter: 60,
};

export const notStored = {
  status: 503,
  message: 'The booking could not be stored',
  hint: 'Send it again in a few seconds.',
  retryAfter: 5,
};

export const restarting = {
  status: 503,
  message: 'clinic-sync is restarting',
  hint: 'Send it again in a few seconds.',
  retryAfter: 10,
};

export const tooManyFrom = (what: 'submissions' | 'requests') => ({
  status: 429,
  message: `Too many ${what} from this address`,
  hint: 'Wait as long as Retry-After says, then send it again.',
});

export const formIsFull = {
  status: 429,
  message: 'This form is getting more submissions than it can take',
  hint: 'Call the clinic, or send it again as long after now as Retry-After says.',
};

/** A proxy that says nothing of its visitors is one address for all of them; so is an office, or the desk's tablet. */
export const limitTrouble = (address: string): VisitorTrouble =>
  isNear(address)
    ? {
        cause: 'address',
        sentence:
          'They reached the limit of one visitor, because they all come from ' +
          `${address}: a proxy, or devices of this network.`,
        action:
          'A proxy: let it send X-Forwarded-For, and set `http.trust_proxy`. ' +
          'Devices of the clinic: name them in `limits.shared`.',
      }
    : {
        cause: 'limit',
        sentence: 'They reached the limit of one visitor.',
        action:
          'If many share an address, name it in `limits.shared` of this connector, or raise its `limits`.',
      };

const tooLarge: VisitorTrouble = {
  cause: 'large',
  sentence: 'They send more than a form may have; what was read of it is shown to them again.',
  action: 'Look at what is typed or pasted there: a note has 4,000 characters at most.',
};

export const rehearsedByVisitors: VisitorTrouble = {
  cause: 'rehearse',
  sentence:
    'The address of their form says rehearse=1, which is for trying: what they send is taken all the same.',
  action: 'Take rehearse=1 out of the address of the form.',
};

/** What visitors run into before the connector is asked: it keeps it, too, for whoever checks it. */
export function noteOurs({ intake, note, probes }: Noting, trouble: VisitorTrouble): void {
  note(trouble);
  if (probes === undefined) intake.trouble?.(trouble);
}
