import type { VisitorLimits } from '../../connector.ts';
import type { Clock } from '../../platform/clock.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import { type Allowance, createAllowance } from './allowance.ts';

/**
 * Who may still send to one connector. What a request turned out to be decides what it is counted as, so whoever proves
 * nothing uses up nothing of those who do, and a right proof is taken however many wrong ones came before it.
 */
export interface IntakeLimits {
  /** Requests without a right proof. */
  readonly unproven: Allowance;
  readonly proven: Allowance;
  /** Submissions to a public form; undefined for a connector whose senders prove who they are. */
  readonly visitor: Allowance | undefined;
  /** Pages of a public form, shown or shown again. */
  readonly page: Allowance;
}

interface LimitSettings {
  provenPerMinute: number;
  unprovenPerMinute: number;
  formPages: number;
}

/** Limits of each connector, made when its first request comes. */
export function createIntakeLimits(
  { provenPerMinute, unprovenPerMinute, formPages }: LimitSettings,
  clock: Clock,
): (connector: string, visitors: VisitorLimits | undefined) => IntakeLimits {
  const known = new Map<string, IntakeLimits>();
  const allowance = (limit: number, windowMs: number) => createAllowance({ limit, windowMs, clock });
  const visitor = ({ tenMinutes, day, everybodyHour }: VisitorLimits): Allowance =>
    all([
      allowance(tenMinutes, 10 * MINUTE),
      allowance(day, 24 * HOUR),
      together(allowance(everybodyHour, HOUR)),
    ]);

  return (connector, visitors) => {
    const limits = known.get(connector) ?? {
      unproven: allowance(unprovenPerMinute, MINUTE),
      proven: allowance(provenPerMinute, MINUTE),
      visitor: visitors && visitor(visitors),
      page: allowance(formPages, 10 * MINUTE),
    };
    known.set(connector, limits);
    return limits;
  };
}

/** Each of them must allow it. */
const all = (allowances: readonly Allowance[]): Allowance => ({
  waitMs(address) {
    const longest = Math.max(...allowances.map((one) => one.waitMs(address) ?? 0));
    return longest > 0 ? longest : undefined;
  },
  count(address) {
    for (const one of allowances) one.count(address);
  },
});

/** All addresses as one. */
const together = (allowance: Allowance): Allowance => ({
  waitMs: () => allowance.waitMs(''),
  count: () => allowance.count(''),
});
