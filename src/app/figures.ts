import type { HttpOptions } from '../http/http.ts';
import type { Clock } from '../platform/clock.ts';
import { openVisits } from '../reports/appointments.ts';
import { priceList } from '../reports/fees.ts';
import { leadsReport } from '../reports/leads.ts';
import { monthPack } from '../reports/month.ts';
import type { Parts } from './parts.ts';

/** The figures of the command `report`, for the pages. */
export const reportFigures = ({ store }: Pick<Parts, 'store'>, clock: Clock): HttpOptions['figures'] => ({
  leads: (asked) => leadsReport(store, asked),
  openVisits: (clinic, by, now) => openVisits(store, clinic, by, now),
  unknownStatuses: (clinic) => store.reports.unknownStatuses(clinic),
  prices: (clinic, day) => priceList(store, clinic, day, clock.now()),
  feePeriodsOf: (...asked) => store.reports.feePeriodsOf(...asked),
  month: (clinic, month) => monthPack(store, clinic, month, clock.now()),
});
