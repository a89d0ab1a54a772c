import { between, type Random } from './random.ts';

/**
 * How a server numbers appointments: contiguous · with gaps · random · contiguous while the front desk books at the
 * same time, so that other appointments lie between those booked through the API.
 */
const idPolicies = ['contiguous', 'gaps', 'random', 'staff_beside'] as const;
export type IdPolicy = (typeof idPolicies)[number];

export function nextId(
  policy: IdPolicy,
  { highest, taken, random }: { highest: number; taken: (id: number) => boolean; random: Random },
): number {
  if (policy === 'gaps') return highest + between(random, 1, 4);
  if (policy !== 'random') return highest + 1;
  for (;;) {
    const id = between(random, 1, 2 ** 31 - 1);
    if (!taken(id)) return id;
  }
}
