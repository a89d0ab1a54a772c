import { newStoreFile, openTestStore } from '../../support/store/store-file.ts';
import { describeStore } from './store.ts';

describeStore('SQLite in memory', () => openTestStore());
describeStore('an SQLite file', () => openTestStore(newStoreFile()));
