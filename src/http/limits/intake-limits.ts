import type { VisitorLimits } from '../../connector.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import { type Allowance, all, createAllowance, exceptFor } from './allowance.ts';
import { createFormHour, type FormHour } from './form-hour.ts';

/**
 * The limits of one connector. A request is counted after its proof was checked, so unauthenticated requests never use
 * up the allowance of authenticated ones, and a valid proof is accepted however many invalid ones came before.
 */
export interface IntakeLimits {
  /** Unauthenticated requests. */
  readonly unproven: Allowance;
  readonly proven: Allowance;
  /** Submissions to a public form; undefined for a connector whose senders authenticate. */
  readonly visitor: Allowance | undefined;
  /** Submissions of all visitors of a public form together. */
  readonly form: FormHour | undefined;
  /** Pages of a public form, including those shown again with faults. */
  readonly page: Allowance;
}

interface LimitSettings {
  provenPerMinute: number;
  unprovenPerMinute: number;
  formPages: number;
}

/** The limits of each connector, created on its first request. */
export function createIntakeLimits(
  { provenPerMinute, unprovenPerMinute, formPages }: LimitSettings,
  clock: Clock,
): (connector: string, visitors: VisitorLimits | undefined) => IntakeLimits {
  const known = new Map<string, IntakeLimits>();
  const allowance = (limit: number, windowMs: number) => createAllowance({ limit, windowMs, clock });
  const visitor = ({ tenMinutes, day }: VisitorLimits, shared: readonly string[]): Allowance =>
    exceptFor(shared, all([allowance(tenMinutes, 10 * MINUTE), allowance(day, DAY)]));

  return (connector, visitors) => {
    const shared = visitors?.shared ?? [];
    const limits = known.get(connector) ?? {
      unproven: allowance(unprovenPerMinute, MINUTE),
      proven: allowance(provenPerMinute, MINUTE),
      visitor: visitors && visitor(visitors, shared),
      form: visitors && createFormHour(visitors.everybodyHour, clock),
      page: exceptFor(shared, allowance(formPages, 10 * MINUTE)),
    };
    known.set(connector, limits);
    return limits;
  };
}
