import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import { decideEach } from '../../domain/bookings/decide-each.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { type AdminOperation, auditName, manyPath } from '../admin.ts';
import { localPath, refusalText, sendHtml } from '../answers.ts';
import { bookingFilters, MOST_SELECTED } from '../pages/bookings-page.ts';
import { type ManyDecision, manyPage } from '../pages/many-page.ts';
import { bookingsBehind, countOf, queryOf } from './listing.ts';
import { type AdminOptions, type Finish, type Outcome, personOf, refusedWith } from './outcome.ts';

interface ManyOptions extends AdminOptions {
  finish: Finish;
}

interface Pick {
  ref: string;
  /** `seenOf` the booking as the person saw it; empty for a program that did not look. */
  seen: string;
}

const REF = /^CS-[0-9A-Z]{4,12}$/;
const REFUSED_NAMED = 20;

/** One decision about many bookings: chosen, confirmed, then each decided, checked and audited on its own. */
export function manyRoutes(app: FastifyInstance, options: ManyOptions): void {
  const { gate, admin, data, audit, notify, viewer, reports, clock, finish } = options;

  app.post('/admin/bookings/many/choose', async (request, reply) => {
    const { visitor, fields } = gate.ownForm(request);
    const decision: ManyDecision = fields.do === 'drop' ? 'drop' : 'approve';
    const back = localPath(fields.back ?? '/bookings');
    const seenBy = viewer(request);
    const isAll = fields.all === 'on';
    const picked = Object.entries(fields)
      .filter(([name]) => name.startsWith('pick.'))
      .map(([name, seen]): Pick => ({ ref: name.slice('pick.'.length), seen }));
    const seen = new Map(picked.map((one) => [one.ref, one.seen]));
    const filter = bookingFilters.find((one) => one === fields.list_state);
    const asked = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name.replace(/^list_/, ''), value]),
    );
    const listing = { filter, query: queryOf(asked), zone: seenBy.locale.zone, now: clock.now() };
    const report = await reports.get();
    const found = isAll
      ? await bookingsBehind(data, report, { ...listing, limit: MOST_SELECTED })
      : await data.bookingsOf([...seen.keys()].filter((ref) => REF.test(ref)).slice(0, MOST_SELECTED));
    if (found.length === 0) {
      notify(visitor, { tone: 'bad', message: seenBy.locale.t('none_selected') });
      return reply.redirect(back, 303);
    }
    const read = { action: 'patients.read', subject: 'bookings', result: 'ok', address: request.ip };
    await audit.note(visitor, read);
    // The decision is about what the confirmation shows.
    const chosen = found.map((booking) => ({ booking, seen: seen.get(booking.ref) ?? seenOf(booking) }));
    const total = isAll ? Math.max(found.length, await countOf(data, report, listing)) : found.length;
    return sendHtml(reply, manyPage({ decision, chosen, total, back, viewer: seenBy }));
  });

  const decide =
    (path: string, { run }: AdminOperation) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { visitor, fields } = gate.ownForm(request);
      const by = personOf(visitor, fields);
      const undoable = visitor.formKey !== null;
      const { locale } = viewer(request);
      const decideOne = ({ ref, seen }: Pick) => {
        const asked = { ...(seen !== '' && { seen }), undoable };
        const row = { action: auditName(path), subject: ref, address: request.ip };
        // A correction is of one booking.
        const { why } = fields;
        const given = { as_of: seen, ...(why !== undefined && { why }) };
        const work = () => run({ subject: ref, fields: given, by, asked });
        return audit.perform({ by, role: visitor.role }, row, work, refusedWith);
      };
      const decideAll = async (): Promise<Outcome> => {
        const { done, refused } = await decideEach(picksIn(fields), decideOne);
        const undo = done.flatMap((one) => one.undo ?? []);
        const named = refused.slice(0, REFUSED_NAMED).map(({ ref, failure }) => {
          const why = refusalText(locale, failure.refusal) ?? sentences(failure.message);
          return why.startsWith(ref) ? why : `${ref}: ${why}`;
        });
        const message = [
          locale.t('many_done', { count: done.length }),
          refused.length > 0 && [locale.t('many_refused', { count: refused.length }), ...named].join('\n'),
        ];
        return {
          message: message.filter((part) => part !== false).join(' '),
          ...(undo.length > 0 && { undo }),
          isPartial: refused.length > 0,
          data: {
            done: done.flatMap(({ ref }) => ref ?? []),
            refused: refused.map(({ ref, failure }) => ({ ref, message: failure.message })),
          },
        };
      };
      return finish(manyPath(path), { request, reply }, decideAll());
    };
  for (const [path, operation] of Object.entries(admin))
    if (operation.many !== undefined) app.post(manyPath(path), decide(path, operation));
}

/** `picks` is `REF.SEEN REF.SEEN`. Anything but a reference is left out, and so never reaches the audit. */
const picksIn = ({ picks = '' }: Record<string, string>): Pick[] =>
  picks
    .split(/[\s,]+/)
    .map((text): Pick => {
      const [ref = '', seen = ''] = text.split('.');
      return { ref: ref.toUpperCase(), seen };
    })
    .filter(({ ref }) => REF.test(ref))
    .slice(0, MOST_SELECTED);
