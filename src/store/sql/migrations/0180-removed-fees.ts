import type { Migration } from './migration.ts';

// Where retention already removed the change, its number stays unknown.
const found = `UPDATE fee_periods SET removed_by = (SELECT max(c.sequence) FROM changes c
    WHERE c.clinic = fee_periods.clinic AND c.resource = fee_periods.kind AND c.id = fee_periods.id
      AND c.type = fee_periods.kind || '.removed' AND c.at = fee_periods.valid_to)
  WHERE valid_to IS NOT NULL`;

/** Reports name the change that noticed a removal, also when the log has lost it. */
export const removedFees: Migration = {
  number: 180,
  name: 'removed-fees',
  statements: ['ALTER TABLE fee_periods ADD COLUMN removed_by INTEGER', found],
  postgres: ['ALTER TABLE fee_periods ADD COLUMN removed_by bigint', found],
};
