import { namesOf, strippedChange } from '../deliveries/strip.ts';
import { isAboutPatients } from '../domain/patient.ts';
import type { ChangeLog } from '../http/change-log.ts';
import type { Parts } from './parts.ts';

/** The change log as it is read over HTTP. */
export const changeLog = ({ store, config }: Pick<Parts, 'store' | 'config'>): ChangeLog => ({
  clinicOf(key) {
    const [only, ...more] = config.clinics;
    if (key === undefined) return more.length === 0 ? only?.key : undefined;
    return config.clinics.find((clinic) => clinic.key === key)?.key;
  },
  async read({ clinic, after, limit, patients }) {
    const changes = await store.changes.after(clinic, after, limit);
    // Read last, so that it is never below a returned sequence.
    const latest = await store.changes.latest(clinic);
    if (patients || !changes.some(({ resource }) => isAboutPatients(resource))) return { changes, latest };
    const isName = await namesOf(store)(clinic);
    return { changes: changes.map((change) => strippedChange(change, isName)), latest };
  },
});
