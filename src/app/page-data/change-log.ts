import { namesOf, strippedChange } from '../../deliveries/strip.ts';
import type { Change } from '../../domain/clinics/change.ts';
import { isAboutPatients } from '../../domain/patient.ts';
import type { ChangeLog } from '../../http/change-pages.ts';
import type { Parts } from '../parts.ts';

/** A page ends here, however many changes were asked for: a clinic's texts may be long. */
const PAGE_CHARACTERS = 4_000_000;
const READ_AT_ONCE = 20;

/** The change log as it is read over HTTP. */
export const changeLog = ({ store, config }: Pick<Parts, 'store' | 'config'>): ChangeLog => ({
  clinicOf(key) {
    const [only, ...more] = config.clinics;
    if (key === undefined) return more.length === 0 ? only?.key : undefined;
    return config.clinics.find((clinic) => clinic.key === key)?.key;
  },
  async read({ clinic, after, limit, patients }) {
    const changes: Change[] = [];
    for (let size = 0, isLast = false; !isLast && size < PAGE_CHARACTERS; ) {
      const most = Math.min(READ_AT_ONCE, limit - changes.length);
      const some = await store.changes.after(clinic, changes.at(-1)?.sequence ?? after, most);
      changes.push(...some);
      size += JSON.stringify(some).length;
      isLast = some.length < most || changes.length === limit;
    }
    // Read last, so that it is never below a returned sequence.
    const latest = await store.changes.latest(clinic);
    if (patients || !changes.some(({ resource }) => isAboutPatients(resource))) return { changes, latest };
    const isName = await namesOf(store)(clinic);
    return { changes: changes.map((change) => strippedChange(change, isName)), latest };
  },
});
