import type { FastifyInstance } from 'fastify';
import type { FeePeriod } from '../../domain/clinics/fees.ts';
import { priceColumns } from '../../domain/clinics/report-columns.ts';
import { readDate } from '../../domain/date-time.ts';
import { instant, toMs } from '../../platform/clock.ts';
import { asListed } from '../../reports/fee-report.ts';
import { asRow } from '../../reports/figures.ts';
import { noSuch, queryText, refuse } from '../answers.ts';
import { feePage, feesPage } from '../pages/fees-page.ts';
import { allPages, answerFormat, sendData } from '../table-downloads.ts';
import { clinicOf, param } from './insight.ts';
import type { ReportFigures } from './reports.ts';
import type { RouteParts } from './route-parts.ts';

const ROWS = 50;

const kinds = ['treatment', 'dentist'] as const;

const notYet = {
  status: 400,
  message: 'That day has not come yet',
  hint: 'Leave `on` out for today’s prices.',
};

/** The price list of a day, and the fee history of one item. */
export function feeRoutes(
  app: FastifyInstance,
  { figures, viewer, reports, clock }: RouteParts & { figures: ReportFigures },
): void {
  app.get('/fees', async (request, reply) => {
    const { clinics } = await reports.get();
    const clinic = clinicOf({ clinics }, queryText(request, 'clinic')) ?? clinics[0];
    if (clinic === undefined) return refuse(request, reply, noSuch);
    const day = readDate(queryText(request, 'on') ?? '');
    const kind = kinds.find((one) => one === queryText(request, 'kind'));
    const page = { kind, after: kind && queryText(request, 'after'), limit: ROWS };
    const isPage = answerFormat(request) === 'html';
    const asked = isPage ? page : {};
    const onDay = await figures.prices(clinic, { ...asked, day });
    const list = onDay ?? (isPage ? await figures.prices(clinic, asked) : undefined);
    if (list === undefined) return refuse(request, reply, notYet);
    const future = onDay === undefined ? day : undefined;
    const reader = viewer(request);
    const { next: _next, prices, ...about } = list;
    return sendData(request, reply, {
      page: () => feesPage({ list, future, clinic, clinics, viewer: reader }),
      json: () => ({ ...about, prices }),
      file: {
        ...{ name: `fees-${list.on}`, columns: priceColumns, pages: [prices.map(asRow)] },
        locale: reader.locale.inZone(clinic.timezone),
      },
    });
  });

  app.get('/fees/:clinic/:kind/:id', async (request, reply) => {
    const clinic = clinicOf(await reports.get(), param(request, 'clinic'));
    const kind = kinds.find((one) => one === param(request, 'kind'));
    if (clinic === undefined || kind === undefined) return refuse(request, reply, noSuch);
    const id = param(request, 'id');
    const at = toMs(queryText(request, 'before') ?? '');
    const before = Number.isNaN(at) ? {} : { before: instant(at) };
    const found = await figures.feePeriodsOf(clinic.clinic, { kind, id }, { limit: ROWS + 1, ...before });
    if (found.length === 0) return refuse(request, reply, noSuch);
    const path = `/fees/${encodeURIComponent(clinic.clinic)}/${kind}/${encodeURIComponent(id)}`;
    const older = found.length > ROWS ? `${path}?before=${found[ROWS - 1]?.valid_from}` : null;
    const reader = viewer(request);
    return sendData(request, reply, {
      page: () =>
        feePage({
          clinic,
          id,
          periods: found,
          shown: ROWS,
          here: path,
          older,
          viewer: reader,
          now: clock.now(),
        }),
      json: () => ({ prices: found.slice(0, ROWS).map(asListed), next: older }),
      file: {
        ...{ name: `${kind}-${id}`, columns: priceColumns, locale: reader.locale.inZone(clinic.timezone) },
        pages: allPages(
          (last: FeePeriod | undefined, limit) =>
            figures.feePeriodsOf(
              clinic.clinic,
              { kind, id },
              { limit, ...(last && { before: last.valid_from }) },
            ),
          (period) => [asRow(asListed(period))],
        ),
      },
    });
  });
}
