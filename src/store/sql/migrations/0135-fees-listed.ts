import type { Migration } from './migration.ts';

const statements = [
  'CREATE INDEX fee_periods_listed ON fee_periods (clinic, kind, (length(id)), id, valid_from, valid_to)',
  'CREATE INDEX treatments_in_order ON treatments_things (clinic, treatment_id)',
  'CREATE INDEX dentists_in_order ON dentists_things (clinic, doctor_id)',
];

/** Without these, pages of the price list and of the clinic's lists read and sorted a clinic's whole history. */
export const feesListed: Migration = {
  number: 135,
  name: 'fees-listed',
  statements,
  postgres: statements,
};
