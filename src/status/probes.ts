import type { Probed, ProbeFault } from '../domain/bookings/probe.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { HealthReason, Need } from '../domain/status/report.ts';
import { type Instant, instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';

const SCOPE = 'probe';
const FAILURES = 2;

type Notes = Pick<Store, 'keyValue'>;

/** Key of a probe's stored result: the connector's name, with the clinic where it serves several. */
export const probeKey = (connector: string, clinic: string, clinics: readonly string[]): string =>
  clinics.length > 1 ? `${connector} ${clinic}` : connector;

/** Stored results of the probes, by `probeKey`. */
export const probed = async ({ keyValue }: Notes): Promise<Map<string, Probed>> =>
  new Map(
    Object.entries(await keyValue.list(SCOPE, '')).map(([name, note]) => [name, JSON.parse(note) as Probed]),
  );

export const keepProbes = (
  { keyValue }: Notes,
  notes: Readonly<Record<string, Probed | undefined>>,
): Promise<void> =>
  keyValue.set(
    SCOPE,
    Object.fromEntries(Object.entries(notes).map(([name, note]) => [name, note && JSON.stringify(note)])),
  );

/** The result to store after a probe. Pure. */
export function afterProbe(before: Probed | undefined, now: number, fault: ProbeFault | undefined): Probed {
  const at = instant(now);
  if (fault === undefined) return { at, failures: 0, since: null, fault: null };
  return { at, failures: (before?.failures ?? 0) + 1, since: before?.since ?? at, fault };
}

export interface FailingProbe {
  connector: string;
  /** Set when the connector serves several. */
  clinic?: string | undefined;
  since: Instant;
  fault: ProbeFault;
}

/** Whether to notify people; a single failure may have met a restart. */
export const isTold = ({ failures }: Probed): boolean => failures >= FAILURES;

export const failingProbes = (notes: ReadonlyMap<string, Probed>): FailingProbe[] =>
  [...notes].flatMap(([key, note]) => {
    const { since, fault } = note;
    const [connector = '', clinic] = key.split(' ');
    if (!isTold(note) || since === null || fault === null) return [];
    return [{ connector, ...(clinic !== undefined && { clinic }), since, fault }];
  });

/** `website`, or `website for north`. */
const formOf = ({ connector, clinic }: FailingProbe): string =>
  clinic === undefined ? connector : `${connector} for ${clinic}`;

const broke: Record<ProbeFault['step'], string> = {
  page: 'its page does not open',
  door: 'the door does not take it',
  preset: 'it is not recognized as a lead',
  mapping: 'fields get lost',
  storing: 'it could not be stored',
  judging: 'it could not be sent',
};

export const faultWords = ({ step, what }: ProbeFault): string => `${broke[step]} (${what})`;

export const probeReason = (probe: FailingProbe): HealthReason => ({
  ...{ health: 'trouble', kind: 'probe', clinic: probe.clinic ?? null },
  ...{ subject: probe.connector, since: probe.since },
  sentence: `a lead sent through ${formOf(probe)} as a test does not get through: ${faultWords(probe.fault)}`,
});

export const probeNeed = ({ connector, clinic, since, fault }: FailingProbe): Need =>
  conditionNeed(`probe_${fault.step}`, {
    ...{ subject: connector, clinic, since },
    detail: faultWords(fault),
  });
