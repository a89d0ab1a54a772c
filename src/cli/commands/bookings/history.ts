import type { Change, ChangedResource } from '../../../domain/clinics/change.ts';
import { isAboutPatients, patientFields } from '../../../domain/patient.ts';
import type { Json } from '../../../platform/json.ts';
import type { Store } from '../../../store/store.ts';
import { existingRef, PATIENTS } from '../../audited.ts';
import { command, flagArgument } from '../../command.ts';
import { clinicKeys } from '../../configuration.ts';
import { answerList, inPages } from '../../list.ts';
import { withStore } from '../../with-app.ts';

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
    patient: flagArgument('Include names, phones, addresses and notes'),
  },
  examples: { 'history treatment 7': 'what a treatment has cost, and since when' },
  audit: { action: PATIENTS, subject: existingRef },
  open: withStore,
  async run(io, { resource, id, patient, ...given }, { config, store }) {
    const hidden = new Set<string>(patient || !isAboutPatients(resource) ? [] : patientFields);
    const clinics = clinicKeys(config, given.clinic);
    async function* spans() {
      for (const clinic of clinics)
        for await (const span of spansOf(changesOf(store, clinic, resource, id)))
          if (!hidden.has(span.field)) yield span;
    }
    await answerList(io, given, {
      rows: spans(),
      none: 'No changes recorded.',
      columns: {
        CLINIC: 'clinic',
        ID: 'id',
        FIELD: 'field',
        FROM: 'from',
        TO: ({ to }) => to ?? 'now',
        VALUE: ({ value }) => asText(value),
      },
    });
  },
});

/** A value of a field and its period; `to` is null for the current value. */
interface Span {
  clinic: string;
  id: string;
  field: string;
  value: Json;
  from: string;
  to: string | null;
}

/** The changes of one record, or of a whole resource record by record, oldest first. */
async function* changesOf(store: Store, clinic: string, resource: ChangedResource, id: string | undefined) {
  const read = (count: number, last?: Pick<Change, 'id' | 'sequence'>) =>
    store.changes.historyPage(clinic, resource, count, last);
  for await (const change of inPages(read, { after: id === undefined ? id : { id, sequence: 0 } })) {
    if (id !== undefined && change.id !== id) return;
    yield change;
  }
}

/** Per record: former values in the order they ended, then current ones. Only current ones are held in memory. */
async function* spansOf(changes: AsyncIterable<Change>): AsyncGenerator<Span> {
  const open = new Map<string, Span>();
  let record: string | undefined;
  for await (const change of changes) {
    if (change.id !== record) {
      yield* open.values();
      open.clear();
      record = change.id;
    }
    yield* endedBy(change, open);
  }
  yield* open.values();
}

/** The values that a change ended. Updates `open`, the current values by field. */
function* endedBy({ clinic, id, at, data, type }: Change, open: Map<string, Span>): Generator<Span> {
  const gone = type.endsWith('.removed');
  for (const [field, value] of Object.entries(data)) {
    const current = open.get(field);
    if (current && !gone && asText(current.value) === asText(value)) continue;
    if (current) yield { ...current, to: at };
    open.delete(field);
    if (!gone) open.set(field, { clinic, id, field, value, from: at, to: null });
  }
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
