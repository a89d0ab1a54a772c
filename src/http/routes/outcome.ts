import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutNames } from '../../domain/clinics/clinic-names.ts';
import { asFailure } from '../../platform/failure.ts';
import { type Locale, localeOf } from '../../platform/text/locale.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { within } from '../../platform/wait-for.ts';
import { adminName, type Visitor } from '../access/access.ts';
import type { Subjects } from '../access/subjects.ts';
import type { AdminData, AdminOperations, Done } from '../admin.ts';
import { failureRefusal, type HttpRefusal, localPath, refusalText, refuse } from '../answers.ts';
import type { PageNotice } from '../pages/parts/layout.ts';
import type { RouteParts } from './route-parts.ts';

export interface AdminOptions extends RouteParts {
  admin: AdminOperations;
  data: AdminData;
  subjects: Subjects;
  /** Shows the outcome of an action on the person's next page. */
  notify: (visitor: Visitor, notice: PageNotice) => void;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The outcome of an action, for the person's next page or the program that asked. */
export interface Outcome {
  message: string;
  /** The outcome's text in the catalogue. */
  said?: { name: NonNullable<Done['said']>; ref: string } | undefined;
  refusal?: HttpRefusal;
  /** True when some of what was asked for was not done. */
  isPartial?: boolean;
  undo?: PageNotice['undo'];
  lines?: Done['lines'];
  /** Where to go on, instead of the page with the form. */
  page?: string | undefined;
  /** Further fields for programs. */
  data?: Record<string, unknown>;
}

export type Finish = (path: string, exchange: Exchange, finished: Promise<Outcome>) => Promise<unknown>;

/** A search of the clinic takes minutes; browsers and proxies do not wait that long. */
const PATIENCE_MS = 8_000;

/** Decides nothing. */
const LOOK = '/reconcile';

const underWay: Outcome = { message: localeOf('en').t('under_way') };

/** Answers once an action is done, or after a while without its outcome, which the person's next page then shows. */
export function createFinish({ gate, notify, viewer, reports, clock, log }: AdminOptions): Finish {
  return async (path, { request, reply }, finished) => {
    const { visitor, fields } = gate.ownForm(request);
    const { locale } = viewer(request);
    const back = localPath(fields.back);
    const tell = (outcome: Outcome) => {
      const { refusal, undo, lines = [] } = outcome;
      reports.forget();
      const message = withoutNames(saidIn(locale, outcome));
      const isBad =
        refusal !== undefined || lines.some(({ level, ran }) => level === 'fail' && ran === undefined);
      notify(visitor, {
        tone: isBad ? 'bad' : outcome.isPartial ? 'attention' : 'ok',
        message,
        ...(undo && { undo }),
        ...((refusal !== undefined || path.endsWith(LOOK)) && { typed: { page: back, fields } }),
        lines,
      });
    };
    const outcome = await within({ clock, ms: PATIENCE_MS, late: () => underWay }, finished);
    tell(outcome);
    if (outcome === underWay) void finished.then(tell);
    const status = outcome.refusal?.status ?? (outcome === underWay ? 202 : 200);
    log.info('admin action', { path, status });

    if (visitor.formKey !== null) return reply.redirect(outcome.page ?? back, 303);
    if (outcome.refusal) return refuse(request, reply, outcome.refusal);
    return reply
      .code(status)
      .send({ ok: true, message: outcome.message, lines: outcome.lines, ...outcome.data });
  };
}

/** English readers get the message itself, which is more specific than the catalogue. */
function saidIn(locale: Locale, outcome: Outcome): string {
  const { message, said, refusal } = outcome;
  if (locale.isSource) return message;
  if (outcome === underWay) return locale.t('under_way');
  if (said !== undefined) return locale.t(`said_${said.name}`, { ref: said.ref });
  return refusalText(locale, refusal?.said) ?? message;
}

const refusalOf = (error: unknown): HttpRefusal => failureRefusal(asFailure(error, 'The action'));

/** The result as stored in the audit. */
export const refusedWith = (error: unknown): string => `refused (${refusalOf(error).status})`;

export async function attemptDeed(run: () => Promise<Done>): Promise<Outcome> {
  try {
    const { message, undo, said, lines, page, ref = undo?.ref ?? '' } = await run();
    return {
      message,
      ...(said && { said: { name: said, ref } }),
      ...(undo && { undo: [undo] }),
      ...(lines && { lines }),
      page,
    };
  } catch (error) {
    const refusal = refusalOf(error);
    return { message: sentences(refusal.message, refusal.hint), refusal };
  }
}

/** A request with the admin token may name the person it acts for. */
export const personOf = ({ by, namesItself }: Visitor, fields: Record<string, string>): string =>
  namesItself && fields.by !== undefined ? adminName(fields.by) : by;
