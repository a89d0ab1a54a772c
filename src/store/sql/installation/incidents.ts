import type { HealthReason } from '../../../domain/status/report.ts';
import { type Instant, instant, toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import type { Incident, IncidentVerbs } from '../../ports/incidents.ts';
import type { Db, StoreParts, Trx } from '../database.ts';
import type { Stored } from '../schema.ts';

const KEPT_MS = 90 * DAY;

/** Identifies a cause; its sentence may change while it lasts. */
const keyOf = ({
  clinic,
  kind,
  subject,
  health,
}: Pick<HealthReason, 'clinic' | 'kind' | 'subject' | 'health'>) =>
  JSON.stringify([clinic, kind, subject, health]);

const toIncident = ({ kind, health, ...row }: Stored<'incidents'>): Incident => ({
  ...row,
  kind: kind as Incident['kind'],
  health: health as Incident['health'],
});

export const incidentVerbs = ({ db, write }: StoreParts): IncidentVerbs => ({
  settle: (reasons, at) =>
    write('incidents', async (trx) => {
      const known = await openIncidents(trx);
      const before = new Map(known.map((incident) => [keyOf(incident), incident]));
      const now = new Map(reasons.map((reason) => [keyOf(reason), reason]));
      const gone = known.filter((incident) => !now.has(keyOf(incident)));

      const begun: Incident[] = [];
      for (const [key, reason] of now) {
        const same = before.get(key);
        if (same === undefined) begun.push(await begin(trx, reason, at));
        else if (same.sentence !== reason.sentence) await reword(trx, same.n, reason.sentence);
      }
      return { begun, ended: await end(trx, gone, at) };
    }),

  open: () => openIncidents(db),

  async lastEnded() {
    const row = await db
      .selectFrom('incidents')
      .selectAll()
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toIncident(row);
  },

  async list({ clinic, before, limit }) {
    let query = db.selectFrom('incidents').selectAll().orderBy('n', 'desc').limit(limit);
    if (clinic !== undefined) query = query.where('clinic', '=', clinic);
    if (before !== undefined) query = query.where('n', '<', before);
    return (await query.execute()).map(toIncident);
  },

  async during(since, clinics, limit) {
    const of = (over: boolean) =>
      db
        .selectFrom('incidents')
        .selectAll()
        .where('clinic', 'in', clinics)
        .where((row) => (over ? row('ended_at', '>=', since) : row('ended_at', 'is', null)))
        .orderBy('ended_at', 'desc')
        .limit(limit)
        .execute();
    const rows = clinics.length === 0 ? [] : [...(await of(false)), ...(await of(true))].slice(0, limit);
    return rows.toSorted((a, b) => a.n - b.n).map(toIncident);
  },
});

async function openIncidents(db: Db): Promise<Incident[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('n')
    .execute();
  return rows.map(toIncident);
}

async function begin(trx: Trx, reason: HealthReason, at: Instant): Promise<Incident> {
  const { clinic, kind, subject, health, sentence, since } = reason;
  const row = await trx
    .insertInto('incidents')
    .values({ clinic, kind, subject, health, sentence, since: since ?? at, ended_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toIncident(row);
}

const reword = (trx: Trx, n: number, sentence: string) =>
  trx.updateTable('incidents').set({ sentence }).where('n', '=', n).execute();

/** Ending an incident also removes the oldest ended ones. */
async function end(trx: Trx, gone: readonly Incident[], at: Instant): Promise<Incident[]> {
  if (gone.length === 0) return [];
  const numbers = gone.map(({ n }) => n);
  await trx.updateTable('incidents').set({ ended_at: at }).where('n', 'in', numbers).execute();
  const oldest = instant(toMs(at) - KEPT_MS);
  await trx.deleteFrom('incidents').where('ended_at', '<', oldest).execute();
  return gone.map((incident) => ({ ...incident, ended_at: at }));
}
