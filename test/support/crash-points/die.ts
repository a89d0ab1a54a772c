import { setTimeout as pause } from 'node:timers/promises';
import type { Story } from '../daemon/clinic-story.ts';
import type { Ending, Exit } from '../daemon/daemon-process.ts';
import { until } from '../until.ts';
import { type Death, down, up } from './scenario.ts';

/** What was asked for may take its time; asked again too early it would only be disturbed. */
const LOOKS = 6;
const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 60_000;

/** Lets the daemon, or the command beside it, end at this point; throws when it ended elsewhere or in another way. */
export async function die(
  story: Story,
  { point, prepare, act, command, stopped }: Death,
  ending: Ending,
): Promise<void> {
  await prepare?.(story);
  if (command !== undefined) {
    await (stopped ? down(story) : up(story));
    return dieAsCommand(story, point, command(story));
  }
  if (act === undefined) {
    await down(story);
    const daemon = story.launch({ endsAt: { failpoint: point, signal: ending } });
    return endedAs(ending, point, await ended(point, daemon.exited, daemon.output));
  }
  await up(story);
  const { daemon } = story;
  await daemon.arm(point, ending);
  const from = performance.now();
  while (story.isRunning && performance.now() - from < PATIENCE_MS) {
    // It may exit while being asked, and then the answer never comes.
    await Promise.race([act(story).catch(() => {}), daemon.exited]);
    await untilGone(story);
  }
  if (story.isRunning) throw new Error(`the daemon did not end at ${point}\n${daemon.output()}`);
  endedAs(ending, point, await daemon.exited);
}

/** Polls the clinic at once instead of on schedule, to save waiting. */
async function untilGone(story: Story): Promise<void> {
  const { exited } = story.daemon;
  for (let look = 0; look < LOOKS && story.isRunning; look += 1) {
    await Promise.race([story.act('/admin/clinics/main/sync').catch(() => {}), exited]);
    await Promise.race([pause(LOOK_EVERY_MS), exited]);
  }
}

/** Commands are killed in any case: they are over in a moment anyway. What one is about may still be on its way. */
async function dieAsCommand(story: Story, point: string, args: readonly string[]): Promise<void> {
  const name = args.join(' ');
  let exit: Exit | undefined;
  const found = () => JSON.stringify(exit);
  const killed = async () => {
    exit = await story.run(args, { CLINIC_SYNC_CRASHPOINT: point });
    return exit.signal === 'SIGKILL';
  };
  const succeeds = async () => {
    exit = await story.run(args);
    return exit.code === 0;
  };
  await until(`${name} ends at ${point}`, killed, { found });
  await until(`${name} succeeds after ${point}`, succeeds, { found });
}

async function ended(point: string, exited: Promise<Exit>, found: () => string): Promise<Exit> {
  let exit: Exit | undefined;
  void exited.then((one) => {
    exit = one;
  });
  return until(`the daemon ends at ${point}`, () => exit, { found });
}

function endedAs(ending: Ending, point: string, { code, signal, output }: Exit): void {
  const killed = signal === 'SIGKILL';
  // Printed only when all of it ended without help, in less than ten seconds.
  const inOrder = code === 0 && output.includes('"state":"clean","msg":"stopped"');
  if (ending === 'SIGKILL' ? killed : inOrder) return;
  throw new Error(`it did not end at ${point} as asked: ${code} ${signal}\n${output}`);
}
