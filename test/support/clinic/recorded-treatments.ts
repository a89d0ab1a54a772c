import { createHash } from 'node:crypto';
import type { Change, NewChange } from '../../../src/domain/clinics/change.ts';
import type { ClinicRecord } from '../../../src/domain/clinics/resource.ts';
import { type Clock, instant } from '../../../src/platform/clock.ts';
import { canonical, type JsonObject } from '../../../src/platform/json.ts';
import type { Store } from '../../../src/store/store.ts';

export const treatmentFields = (id: string, fee: string): JsonObject => ({
  treatment_id: Number(id),
  treatment_name: `Treatment ${id}`,
  description: '',
  base_fee: fee,
  duration_minutes: 30,
  image_url: `https://clinic.example/${id}.png`,
});

function thing(id: string, fee: string): ClinicRecord {
  const fields = treatmentFields(id, fee);
  return { id, fields, raw: fields, hash: createHash('sha256').update(canonical(fields)).digest('hex') };
}

/** What a poll would have recorded: these treatments now have these fees (null: they are gone). */
export async function recordTreatments(
  { store, clock, clinic = 'main' }: { store: Store; clock: Clock; clinic?: string },
  fees: Record<string, string | null>,
): Promise<Change[]> {
  const present = await store.mirror.hashes(clinic, 'treatments');
  const known = await store.mirror.records(clinic, 'treatments', Object.keys(fees));
  const changes: NewChange[] = [];
  const upserts: ClinicRecord[] = [];
  const removals: string[] = [];
  for (const [id, fee] of Object.entries(fees)) {
    const before = present.has(id) ? known.get(id)?.fields : undefined;
    const common = { resource: 'treatment', id } as const;
    if (fee === null) {
      if (before === undefined) continue;
      removals.push(id);
      changes.push({ ...common, type: 'treatment.removed', data: before, previous: null });
      continue;
    }
    const now = thing(id, fee);
    if (before?.base_fee === fee) continue;
    upserts.push(now);
    changes.push(
      before === undefined
        ? { ...common, type: 'treatment.created', data: now.fields, previous: null }
        : {
            ...common,
            type: 'treatment.updated',
            data: now.fields,
            previous: { base_fee: before.base_fee ?? null },
          },
    );
  }
  const at = instant(clock.now());
  return store.mirror.record({ clinic, poll: 'treatments', at, upserts, removals, changes });
}
