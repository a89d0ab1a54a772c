import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Change } from '../../domain/clinics/change.ts';
import type { FeePeriod } from '../../domain/clinics/fees.ts';
import {
  appointmentColumns,
  mirrorColumns,
  mirrorRow,
  namesIn,
  patientAppointmentColumns,
} from '../../domain/clinics/record-columns.ts';
import type { ReportColumns } from '../../domain/clinics/report-columns.ts';
import { type ListPoll, polls, resourceOf } from '../../domain/clinics/resource.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import { asRow } from '../../reports/figures.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';
import { createPatientReads } from '../access/patient-reads.ts';
import { may } from '../access/roles.ts';
import { noSuch, queryText, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { recordAddress } from '../pages/parts/record-values.ts';
import { recordPage } from '../pages/record-page.ts';
import { resourcePage } from '../pages/resource-page.ts';
import { allPages, sendData } from '../table-downloads.ts';
import { changeRows, clinicOf, type InsightStore, lastDays, numberOf, param } from './insight.ts';
import type { ReportFigures } from './reports.ts';
import type { RouteParts } from './route-parts.ts';

const ROWS = 50;

interface RecordRoutes extends RouteParts {
  store: InsightStore;
  figures: Pick<ReportFigures, 'feePeriodsOf'>;
}

/** The resources of a clinic and their records. */
export function recordRoutes(app: FastifyInstance, options: RecordRoutes): void {
  const { store, viewer, reports, clock, figures } = options;
  const noteRead = createPatientReads(options);
  const found = async (request: FastifyRequest) => {
    const clinic = clinicOf(await reports.get(), param(request, 'clinic'));
    const poll = polls.find((one) => one === param(request, 'poll'));
    const resource = clinic?.resources.find((one) => one.poll === poll);
    return clinic && poll && resource && { clinic, poll, resource, key: clinic.clinic };
  };

  app.get('/clinics/:clinic/:poll', async (request, reply) => {
    const asked = await found(request);
    if (asked === undefined) return refuse(request, reply, noSuch);
    const { clinic, poll, resource, key } = asked;
    const now = clock.now();
    const about = async () => {
      const [days, guards, changes] = await Promise.all([
        lastDays(store, [key], now),
        store.guards.open(),
        store.changes.page({ clinic: key, resource: resourceOf[poll], limit: 10 }),
      ]);
      const own = guards.filter((one) => one.state === 'open' && one.clinic === key && one.poll === poll);
      return { clinic, resource, day: days.get(key) ?? { incidents: [], hours: [] }, guards: own, changes };
    };
    const reader = viewer(request);
    const here = `/clinics/${encodeURIComponent(key)}/${poll}`;
    const after = numberOf(queryText(request, 'after'));
    const page = { ...(await about()), viewer: reader, now };
    if (poll === 'appointments') {
      const isDesk = may(reader.role, '/bookings');
      if (isDesk) await noteRead(request, `appointments of ${key}`);
      const visits = await followedIn(store, key, { isDesk, after, here });
      return sendData(request, reply, {
        page: () => resourcePage({ ...page, visits }),
        json: () => ({ records: visits.rows, next: visits.next }),
        file: { name: poll, locale: reader.locale.inZone(clinic.timezone), ...visits },
      });
    }
    const records = await recordsIn(store, key, poll);
    const rows = await records.page(ROWS + 1, after);
    const shown = rows.slice(0, ROWS).map(records.row);
    const last = shown.at(-1)?.[namesIn(poll).id];
    const next = rows.length > ROWS ? `${here}?after=${last}` : null;
    return sendData(request, reply, {
      page: () => resourcePage({ ...page, list: { poll, rows: shown, next, here } }),
      json: () => ({ records: shown, next }),
      file: {
        ...{ name: poll, columns: mirrorColumns[poll], locale: reader.locale.inZone(clinic.timezone) },
        pages: records.isList
          ? allPages(
              (behind: Row | undefined, limit) =>
                records.page(limit, behind && Number(behind[namesIn(poll).id])),
              (row) => [records.row(row)],
            )
          : [shown],
      },
    });
  });

  app.get('/clinics/:clinic/:poll/:id', async (request, reply) => {
    const asked = await found(request);
    if (asked === undefined || asked.poll === 'appointments') return refuse(request, reply, noSuch);
    const { clinic, poll, key } = asked;
    const id = param(request, 'id');
    const row = await (await recordsIn(store, key, poll)).one(id);
    if (row === undefined) return refuse(request, reply, noSuch);
    const before = placeIn(queryText(request, 'before'), key);
    const changes = await store.changes.page({
      ...{ clinic: key, resource: resourceOf[poll], id, limit: ROWS + 1 },
      ...(before && { before }),
    });
    const last = changes[ROWS - 1];
    const here = recordAddress(key, poll, id);
    const older = changes.length > ROWS && last ? `${here}?before=${last.at}~${last.sequence}` : null;
    const page = { clinic, poll, row, changes: changes.slice(0, ROWS), older };
    if (!wantsHtml(request))
      return reply.send({ ok: true, record: row, changes: page.changes.flatMap(changeRows), next: older });
    const periods = await feesOf(figures, key, { poll, id });
    return sendHtml(reply, recordPage({ ...page, periods, viewer: viewer(request), now: clock.now() }));
  });
}

async function feesOf(
  figures: RecordRoutes['figures'],
  clinic: string,
  { poll, id }: { poll: ListPoll; id: string },
): Promise<FeePeriod[]> {
  const kind = resourceOf[poll];
  return kind === 'treatment' || kind === 'dentist'
    ? figures.feePeriodsOf(clinic, { kind, id }, { limit: ROWS })
    : [];
}

const appointmentRow = (one: TrackedAppointment, columns: ReportColumns): Row => {
  const known: Row = { ...asRow(one), appointment_id: String(one.appointment_id) };
  return Object.fromEntries(Object.keys(columns).map((name) => [name, known[name] ?? null]));
};

interface AskedVisits {
  isDesk: boolean;
  after: number | undefined;
  /** The address of the list. */
  here: string;
}

/** A page of the appointments that are still followed, by number, and all of them. */
async function followedIn(
  { appointments }: InsightStore,
  clinic: string,
  { isDesk, after, here }: AskedVisits,
) {
  const columns = isDesk ? patientAppointmentColumns : appointmentColumns;
  const some = await appointments.pending(clinic, ROWS + 1, after);
  const rows = some.slice(0, ROWS).map((one) => appointmentRow(one, columns));
  return {
    ...{ columns, rows, here },
    next: some.length > ROWS ? `${here}?after=${rows.at(-1)?.appointment_id}` : null,
    pages: allPages(
      (last: TrackedAppointment | undefined, limit) =>
        appointments.pending(clinic, limit, last?.appointment_id),
      (one) => [appointmentRow(one, columns)],
    ),
  };
}

/** The records of one resource, in the order of their ids. */
async function recordsIn({ mirror }: InsightStore, clinic: string, poll: ListPoll) {
  const { id: key } = namesIn(poll);
  const organizations = poll === 'website' ? [] : await mirror.rows('organization', clinic);
  const present = organizations.find(({ removed_at }) => removed_at === null);
  const known = { clinic, currency: (present?.currency as string | null | undefined) ?? null };
  const isList = poll === 'treatments' || poll === 'dentists';
  const row = (one: Row) => mirrorRow(poll, one, known);
  // The other tables have one row per organization that ever answered here, normally one.
  const page = (limit: number, after: number | undefined): Promise<Row[]> =>
    isList
      ? mirror.page(poll, clinic, limit, after === undefined ? undefined : { [key]: after })
      : mirror.rows(poll, clinic);
  return {
    isList,
    row,
    page,
    async one(id: string): Promise<Row | undefined> {
      const number = Number(id);
      if (!Number.isSafeInteger(number)) return undefined;
      const some = await page(1, number - 1);
      const found = some.findLast((one) => String(one[key]) === id);
      return found && row(found);
    },
  };
}

/** The end of a page of changes: `AT~SEQUENCE`. */
function placeIn(
  text: string | undefined,
  clinic: string,
): Pick<Change, 'at' | 'clinic' | 'sequence'> | undefined {
  const [, at, sequence] = /^([^~]{1,40})~(\d{1,15})$/.exec(text ?? '') ?? [];
  return at === undefined || Number.isNaN(Date.parse(at))
    ? undefined
    : { at, clinic, sequence: Number(sequence) };
}
