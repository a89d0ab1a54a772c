import type { Change, ChangedResource } from '../../domain/change.ts';
import { isAboutPatients, patientFields } from '../../domain/patient.ts';
import type { Json } from '../../platform/json.ts';
import type { Store } from '../../store/store.ts';
import { command, flag } from '../command.ts';
import { answerList } from '../io.ts';
import { inPages, PAGE_SIZE } from '../pages.ts';
import { clinicKeys, withStore } from '../with-app.ts';

export const history = command({
  name: 'history <resource> [id]',
  describe: 'Every value a field has had, from when to when',
  args: {
    resource: {
      choices: ['organization', 'website', 'treatment', 'dentist', 'appointment', 'booking'],
      demandOption: true,
    },
    id: { type: 'string', describe: 'One thing only' },
    clinic: { type: 'string', describe: 'One clinic only' },
    patient: flag('Include names, phones, addresses and notes'),
  },
  examples: { 'history treatment 7': 'what a treatment has cost, and since when' },
  open: withStore,
  async run(io, { resource, id, patient, ...given }, { config, store }) {
    const spans: Span[] = [];
    for (const clinic of clinicKeys(config, given.clinic))
      spans.push(...spansOf(await changesOf(store, clinic, resource, id)));
    const hidden = new Set<string>(patient || !isAboutPatients(resource) ? [] : patientFields);
    answerList(io, given, {
      rows: spans.filter(({ field }) => !hidden.has(field)),
      none: 'No changes recorded.',
      cells: ({ clinic, id, field, value, from, to }) => ({
        CLINIC: clinic,
        ID: id,
        FIELD: field,
        FROM: from,
        TO: to ?? 'now',
        VALUE: asText(value),
      }),
    });
  },
});

/** One value a field has had, from when to when; `to` null: still has it. */
interface Span {
  clinic: string;
  id: string;
  field: string;
  value: Json;
  from: string;
  to: string | null;
}

/** Of one record or of all of a resource, in the order they were made. */
async function changesOf(
  store: Store,
  clinic: string,
  resource: ChangedResource,
  id: string | undefined,
): Promise<Change[]> {
  if (id !== undefined) return store.changes.history(clinic, resource, id);
  const changes: Change[] = [];
  const read = (last?: Change) => store.changes.historyPage(clinic, resource, PAGE_SIZE, last);
  for await (const change of inPages(read)) changes.push(change);
  return changes.sort((a, b) => a.sequence - b.sequence);
}

/** Pure: the change log of some records as the spans in which each field kept a value. */
function spansOf(changes: readonly Change[]): Span[] {
  const spans: Span[] = [];
  const open = new Map<string, Span>();

  for (const { clinic, id, at, data, type } of changes) {
    const gone = type.endsWith('.removed');
    for (const [field, value] of Object.entries(data)) {
      const key = `${clinic}\n${id}\n${field}`;
      const current = open.get(key);
      if (current && !gone && asText(current.value) === asText(value)) continue;
      if (current) current.to = at;
      open.delete(key);
      if (gone) continue;
      const span: Span = { clinic, id, field, value, from: at, to: null };
      open.set(key, span);
      spans.push(span);
    }
  }
  return spans;
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
