import type { MutationSet } from '../mutation.ts';
import { sending } from './dispatch.ts';
import { accepting } from './intake.ts';
import { findingOut } from './reconciliation.ts';
import { people } from './review.ts';
import { store } from './store.ts';
import { putBack } from './unattended.ts';

export const bookings: MutationSet[] = [sending, findingOut, people, accepting, store, putBack];
