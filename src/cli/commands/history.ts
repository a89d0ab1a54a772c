import type { CommandModule } from 'yargs';
import type { Change } from '../../domain/change.ts';
import { isAboutPatients, patientFields } from '../../domain/patient.ts';
import type { Json } from '../../platform/json.ts';
import type { Store } from '../../store/store.ts';
import type { ConfigArguments } from '../configuration.ts';
import { type Io, print, printJson, table } from '../io.ts';
import { inPages, PAGE_SIZE } from '../pages.ts';
import { clinicKeys, withStore } from '../with-store.ts';

interface Arguments extends ConfigArguments {
  json?: boolean;
  resource: string;
  id?: string;
  clinic?: string;
  patient: boolean;
}

/** One value a field has had, from when to when; `to` null: still has it. */
interface Span {
  clinic: string;
  id: string;
  field: string;
  value: Json;
  from: string;
  to: string | null;
}

/** `clinic-sync history RESOURCE [ID]` */
export const historyCommand = (io: Io): CommandModule => ({
  command: 'history <resource> [id]',
  describe: 'Every value a field has had, from when to when',
  builder: (yargs) =>
    yargs
      .positional('resource', {
        choices: ['organization', 'website', 'treatment', 'dentist', 'appointment', 'booking'] as const,
        demandOption: true,
      })
      .positional('id', { type: 'string', describe: 'One thing only' })
      .option('clinic', { type: 'string', describe: 'One clinic only' })
      .option('patient', {
        type: 'boolean',
        default: false,
        describe: 'Include names, phones, addresses and notes',
      })
      .example('$0 history treatment 7', 'what a treatment has cost, and since when'),
  handler: (argv) => history(io, argv as unknown as Arguments),
});

async function history(io: Io, given: Arguments): Promise<void> {
  const spans = await withStore(io, given, async ({ config, store }) => {
    const perClinic: Span[] = [];
    for (const clinic of clinicKeys(config, given.clinic))
      perClinic.push(...spansOf(await changesOf(store, clinic, given)));
    return perClinic;
  });
  const hidden = new Set<string>(given.patient ? [] : patientFields);
  const shown = spans.filter(
    ({ field }) => !(isAboutPatients(given.resource as Change['resource']) && hidden.has(field)),
  );

  if (given.json) return printJson(io, shown);
  if (shown.length === 0) return print(io, 'No changes recorded.');
  const rows = shown.map(({ clinic, id, field, value, from, to }) => [
    clinic,
    id,
    field,
    from,
    to ?? 'now',
    asText(value),
  ]);
  print(io, table([['CLINIC', 'ID', 'FIELD', 'FROM', 'TO', 'VALUE'], ...rows]));
}

/** Of one record or of all of a resource, in the order they were made. */
async function changesOf(store: Store, clinic: string, { resource, id }: Arguments): Promise<Change[]> {
  if (id !== undefined) return store.changes.history(clinic, resource, id);
  const changes: Change[] = [];
  const read = (last?: Change) => store.changes.historyPage(clinic, resource, PAGE_SIZE, last);
  for await (const change of inPages(read)) changes.push(change);
  return changes.sort((a, b) => a.sequence - b.sequence);
}

/** Pure: the change log of some records as the spans in which each field kept a value. */
export function spansOf(changes: readonly Change[]): Span[] {
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
