import { bookings } from './bookings/bookings.ts';
import { clinic } from './clinic.ts';
import { clock } from './clock.ts';
import { csv, deliveries } from './deliveries.ts';
import { fleet } from './fleet.ts';
import { forms } from './forms.ts';
import { http } from './http.ts';
import { mirror, schedule } from './mirror.ts';
import type { MutationSet } from './mutation.ts';
import { notify } from './notify.ts';
import { reports } from './reports.ts';
import { sheets } from './sheets.ts';
import { messages, status, together } from './status.ts';
import { store } from './store.ts';
import { storeFile } from './store-file.ts';
import { storePostgres } from './store-postgres.ts';
import { derived, sends, visits } from './visits.ts';

export const mutationSets: readonly MutationSet[] = [
  ...bookings,
  clinic,
  clock,
  sends,
  visits,
  derived,
  mirror,
  schedule,
  status,
  messages,
  together,
  ...storeFile,
  ...storePostgres,
  fleet,
  ...store,
  deliveries,
  notify,
  csv,
  http,
  forms,
  sheets,
  reports,
];
