import type { MutationSet } from '../mutation.ts';
import { accepting } from './accepting.ts';
import { findingOut } from './finding-out.ts';
import { people } from './people.ts';
import { sending } from './sending.ts';
import { store } from './store.ts';

export const bookings: MutationSet[] = [sending, findingOut, people, accepting, store];
