import type { Clock } from '../../platform/clock.ts';
import type { Fence } from '../ports/fleet.ts';
import type { Db, Write } from './database.ts';
import { fencedWrites, leasedWrites } from './fenced.ts';
import { type GroupOptions, groupCommit, patientTries } from './group-commit.ts';
import { auditedWrites } from './people/audit-log.ts';
import { runGroup } from './run-group.ts';
import { inTransaction } from './transaction.ts';

interface PipelineOptions extends Pick<GroupOptions, 'isBusy' | 'isStorage' | 'onBegin' | 'onCommit'> {
  db: Db;
  clock: Clock;
}

/**
 * What every write passes on its way from a verb to the rows, outermost first:
 *
 * 1. `fencedWrites` or `leasedWrites`, where it is limited to an owner, add the check to the job itself,
 * 2. `auditedWrites` adds the audit row of its action,
 * 3. `groupCommit` waits for others that share its commit,
 * 4. `patientTries` tries again while another process has the lock,
 * 5. `inTransaction` begins a transaction and commits it,
 * 6. `runGroup` runs the jobs in it.
 *
 * In this order, because the check and the audit row must commit or roll back with their job, so both are part of it
 * before it joins a group; an audit row is written only if the job, with its check, changed something. A group is
 * chosen once the lock is held, so it takes in what came while it waited, and each try is a transaction of its own.
 */
export function writePipeline({ db, clock, isBusy, ...options }: PipelineOptions) {
  const patiently = patientTries({ clock, isBusy });
  const { idle, health, ...grouped } = groupCommit({
    ...{ ...options, isBusy, run: runGroup },
    transaction: (waitsMs, job) => patiently(waitsMs, () => inTransaction(db, job)),
  });
  const { audited, auditedEach, ...auditing } = auditedWrites(grouped);
  return {
    ...{ write: audited, writeEach: auditedEach, auditing, idle, health, patiently },
    /** For the owner of a unit. */
    ownedBy: (fence: Fence): Write => fencedWrites(audited, fence),
    /** For a command that does the work of daemons, while it lives as this member. */
    livingAs: (member: string, over: () => Error): Write => leasedWrites(audited, member, over),
  };
}
