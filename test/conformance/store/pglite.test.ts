import { openPgliteStore } from '../../support/store/pglite.ts';
import { describeStore } from './store.ts';

describeStore('PGlite', openPgliteStore);
