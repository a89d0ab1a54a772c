import { settle } from './fake-clock.ts';

/** Resolves once `condition` holds, giving promise chains and finished I/O their turns; time does not pass in it. */
export async function eventually(condition: () => boolean | Promise<boolean>, turns = 2_000): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    if (await condition()) return;
    await settle(1);
  }
  throw new Error(`it never became true: ${condition}`);
}
