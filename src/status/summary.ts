import type { Change } from '../domain/clinics/change.ts';
import { changeFacts, valueText } from '../domain/clinics/change-facts.ts';
import { isAboutPatients } from '../domain/patient.ts';
import type { StatusReport } from '../domain/status/report.ts';
import type { Store } from '../store/store.ts';

const SHOWN = 3;

/** One change in a few words, without patient data: `Scaling: base_fee 120.00 → 130.00`. */
function summaryOf(change: Change): string {
  const { type, resource, id, previous } = change;
  const verb = type.slice(type.indexOf('.') + 1).replace('_', ' ');
  const { name, fields } = changeFacts(change);
  const moved = (field: string) => fields.find((one) => one.name === field);
  const told =
    type === 'appointment.status_changed'
      ? moved('status')
      : resource === 'booking'
        ? moved('state')
        : undefined;
  if (told !== undefined) return `${resource} ${id}: ${told.before} → ${told.after}`;
  if (resource === 'need' || resource === 'health')
    return `${resource} ${verb}: ${valueText(change.data.subject)}`;
  // Records about patients only give field names.
  if (isAboutPatients(resource)) {
    const names = fields.map((field) => field.name);
    return names.length === 0
      ? `${resource} ${id} ${verb}`
      : `${resource} ${id} ${verb}: ${names.join(', ')}`;
  }
  if (previous === null) return `${name ?? resource} ${verb}`;
  const shown = fields.slice(0, SHOWN).map((field) => `${field.name} ${field.before} → ${field.after}`);
  const more = fields.length > SHOWN ? ` and ${fields.length - SHOWN} more` : '';
  return `${name ?? resource}: ${shown.join(', ')}${more}`;
}

const RECENT_CHANGES = 20;

export async function recentChanges(store: Pick<Store, 'changes'>): Promise<StatusReport['changes']> {
  const changes = await store.changes.page({ limit: RECENT_CHANGES });
  return changes.map((change) => {
    const { clinic, sequence, at, type, id } = change;
    return { clinic, sequence, at, type, id, summary: summaryOf(change) };
  });
}
