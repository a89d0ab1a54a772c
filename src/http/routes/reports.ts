import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FeePeriod } from '../../domain/clinics/fees.ts';
import type { MonthPack } from '../../domain/clinics/month.ts';
import {
  type LeadGroup,
  type LeadsRow,
  leadColumns,
  leadGroups,
  type OpenVisitGroup,
  type OpenVisits,
  type PricePage,
  type PricesAsked,
} from '../../domain/clinics/report-columns.ts';
import { monthBefore, monthOf, type Period, presentMonth, yearTo } from '../../domain/date-time.ts';
import type { ClinicReport } from '../../domain/status/report.ts';
import type { Instant } from '../../platform/clock.ts';
import { clinicsPage } from '../../reports/clinics-page.ts';
import { asRow } from '../../reports/figures.ts';
import { monthPage } from '../../reports/month-page.ts';
import { monthWorkbook } from '../../reports/workbook/month-workbook.ts';
import { noSuch, queryText, refuse, sendHtml } from '../answers.ts';
import { type ClinicFigures, reportAddressOf, reportsPage } from '../pages/reports-page.ts';
import { sendData, wantsFile, XLSX } from '../table-downloads.ts';
import type { RouteParts } from './route-parts.ts';

/** The figures of `clinic-sync report`. */
export interface ReportFigures {
  leads(asked: {
    clinic: string;
    zone: string;
    by: LeadGroup;
    period: Period;
    touch: 'last';
  }): Promise<LeadsRow[]>;
  openVisits(clinic: string, by: OpenVisitGroup, now: number): Promise<OpenVisits[]>;
  unknownStatuses(clinic: string): Promise<string[]>;
  /** The price list at the end of a day, by default today; undefined for a future day there. */
  prices(clinic: { clinic: string; timezone: string }, asked: PricesAsked): Promise<PricePage | undefined>;
  /** The fees of one item, newest first, from before `before`. */
  feePeriodsOf(
    clinic: string,
    thing: Pick<FeePeriod, 'kind' | 'id'>,
    asked: { limit: number; before?: Instant },
  ): Promise<FeePeriod[]>;
  /** Undefined for a month that has not begun there. */
  month(clinic: { clinic: string; timezone: string }, month: string): Promise<MonthPack | undefined>;
}

interface Asked {
  by: LeadGroup;
  /** `YYYY-MM` */
  month: string;
}

/** Each is read separately; more would block the database for others. */
const CLINICS_ON_PAGE = 10;
const MONTHS_TO_CHOOSE = 24;

/** Totals of bookings and visits. No patient data. */
export function reportRoutes(
  app: FastifyInstance,
  { figures, viewer, reports, clock }: RouteParts & { figures: ReportFigures },
): void {
  const leadsOf = ({ clinic, timezone: zone }: ClinicReport, { by, month }: Asked) =>
    figures.leads({
      ...{ clinic, zone, by, touch: 'last' },
      period: by === 'month' ? yearTo(month) : monthOf(month),
    });

  const figuresOf = async (of: ClinicReport, asked: Asked): Promise<ClinicFigures> => {
    const { clinic, name, timezone } = of;
    const by = asked.by === 'dentist' || asked.by === 'source' ? asked.by : 'status';
    return {
      ...{ clinic, name, timezone, leads: await leadsOf(of, asked) },
      visits: await figures.openVisits(clinic, by, clock.now()),
      unknownStatuses: await figures.unknownStatuses(clinic),
    };
  };

  async function* leadsOfEach(clinics: readonly ClinicReport[], asked: Asked) {
    for (const one of clinics) yield (await leadsOf(one, asked)).map(asRow);
  }

  app.get('/reports', async (request, reply) => {
    const report = await reports.get();
    const { clinics } = report;
    const clinic = queryText(request, 'clinic') || undefined;
    const chosen = clinic === undefined ? clinics : clinics.filter((one) => one.clinic === clinic);
    if (chosen.length === 0 && clinic !== undefined) return refuse(request, reply, noSuch);
    const present = presentMonth(chosen, clock.now());
    const { month = present, by } = filtersOf(request);
    const asked = { month, by };
    const page =
      clinic === undefined
        ? clinicsPage(report, { limit: CLINICS_ON_PAGE, after: queryText(request, 'after') })
        : { shown: chosen, next: null };
    const shown: ClinicFigures[] = [];
    if (!wantsFile(request)) for (const one of page.shown) shown.push(await figuresOf(one, asked));
    const address = { clinic, ...asked };
    const next = page.next === null ? null : reportAddressOf({ ...address, after: page.next });
    const months = [...new Set([...monthsTo(present), month])];
    const reader = viewer(request);
    const links = { here: reportAddressOf(address), next };
    return sendData(request, reply, {
      page: () => reportsPage({ shown, clinics, months, ...address, ...links, viewer: reader }),
      json: () => ({ ...asked, clinics: shown, next }),
      file: {
        ...{ name: `leads-${month}`, columns: leadColumns, locale: reader.locale },
        pages: leadsOfEach(chosen, asked),
      },
    });
  });

  const sendMonth = (ending: 'html' | 'xlsx') => async (request: FastifyRequest, reply: FastifyReply) => {
    const { clinics } = await reports.get();
    const key = queryText(request, 'clinic') ?? clinics[0]?.clinic;
    const clinic = clinics.find((one) => one.clinic === key);
    const month = filtersOf(request).month ?? presentMonth(clinic ? [clinic] : [], clock.now());
    const pack = clinic && (await figures.month(clinic, month));
    if (!pack) return refuse(request, reply, noSuch);
    const { locale } = viewer(request);
    // The page is sent as a file, too, because it has inline styles, which our pages may not have.
    reply.header('content-disposition', `attachment; filename="month-${month}.${ending}"`);
    if (ending === 'xlsx') return reply.type(XLSX).send(await monthWorkbook(pack, locale));
    return sendHtml(reply, monthPage([pack], undefined, locale));
  };
  app.get('/reports/month.html', sendMonth('html'));
  app.get('/reports/month.xlsx', sendMonth('xlsx'));
}

const MONTH = /^2\d{3}-(0[1-9]|1[0-2])$/;

function filtersOf(request: FastifyRequest): { month: string | undefined; by: LeadGroup } {
  const month = queryText(request, 'month');
  return {
    month: month !== undefined && MONTH.test(month) ? month : undefined,
    by: leadGroups.find((one) => one === queryText(request, 'by')) ?? 'source',
  };
}

function monthsTo(month: string): string[] {
  const months = [month];
  while (months.length < MONTHS_TO_CHOOSE) months.push(monthBefore(months.at(-1) ?? month));
  return months;
}
