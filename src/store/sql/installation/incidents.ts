import type { HealthReason } from '../../../domain/report.ts';
import type { Incident, IncidentVerbs } from '../../ports/incidents.ts';
import type { Parts } from '../database.ts';
import type { Stored } from '../schema.ts';

const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Two sightings of one cause: the words may change while it lasts. */
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

export function incidentVerbs({ db, write }: Parts): IncidentVerbs {
  const open = () => db.selectFrom('incidents').selectAll().where('ended_at', 'is', null).orderBy('n');

  return {
    settle: (reasons, at) =>
      write('incidents', async (trx) => {
        const known = (
          await trx.selectFrom('incidents').selectAll().where('ended_at', 'is', null).execute()
        ).map(toIncident);
        const before = new Map(known.map((incident) => [keyOf(incident), incident]));
        const now = new Map(reasons.map((reason) => [keyOf(reason), reason]));

        const ended = known.filter((incident) => !now.has(keyOf(incident)));
        for (const { n } of ended)
          await trx.updateTable('incidents').set({ ended_at: at }).where('n', '=', n).execute();
        const begun: Incident[] = [];
        for (const [key, { clinic, kind, subject, health, sentence, since }] of now) {
          const same = before.get(key);
          if (same === undefined) {
            const values = { clinic, kind, subject, health, sentence, since: since ?? at, ended_at: null };
            const row = await trx
              .insertInto('incidents')
              .values(values)
              .returningAll()
              .executeTakeFirstOrThrow();
            begun.push(toIncident(row));
          } else if (same.sentence !== sentence)
            await trx.updateTable('incidents').set({ sentence }).where('n', '=', same.n).execute();
        }
        if (ended.length > 0) {
          const oldest = new Date(Date.parse(at) - KEPT_MS).toISOString();
          await trx.deleteFrom('incidents').where('ended_at', '<', oldest).execute();
        }
        return { begun, ended: ended.map((incident) => ({ ...incident, ended_at: at })) };
      }),
    open: async () => (await open().execute()).map(toIncident),
    async lastEnded() {
      const row = await db
        .selectFrom('incidents')
        .selectAll()
        .where('ended_at', 'is not', null)
        .orderBy('ended_at', 'desc')
        .orderBy('n', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : toIncident(row);
    },
  };
}
