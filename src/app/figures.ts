import type { HttpOptions } from '../http/http.ts';
import type { Clock } from '../platform/clock.ts';
import { openVisits } from '../reports/appointments.ts';
import { leadsReport } from '../reports/leads.ts';
import { monthPack } from '../reports/month.ts';
import type { Parts } from './parts.ts';

/** The figures of the command `report`, for the pages. */
export const reportFigures = ({ store }: Pick<Parts, 'store'>, clock: Clock): HttpOptions['figures'] => ({
  leads: (asked) => leadsReport(store, asked),
  openVisits: (clinic, by, now) => openVisits(store, clinic, by, now),
  unknownStatuses: (clinic) => store.reports.unknownStatuses(clinic),
  month: (clinic, month) => monthPack(store, clinic, month, clock.now()),
});
