import type { ClinicSettings } from '../config/config.ts';
import type { ListPoll } from '../model/resource.ts';
import type { Guard } from '../store/store.ts';
import { contentHash } from './things.ts';

/** What an answer would do, as far as guards are concerned. Additions never are: they flow in any case. */
export interface Impact {
  poll: ListPoll;
  /** Things present before. */
  present: number;
  /** Things in the answer. */
  answered: number;
  removed: readonly string[];
  /** Id and content hash of the things with a changed field (changes of unspecified content do not count). */
  changed: readonly { id: string; hash: string }[];
}

export type Verdict = Pick<Guard, 'kind' | 'count' | 'of' | 'fingerprint' | 'sentence'>;

/** Equal answers in a row that let a guarded one through. */
const AGREEING_POLLS = 3;

/**
 * Undefined when the answer may be applied. Guarded: more than `removed_percent` and more than `removed_over` things
 * gone · more than `changed_percent` changed (one single change is never a mass change) · nothing left where there was
 * something · an organization or website that is suddenly another one's (wrong credentials look like that).
 */
export function judge(impact: Impact, guards: ClinicSettings['guards']): Verdict | undefined {
  const { poll, present, answered, removed, changed } = impact;
  if (present === 0) return undefined;
  const fingerprint = contentHash({
    removed: [...removed].sort(),
    changed: changed.map(({ id, hash }) => `${id} ${hash}`).sort(),
  });
  const verdict = (kind: Guard['kind'], count: number, sentence: string): Verdict => ({
    kind,
    count,
    of: present,
    fingerprint,
    sentence,
  });

  if ((poll === 'organization' || poll === 'website') && removed.length > 0)
    return verdict(
      'changed',
      1,
      `The ${poll} now carries another care_id than before: are these the right clinic's credentials?`,
    );
  if (answered === 0)
    return verdict(
      'removed',
      removed.length,
      `The clinic answers an empty list of ${poll}, where there were ${present}.`,
    );
  const share = (count: number) => (count * 100) / present;
  if (removed.length > guards.removed_over && share(removed.length) > guards.removed_percent)
    return verdict(
      'removed',
      removed.length,
      `The clinic's answer would remove ${removed.length} of ${present} ${poll}.`,
    );
  if (changed.length > 1 && share(changed.length) > guards.changed_percent)
    return verdict(
      'changed',
      changed.length,
      `The clinic's answer would change ${changed.length} of ${present} ${poll}.`,
    );
  return undefined;
}

/** May a guarded answer go through? `guard` is the open or approved one, with this answer counted. */
export const mayPass = (guard: Pick<Guard, 'state' | 'fingerprint' | 'seen'>, fingerprint: string): boolean =>
  guard.fingerprint === fingerprint && (guard.state === 'approved' || guard.seen >= AGREEING_POLLS);
